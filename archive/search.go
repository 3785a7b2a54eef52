package archive

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxWords is the largest number of different words in a search.
const MaxWords = 32

// Newest returns the rows of all records that are searched and not gone, newest
// first.
func (r *Reader) Newest(ctx context.Context) ([]int64, error) {
	// With the plus, SQLite sorts the rows of one index instead of reading every record.
	return all(ctx, r.kept, "read the order of hits", column[int64], `SELECT row FROM record
		WHERE `+isItem+` AND gone_at IS NULL ORDER BY +published DESC NULLS LAST, record.id DESC`)
}

// Search returns the rows of the records that hold all words of text, newest first.
// The last word also matches the beginning of a word. newest is the result of
// [Reader.Newest] for the same state; nil reads it. More than [MaxWords] words are
// [ErrWords].
func (r *Reader) Search(ctx context.Context, text string, newest []int64) ([]int64, error) {
	list, beginning := terms(text)
	switch {
	case len(list) == 0:
		return nil, nil
	case len(list) > MaxWords:
		return nil, fmt.Errorf("search for %d words: %w", len(list), ErrWords)
	}
	if newest == nil {
		var err error
		if newest, err = r.Newest(ctx); err != nil || len(newest) == 0 {
			return nil, err
		}
	}
	set, err := matching(ctx, r.kept, list, beginning, slices.Max(newest))
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", text, err)
	}
	rows := make([]int64, 0, min(len(newest), set.count()))
	for _, row := range newest {
		if set.has(row) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// SavedSearch returns the rows of the hits of a saved search, in ascending order: of
// those that the source found, and those in the archive's own index.
func (a *Archive) SavedSearch(ctx context.Context, query string) ([]int64, error) {
	saved, args := a.engine.equals("hit.query", query)
	rows, err := all(ctx, a.read, fmt.Sprintf("read hits for %q", query), column[int64], `SELECT record.row
		FROM hit JOIN record ON record.id = hit.id WHERE `+saved+` AND `+isItem, args...)
	if err != nil {
		return nil, err
	}
	list, beginning := terms(query)
	set, err := a.matching(ctx, list, beginning)
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", query, err)
	}
	for _, row := range rows {
		set.add(row)
	}
	return set.rows(), nil
}

// HoldsWords returns a function that reports whether the record of a row holds all words
// of text, each as a whole word. Without words no record does.
func (a *Archive) HoldsWords(ctx context.Context, text string) (holds func(row int64) bool, err error) {
	list := words(text)
	slices.Sort(list)
	set, err := a.matching(ctx, slices.Compact(list), false)
	if err != nil {
		return nil, fmt.Errorf("search the words %q: %w", text, err)
	}
	return set.has, nil
}

// HasWords reports whether a text has words that can be searched.
func HasWords(text string) bool { return len(words(text)) > 0 }

// matching returns the rows of the hits of a search in the archive's own index.
func (a *Archive) matching(ctx context.Context, list []string, beginning bool) (bitmap, error) {
	var last int64
	if err := a.read.QueryRowContext(ctx, `SELECT coalesce(max(row), 0) FROM record`).Scan(&last); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return newBitmap(last)
	}
	return matching(ctx, a.read, list, beginning, last)
}

// matching returns the rows up to last whose texts hold all words.
func matching(ctx context.Context, q *statements, words []string, beginning bool, last int64) (bitmap, error) {
	set, err := newBitmap(last)
	if err != nil {
		return nil, err
	}
	query, arg := q.engine.matching(words, beginning)
	for row, err := range each(ctx, q, "read the full-text index", column[int64], query, arg) {
		if err != nil {
			return nil, err
		}
		set.add(row)
	}
	return set, nil
}

// Fold returns text as the full-text index has it: in lower case, without diacritics,
// and with i for the four Turkish letters I, İ, ı and i.
func Fold(text string) string {
	table := foldedLetters()
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		if int(r) < len(table) {
			b.WriteString(table[r])
		} else {
			b.WriteString(foldLetter(r))
		}
	}
	return b.String()
}

// foldedLetters holds the folded characters before U+2028: a look-up is several times
// as fast as folding.
var foldedLetters = sync.OnceValue(func() *['\u2028']string {
	var table ['\u2028']string
	for r := range table {
		table[r] = foldLetter(rune(r))
	}
	return &table
})

func foldLetter(r rune) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r == 'ı' || r == 'İ':
			return 'i'
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(string(r)))
}

// shortestBeginning is the least number of letters of a word that also matches the
// beginnings of words.
const shortestBeginning = 2

// longestWord is the number of letters to which words are cut in the index.
const longestWord = 500

// words returns the folded words of a text. They consist of letters, digits, and
// U+FFFD for invalid UTF-8.
func words(text string) []string {
	list := strings.FieldsFunc(Fold(text), func(r rune) bool { return !isInWord(r) && r != unicode.ReplacementChar })
	list = slices.DeleteFunc(list, func(word string) bool { return !strings.ContainsFunc(word, isInWord) })
	for i, word := range list {
		if len(word) > longestWord {
			letters := []rune(word)
			list[i] = string(letters[:min(len(letters), longestWord)])
		}
	}
	return list
}

// mostIndexed is the number of bytes of a record's different words in the full-text
// index: PostgreSQL takes no more, with quotes and a blank for each.
const mostIndexed = 1 << 20

// indexedWords returns the words of a record for the full-text index, sorted and each
// once.
func (r *Record) indexedWords() []string {
	list := slices.Concat(words(r.Title), words(r.Spot), words(r.Text))
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

func isInWord(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.Co) }

// terms splits a search into its different words. beginning reports whether the last
// one also matches the beginning of a word.
func terms(text string) (list []string, beginning bool) {
	list = words(text)
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
	return append(list, last), utf8.RuneCountInString(last) >= shortestBeginning
}

// bitmap is a set of rows from 1 to the last one that it was made for.
type bitmap []uint64

// newBitmap returns an error if last is larger than any archive's: a damaged file must
// not claim that much memory.
func newBitmap(last int64) (bitmap, error) {
	const most = 1 << 31
	if last > most {
		return nil, fmt.Errorf("%w: a row has the number %d", ErrDamaged, last)
	}
	return make(bitmap, last/64+1), nil
}

// add adds a row. Those beyond the last are ignored.
func (b bitmap) add(row int64) {
	if i := uint64(row) / 64; i < uint64(len(b)) {
		b[i] |= 1 << (row & 63)
	}
}

func (b bitmap) has(row int64) bool {
	i := uint64(row) / 64
	return i < uint64(len(b)) && b[i]&(1<<(row&63)) != 0
}

func (b bitmap) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// rows returns the set in ascending order.
func (b bitmap) rows() []int64 {
	var rows []int64
	for row := range int64(len(b)) * 64 {
		if b.has(row) {
			rows = append(rows, row)
		}
	}
	return rows
}
