package archive

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The full-text index of SQLite (FTS5) is written by its own statements, but read
// from its pages: for the last word of a search, which is also looked up as the
// beginning of others, and which 20,000 texts have, MATCH takes 28 ms of CPU time,
// and this a fifth. The check reads the whole index once.

// mainIndex begins the terms that are words; "1" and "2" begin those of their
// first 2 and 3 letters.
const mainIndex = "0"

// prefixLetters are the lengths of the beginnings that the index holds.
var prefixLetters = []int{2, 3}

func (s *sqlite) index(row int64, words []string) (string, []any) {
	return `INSERT INTO search (rowid, text) VALUES (?, ?)`, []any{row, strings.Join(words, " ")}
}

func (s *sqlite) clearIndexSQL() string { return `INSERT INTO search (search) VALUES ('delete-all')` }

func (s *sqlite) matching(ctx context.Context, q reader, words []string, beginning bool, last int64) (all bitmap, err error) {
	segments, err := segmentsOf(ctx, q, last)
	if err != nil {
		return nil, err
	}
	for i, word := range words {
		key, prefix := mainIndex+word, false
		if i == len(words)-1 && beginning {
			if n := slices.Index(prefixLetters, utf8.RuneCountInString(word)); n >= 0 {
				key = strconv.Itoa(n+1) + word
			} else {
				prefix = true
			}
		}
		rows, err := newBitmap(last)
		if err != nil {
			return nil, err
		}
		if err := find(ctx, q, segments, []byte(key), prefix, rows); err != nil {
			return nil, err
		}
		if i > 0 {
			for i := range rows {
				rows[i] &= all[i]
			}
		}
		all = rows
	}
	return all, nil
}

// firstPages reads, of each segment in a JSON array of pairs (number, first page),
// the page that would have a term. Two statements for each of about 16 segments
// would take twice as long as the rest of a search.
const firstPages = `SELECT segment.key, page.id, block FROM json_each(?1) AS segment JOIN search_data AS page
	ON page.id = (segment.value ->> 0 << 37) + max(segment.value ->> 1, ifnull((SELECT pgno >> 1 FROM search_idx
		WHERE segid = segment.value ->> 0 AND term <= ?2 ORDER BY term DESC LIMIT 1), 0))`

// find adds the rows of a term, or of all terms that begin with it.
func find(ctx context.Context, q reader, segments []segment, key []byte, prefix bool, into bitmap) error {
	if len(segments) == 0 {
		return nil
	}
	var list []byte
	readers := make([]leafReader, len(segments))
	for i, s := range segments {
		list = fmt.Appendf(list, ",[%d,%d]", s.id, s.first)
		readers[i] = leafReader{
			want: func(term []byte) (wanted, more bool) {
				wanted = bytes.Equal(term, key) || prefix && bytes.HasPrefix(term, key)
				return wanted, wanted || bytes.Compare(term, key) < 0
			},
			deleted: s.deleted,
			add:     into.add,
		}
	}
	list[0] = '['
	following := make([]int64, len(segments)) // page of each segment, 0 for none
	for p, err := range pages(ctx, q, firstPages, string(append(list, ']')), key) {
		if err != nil {
			return err
		}
		more, err := readers[p.segment].page(p.block)
		if err != nil {
			return err
		}
		if more {
			following[p.segment] = p.id + 1
		}
	}
	for i, s := range segments {
		if following[i] == 0 {
			continue
		}
		if err := readPages(ctx, q, following[i], s.id<<segmentShift+s.last, readers[i].page); err != nil {
			return err
		}
	}
	return nil
}

// indexSeed is the seed of all digests of the index in one process.
var indexSeed = maphash.MakeSeed()

type posting struct {
	term string
	row  int64
}

// expectedDigest adds up a digest of every term that the index should have of a row.
func (s *sqlite) expectedDigest(row int64, words []string) (sum uint64) {
	for n, letters := range append([]int{0}, prefixLetters...) {
		before := ""
		for _, word := range words {
			if term := firstLetters(word, letters); term != before && term != "" {
				sum += maphash.Comparable(indexSeed, posting{strconv.Itoa(n) + term, row})
				before = term
			}
		}
	}
	return sum + maphash.Comparable(indexSeed, posting{"", row})
}

// firstLetters returns the first letters of a word, "" if it has fewer. 0 is all.
func firstLetters(word string, letters int) string {
	if letters == 0 {
		return word
	}
	n := 0
	for i := range word {
		if n == letters {
			return word[:i]
		}
		n++
	}
	if n == letters {
		return word
	}
	return ""
}

// storedDigest computes the sum of [sqlite.expectedDigest] of all rows from the pages of
// the index and the table of its rows.
func (s *sqlite) storedDigest(ctx context.Context, q reader) (sum uint64, err error) {
	rows, err := all(ctx, q, "read the rows of the index", column[int64], `SELECT id FROM search_docsize ORDER BY id`)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	segments, err := segmentsOf(ctx, q, rows[len(rows)-1])
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		sum += maphash.Comparable(indexSeed, posting{"", row})
	}
	for _, s := range segments {
		term := ""
		r := leafReader{
			want:    func(t []byte) (bool, bool) { term = string(t); return true, true },
			deleted: s.deleted,
			add:     func(row int64) { sum += maphash.Comparable(indexSeed, posting{term, row}) },
		}
		if err := readPages(ctx, q, s.id<<segmentShift+s.first, s.id<<segmentShift+s.last, r.page); err != nil {
			return 0, err
		}
	}
	return sum, nil
}
