package archive

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"ayna/archive/analysis"
	"ayna/archive/database"
	"ayna/record"
)

// Index is the full-text index of the records that are searched.
type Index struct{ archive *Archive }

// Newest returns the rows of all records that are searched and not gone, newest
// first.
func (r *Reader) Newest(ctx context.Context) ([]int64, error) {
	// With the plus, SQLite sorts the rows of one index instead of reading every record.
	return database.All(ctx, r.recurs, "read the order of hits", database.Column[int64], `SELECT row FROM record
		WHERE `+database.IsItem+` AND gone_at IS NULL ORDER BY +published DESC NULLS LAST, record.id DESC`)
}

// Search returns the rows of the records that hold all words of text, newest first.
// The last word also matches as a prefix, and a run of letters without blanks
// is found as it is. newest is the result of [Reader.Newest] for the same state; nil reads
// it. More than [analysis.MaxWords] words are [analysis.ErrWords].
func (r *Reader) Search(ctx context.Context, text string, newest []int64, derive record.DeriveFunc) ([]int64, error) {
	words, prefix := terms(text)
	switch {
	case len(words) == 0:
		return nil, nil
	case len(words) > analysis.MaxWords:
		return nil, fmt.Errorf("search for %d words: %w", len(words), analysis.ErrWords)
	}
	if newest == nil {
		var err error
		if newest, err = r.Newest(ctx); err != nil || len(newest) == 0 {
			return nil, err
		}
	}
	set, err := rowsWith(ctx, r.recurs, words, prefix, slices.Max(newest))
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", text, err)
	}
	rows := make([]int64, 0, min(len(newest), set.count()))
	for _, row := range newest {
		if set.has(row) {
			rows = append(rows, row)
		}
	}
	if runs := longRuns(text); len(runs) > 0 {
		if rows, err = withRuns(ctx, r.recurs, rows, runs, derive); err != nil {
			return nil, fmt.Errorf("search %q: %w", text, err)
		}
	}
	return rows, nil
}

// Saved returns the rows of the hits of a saved search, in ascending order: of
// those that the source found, and those in the archive's own index.
func (x Index) Saved(ctx context.Context, query string, derive record.DeriveFunc) ([]int64, error) {
	rows, err := database.All(ctx, x.archive.read, fmt.Sprintf("read hits for %q", query), database.Column[int64], `SELECT record.row
		FROM hit JOIN record ON record.id = hit.id WHERE `+x.archive.read.Equals("hit.query", "$1")+` AND `+database.IsItem, query)
	if err != nil {
		return nil, err
	}
	words, prefix := terms(query)
	set, err := x.search(ctx, words, prefix, query, derive)
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", query, err)
	}
	for _, row := range rows {
		set.add(row)
	}
	return set.rows(), nil
}

// Holds returns a function that reports whether the record of a row holds all words
// of text, each as a whole word. Without words no record does.
func (x Index) Holds(ctx context.Context, text string, derive record.DeriveFunc) (holds func(row int64) bool, err error) {
	words, _ := searchedWords(text)
	slices.Sort(words)
	set, err := x.search(ctx, slices.Compact(words), false, text, derive)
	if err != nil {
		return nil, fmt.Errorf("search the words %q: %w", text, err)
	}
	return set.has, nil
}

// search returns the rows of the hits of a search in the archive's own index. words are
// those of the query.
func (x Index) search(ctx context.Context, words []string, prefix bool, query string, derive record.DeriveFunc) (bitmap, error) {
	var last int64
	if err := x.archive.read.QueryRowContext(ctx, `SELECT coalesce(max(row), 0) FROM record`).Scan(&last); err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return newBitmap(last)
	}
	set, err := rowsWith(ctx, x.archive.read, words, prefix, last)
	runs := longRuns(query)
	if err != nil || len(runs) == 0 {
		return set, err
	}
	rows, err := withRuns(ctx, x.archive.read, set.rows(), runs, derive)
	if err != nil {
		return nil, err
	}
	clear(set)
	for _, row := range rows {
		set.add(row)
	}
	return set, nil
}

// rowsWith returns the rows up to last whose texts hold all words.
func rowsWith(ctx context.Context, q *database.Statements, words []string, prefix bool, last int64) (bitmap, error) {
	set, err := newBitmap(last)
	if err != nil {
		return nil, err
	}
	query, arg := q.SearchQuery(words, prefix)
	for row, err := range database.Each(ctx, q, "read the full-text index", database.Column[int64], query, arg) {
		if err != nil {
			return nil, err
		}
		set.add(row)
	}
	return set, nil
}

// minPrefix is the least number of letters of a word that also matches as a prefix.
const minPrefix = 2

// wordsVersion is the version of the words in the full-text index. Raise it when other words
// become of a text: then the next build fills the index anew.
const wordsVersion = "4"

// wordsState is its name in the table state.
const wordsState = "words"

// Refill fills the full-text index anew if an earlier version of the program has filled
// it, in one transaction.
func (x Index) Refill(ctx context.Context, derive record.DeriveFunc) error {
	version, err := x.archive.State.Get(ctx, wordsState)
	if err != nil || version == wordsVersion {
		return err
	}
	return x.archive.Update(ctx, func(tx *Tx) error {
		if err := tx.refill(derive); err != nil {
			return fmt.Errorf("fill the full-text index anew: %w", err)
		}
		return tx.State.Set(wordsState, wordsVersion)
	})
}

// mostIndexed is the number of bytes of a record's different words in the full-text
// index: PostgreSQL takes no more, with quotes and a blank for each.
const mostIndexed = 1 << 20

// indexedWords returns the words of a record for the full-text index, sorted and each
// once.
func (r *Record) indexedWords() []string {
	list := slices.Concat(analysis.Words(r.Title), analysis.Words(r.Spot), analysis.Words(r.Text))
	slices.Sort(list)
	list = slices.Compact(list)
	size := 0
	for i, word := range list {
		if size += len(word) + len("'' "); size > mostIndexed {
			return list[:i]
		}
	}
	return list
}

// searchedWords returns the words of a query: of a run of letters without blanks the pairs, which
// say what its last letter alone would.
func searchedWords(text string) (list []string, last analysis.Word) {
	reader := analysis.Reader{Emit: func(word analysis.Word) {
		if word.Text != nil && !word.Tail {
			list, last = append(list, string(word.Text)), word
		}
	}}
	reader.Read(text)
	return list, last
}

// terms splits a search into its different words. prefix reports whether the last one
// also matches as a prefix.
func terms(text string) (list []string, prefix bool) {
	list, word := searchedWords(text)
	if len(list) == 0 {
		return nil, false
	}
	last := list[len(list)-1]
	list = list[:len(list)-1]
	slices.Sort(list)
	list = slices.Compact(list)
	if _, whole := slices.BinarySearch(list, last); whole {
		return list, false
	}
	return append(list, last), word.Unspaced || utf8.RuneCountInString(last) >= minPrefix
}
