package database

import (
	"context"
	"database/sql"
	"hash/maphash"
	"strings"
)

// The full-text index of an archive file is SQLite's FTS5.

func (s *sqlite) IndexWords(row int64, words []string) (string, []any) {
	return `INSERT INTO search (rowid, text) VALUES ($1, $2)`, []any{row, strings.Join(words, " ")}
}

func (s *sqlite) ClearIndex() string { return `INSERT INTO search (search) VALUES ('delete-all')` }

func (s *sqlite) SearchQuery(words []string, prefix bool) (string, any) {
	match := `"` + strings.Join(words, `" AND "`) + `"` // letters and digits close no quotes
	if prefix {
		match += " *"
	}
	return `SELECT rowid FROM search WHERE search MATCH $1`, match
}

// digest reads the index through a table of FTS5's vocabulary, which SQLite keeps
// in memory.
func (s *sqlite) digest(ctx context.Context, readers *sql.DB) (uint64, error) {
	c, err := readers.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, `CREATE VIRTUAL TABLE IF NOT EXISTS temp.word USING fts5vocab(main, search, instance)`); err != nil {
		return 0, err
	}
	sum, err := sumOfTerms(ctx, c, `SELECT term, count(*), sum(doc) FROM temp.word GROUP BY term`)
	if err != nil {
		return 0, err
	}
	// The vocabulary does not show the prefixes: each is searched for.
	if _, err := c.ExecContext(ctx, `CREATE VIRTUAL TABLE IF NOT EXISTS temp.term USING fts5vocab(main, search, row)`); err != nil {
		return 0, err
	}
	for _, letters := range s.prefixLengths() {
		list, err := All(ctx, c, "read the full-text index", Column[string], `SELECT DISTINCT substr(term, 1, $1) FROM temp.term WHERE length(term) >= $1`, letters)
		if err != nil {
			return 0, err
		}
		for _, prefix := range list {
			query, arg := s.SearchQuery([]string{prefix}, true)
			n, err := sumOfTerms(ctx, c, `SELECT $2, count(*), coalesce(sum(rowid), 0) FROM (`+query+`)`, arg, prefix+"*")
			if err != nil {
				return 0, err
			}
			sum += n
		}
	}
	return sum, nil
}

func (s *sqlite) prefixLengths() []int { return []int{2, 3} }

// indexSeed is the seed of all digests of the index in one process.
var indexSeed = maphash.MakeSeed()

// digestOf returns a digest of a word that n rows have whose numbers have a sum.
// Digests of the same word may be added up.
func digestOf(word string, n, sum int64) uint64 {
	const beyondRows = 1 << 40 // so that 1 and 2 are not 3
	return maphash.String(indexSeed, word) * uint64(n*beyondRows+sum)
}

// IndexDigest returns the sum of the digests of what the full-text index has.
func (d *DB) IndexDigest(ctx context.Context) (uint64, error) {
	return d.engine.digest(ctx, d.readers)
}

// WordsDigest returns a digest of what the full-text index should have of a record: of its
// words, and of their prefixes of some lengths. Digests of several records are added up.
func (d *DB) WordsDigest(row int64, words []string) (sum uint64) {
	for _, word := range words {
		sum += digestOf(word, 1, row)
	}
	for _, letters := range d.engine.prefixLengths() {
		seen := make(map[string]bool)
		for _, word := range words {
			prefix, ok := firstLetters(word, letters)
			if ok && !seen[prefix] {
				seen[prefix] = true
				sum += digestOf(prefix+"*", 1, row)
			}
		}
	}
	return sum
}

// firstLetters returns the first n letters of a word, and false if it has fewer.
func firstLetters(word string, n int) (string, bool) {
	for i := range word {
		if n == 0 {
			return word[:i], true
		}
		n--
	}
	return word, n == 0
}

// sumOfTerms adds up the digests of the words that a query returns, each with the number
// of its rows and their sum.
func sumOfTerms(ctx context.Context, q Reader, query string, args ...any) (sum uint64, err error) {
	for digest, err := range Each(ctx, q, "read the full-text index", func(row Row) (uint64, error) {
		var word string
		var n, rows int64
		err := row.Scan(&word, &n, &rows)
		return digestOf(word, n, rows), err
	}, query, args...) {
		if err != nil {
			return 0, err
		}
		sum += digest
	}
	return sum, nil
}
