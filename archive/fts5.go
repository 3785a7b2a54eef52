package archive

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file reads the full-text index of SQLite (FTS5) from its own tables, whose
// format is fixed and described in ext/fts5/fts5_index.c. A common word of 20,000
// texts takes a fraction of the time that FTS5 needs to return the rows one by
// one, and the check can read the whole index once.

var errIndexFormat = fmt.Errorf("%w: the full-text index has an unexpected format", ErrDamaged)

// segment is a part of the index: pages in the order of their terms.
type segment struct {
	id, first, last int64
	tombstones      int64 // pages that list rows deleted from it
}

const (
	structureRow  = 10                 // of search_data
	structureV2   = "\xff\x00\x00\x01" // with deleted rows
	segmentShift  = 37                 // of a segment's number in the number of a page
	tombstoneBase = 1 << 16            // of a segment's number for pages of deleted rows
	mainIndex     = "0"                // begins the terms that are words; "1" and "2" begin those of their first 2 and 3 letters
)

// prefixLetters are the lengths of the beginnings that the index holds.
var prefixLetters = []int{2, 3}

func (s *sqlite) index(row int64, words []string) (string, []any) {
	return `INSERT INTO search (rowid, text) VALUES (?, ?)`, []any{row, strings.Join(words, " ")}
}

func (s *sqlite) emptyIndex() string { return `INSERT INTO search (search) VALUES ('delete-all')` }

func (s *sqlite) matching(ctx context.Context, q reader, words []string, beginning bool, last int64) (all bitmap, err error) {
	segments, err := segmentsOf(ctx, q)
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
// the page that would have a term. Two statements for each of some 16 segments
// would take twice as long as all the rest of a search.
const firstPages = `SELECT segment.key, page.id, block FROM json_each(?1) AS segment JOIN search_data AS page
	ON page.id = (segment.value ->> 0 << 37) + max(segment.value ->> 1, ifnull((SELECT pgno >> 1 FROM search_idx
		WHERE segid = segment.value ->> 0 AND term <= ?2 ORDER BY term DESC LIMIT 1), 0))`

// find adds the rows of a term, or of all terms that begin with it.
func find(ctx context.Context, q reader, segments []segment, key []byte, prefix bool, into bitmap) error {
	var list []byte
	readers := make([]leafReader, len(segments))
	for i, s := range segments {
		deleted, err := s.deleted(ctx, q, int64(len(into))*64)
		if err != nil {
			return err
		}
		list = fmt.Appendf(list, ",[%d,%d]", s.id, s.first)
		readers[i] = leafReader{
			want: func(term []byte) (wanted, more bool) {
				wanted = bytes.Equal(term, key) || prefix && bytes.HasPrefix(term, key)
				return wanted, wanted || bytes.Compare(term, key) < 0
			},
			add: into.add,
		}
		if deleted != nil {
			readers[i].add = func(row int64) {
				if !deleted.has(row) {
					into.add(row)
				}
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	list[0] = '['
	following := make([]int64, len(segments)) // page of each segment, 0 for none
	err := readBlocks(ctx, q, func(i, page int64, block []byte) (err error) {
		if i >= int64(len(readers)) {
			return errIndexFormat
		}
		more, err := readers[i].page(block)
		if more {
			following[i] = page + 1
		}
		return err
	}, firstPages, string(append(list, ']')), key)
	for i, s := range segments {
		if err == nil && following[i] != 0 {
			err = readPages(ctx, q, following[i], s.id<<segmentShift+s.last, readers[i].page)
		}
	}
	return err
}

// indexSeed makes the sums of one process comparable with each other.
var indexSeed = maphash.MakeSeed()

type posting struct {
	term string
	row  int64
}

// indexSum adds up a digest of every term that the index should have of a row.
func (s *sqlite) indexSum(row int64, words []string) (sum uint64) {
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

// indexedSum is the sum of [sqlite.indexSum] of what the index has, by its pages
// and by the table of its rows.
func (s *sqlite) indexedSum(ctx context.Context, q reader) (sum uint64, err error) {
	segments, err := segmentsOf(ctx, q)
	if err != nil {
		return 0, err
	}
	var last int64
	for _, add := range []func(row int64){
		func(row int64) { last = max(last, row) },
		func(row int64) { sum += maphash.Comparable(indexSeed, posting{"", row}) },
	} {
		rows, err := all(ctx, q, "read the rows of the index", column[int64], `SELECT id FROM search_docsize`)
		if err != nil {
			return 0, err
		}
		for _, row := range rows {
			add(row)
		}
	}
	for _, s := range segments {
		deleted, err := s.deleted(ctx, q, last)
		if err != nil {
			return 0, err
		}
		term := ""
		r := leafReader{
			want: func(t []byte) (bool, bool) { term = string(t); return true, true },
			add: func(row int64) {
				if !deleted.has(row) {
					sum += maphash.Comparable(indexSeed, posting{term, row})
				}
			},
		}
		if err := readPages(ctx, q, s.id<<segmentShift+s.first, s.id<<segmentShift+s.last, r.page); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

func segmentsOf(ctx context.Context, q reader) (list []segment, err error) {
	var block []byte
	err = q.QueryRowContext(ctx, `SELECT block FROM search_data WHERE id = ?`, structureRow).Scan(&block)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errIndexFormat
	}
	if err != nil {
		return nil, err
	}
	const cookie = 4
	if len(block) < cookie+len(structureV2) || string(block[cookie:cookie+len(structureV2)]) != structureV2 {
		return nil, errIndexFormat
	}
	v := varints{b: block[cookie+len(structureV2):]}
	levels := v.next()
	v.skip(2) // segments of all levels, writes
	for range levels {
		v.skip(1) // merged segments
		for range v.next() {
			s := segment{id: v.next(), first: v.next(), last: v.next()}
			v.skip(2) // origins
			s.tombstones = v.next()
			v.skip(2) // deleted and all rows
			if v.bad {
				return nil, errIndexFormat
			}
			list = append(list, s)
		}
	}
	if v.bad {
		return nil, errIndexFormat
	}
	return list, nil
}

// deleted returns the rows up to last that were deleted from the segment, nil if
// none was. They are in pages of a hash table, in which 0 is no row.
func (s segment) deleted(ctx context.Context, q reader, last int64) (bitmap, error) {
	if s.tombstones == 0 {
		return nil, nil
	}
	rows, err := newBitmap(last)
	if err != nil {
		return nil, err
	}
	base := (s.id + tombstoneBase) << segmentShift
	return rows, readPages(ctx, q, base, base+s.tombstones-1, func(b []byte) (bool, error) {
		const header = 8
		if len(b) < header {
			return false, errIndexFormat
		}
		small := b[0] == 4
		for b = b[header:]; len(b) >= 8 || small && len(b) >= 4; {
			if small {
				rows.add(int64(binary.BigEndian.Uint32(b)))
				b = b[4:]
			} else {
				rows.add(int64(binary.BigEndian.Uint64(b)))
				b = b[8:]
			}
		}
		return true, nil
	})
}

var errEnough = errors.New("enough was read")

// readPages reads pages of the index until take returns false.
func readPages(ctx context.Context, q reader, first, last int64, take func([]byte) (more bool, err error)) error {
	return readBlocks(ctx, q, func(_, _ int64, block []byte) error {
		more, err := take(block)
		if err == nil && !more {
			err = errEnough
		}
		return err
	}, `SELECT 0, id, block FROM search_data WHERE id BETWEEN ? AND ? ORDER BY id`, first, last)
}

func readBlocks(ctx context.Context, q reader, take func(key, id int64, block []byte) error, query string, args ...any) error {
	type blocks struct{ key, id int64 }
	var block sql.RawBytes
	for b, err := range each(ctx, q, "read the full-text index", func(row scanner) (b blocks, err error) {
		err = row.Scan(&b.key, &b.id, &block)
		return b, err
	}, query, args...) {
		if err == nil {
			err = take(b.key, b.id, block)
		}
		if err == errEnough {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leafReader reads the pages of a segment one after the other.
type leafReader struct {
	want func(term []byte) (wanted, more bool)
	add  func(row int64) // of the last wanted term

	term   []byte // the last one read
	wanted bool   // its rows are
}

// page reads a page: the rest of the list of rows of the last term, then terms,
// each with its list. The offsets of the terms are at the end of the page.
func (l *leafReader) page(b []byte) (more bool, err error) {
	const header = 4
	if len(b) < header {
		return false, errIndexFormat
	}
	end := int(binary.BigEndian.Uint16(b[2:]))
	if end < header || end > len(b) {
		return false, errIndexFormat
	}
	offsets := varints{b: b[end:]}
	next := func(at int) int { // the offset of the next term, else the end
		if len(offsets.b) == 0 {
			return end
		}
		if at += int(offsets.next()); offsets.bad || at < header || at > end {
			offsets.bad, at = true, end
		}
		return at
	}
	at := next(0)
	if err := l.rows(b[header:at]); err != nil {
		return false, err
	}
	for first := true; at < end; first = false {
		following := next(at)
		if offsets.bad || following < at {
			return false, errIndexFormat
		}
		v := varints{b: b[at:following]}
		keep := int64(0)
		if !first {
			keep = v.next()
		}
		length := v.next()
		if v.bad || keep < 0 || keep > int64(len(l.term)) || length < 0 || length > int64(len(v.b)) {
			return false, errIndexFormat
		}
		l.term = append(l.term[:keep], v.b[:length]...)
		if l.wanted, more = l.want(l.term); !more {
			return false, nil
		}
		if err := l.rows(v.b[length:]); err != nil {
			return false, err
		}
		at = following
	}
	return true, nil
}

// rows adds the rows of a list, or of the part of one that is on a page: the first
// one as it is, others as their distance from the one before.
func (l *leafReader) rows(b []byte) error {
	if !l.wanted {
		return nil
	}
	row := int64(0)
	for v := (varints{b: b}); len(v.b) > 0; {
		distance := v.next()
		if v.bad || distance <= 0 {
			return errIndexFormat
		}
		row += distance
		l.add(row)
	}
	return nil
}

// varints reads the numbers of SQLite: seven bits a byte, the highest first, nine
// bytes at most.
type varints struct {
	b   []byte
	bad bool // they ended too early
}

func (v *varints) next() int64 {
	var n uint64
	for i, c := range v.b {
		if i == 8 {
			v.b = v.b[9:]
			return int64(n<<8 | uint64(c))
		}
		n = n<<7 | uint64(c&0x7f)
		if c < 0x80 {
			v.b = v.b[i+1:]
			return int64(n)
		}
	}
	v.bad, v.b = true, nil
	return 0
}

func (v *varints) skip(n int) {
	for range n {
		v.next()
	}
}
