package archive

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
)

// This file reads the full-text index of SQLite (FTS5) from its tables. Its file
// format is fixed: ext/fts5/fts5_index.c describes it. A query through FTS5 itself
// merges the positions of all words with the same beginning, which a search has
// no use for: answering a common word of 20,000 texts took 10 ms that way, and
// takes 3 this way. Whatever is not as expected is left to FTS5.

// errIndexFormat says that the index is not of the form that is read here.
var errIndexFormat = errors.New("unexpected form of the full-text index")

// segment is a part of the index: pages in the order of their words.
type segment struct {
	id, first, last int64
	tombstones      int64 // pages that name rows deleted from it
}

const (
	structureRow  = 10                 // of search_data
	structureV2   = "\xff\x00\x00\x01" // with deleted rows
	segmentShift  = 37                 // of a segment's number in the number of a page
	tombstoneBase = 1 << 16            // of a segment's number for pages of deleted rows
	mainIndex     = '0'                // begins the words; '1' and '2' begin beginnings of 2 and 3 letters
)

// readable reports whether words stand in the index as they are here. FTS5 would
// divide or fold some others.
func readable(words []string) bool {
	for _, word := range words {
		if len(word) > 100 {
			return false
		}
		for _, b := range []byte(word) {
			if (b < 'a' || b > 'z') && (b < '0' || b > '9') {
				return false
			}
		}
	}
	return true
}

// postings returns the rows up to last of texts that hold all words, the last one
// perhaps as the beginning of one.
func (r *Reader) postings(ctx context.Context, words []string, beginning bool, last int64) (all bitmap, err error) {
	segments, err := r.segments(ctx)
	if err != nil {
		return nil, err
	}
	for i, word := range words {
		key, prefix := string(rune(mainIndex))+word, false
		if i == len(words)-1 && beginning {
			if len(word) <= 3 {
				key = strconv.Itoa(len(word)-1) + word
			} else {
				prefix = true
			}
		}
		found := newBitmap(last)
		for _, s := range segments {
			if err := r.segmentPostings(ctx, s, []byte(key), prefix, found); err != nil {
				return nil, err
			}
		}
		if i > 0 {
			found.and(all)
		}
		all = found
	}
	return all, nil
}

func (r *Reader) segments(ctx context.Context) (list []segment, err error) {
	var block []byte
	if err := r.kept.QueryRowContext(ctx, `SELECT block FROM search_data WHERE id = ?`, structureRow).Scan(&block); err != nil {
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

// segmentPostings adds the rows of a word, or of all that begin so, in a segment.
func (r *Reader) segmentPostings(ctx context.Context, s segment, key []byte, prefix bool, into bitmap) error {
	page := s.first
	var found int64
	err := r.kept.QueryRowContext(ctx, `SELECT pgno FROM search_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1`, s.id, key).Scan(&found)
	if err == nil {
		page = max(page, found>>1)
	} else if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	reader := leafReader{key: key, prefix: prefix, into: into}
	if s.tombstones > 0 {
		reader.into = newBitmap(into.last())
	}
	if err := r.pages(ctx, s.id<<segmentShift+page, s.id<<segmentShift+s.last, reader.page); err != nil || s.tombstones == 0 {
		return err
	}
	base := (s.id + tombstoneBase) << segmentShift
	if err := r.pages(ctx, base, base+s.tombstones-1, func(b []byte) (bool, error) { return true, removeDeleted(b, reader.into) }); err != nil {
		return err
	}
	into.or(reader.into)
	return nil
}

// pages reads pages of the index until take returns false.
func (r *Reader) pages(ctx context.Context, first, last int64, take func([]byte) (more bool, err error)) error {
	rows, err := r.kept.QueryContext(ctx, `SELECT block FROM search_data WHERE id BETWEEN ? AND ? ORDER BY id`, first, last)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var block sql.RawBytes
		if err := rows.Scan(&block); err != nil {
			return err
		}
		if more, err := take(block); err != nil || !more {
			return err
		}
	}
	return rows.Err()
}

// removeDeleted takes the rows out that a page of deleted rows names: a hash
// table, in which 0 is no row.
func removeDeleted(b []byte, from bitmap) error {
	const header = 8
	if len(b) < header {
		return errIndexFormat
	}
	small := b[0] == 4
	for b = b[header:]; len(b) >= 8 || small && len(b) >= 4; {
		if small {
			from.remove(int64(binary.BigEndian.Uint32(b)))
			b = b[4:]
		} else {
			from.remove(int64(binary.BigEndian.Uint64(b)))
			b = b[8:]
		}
	}
	return nil
}

// leafReader reads the pages of a segment one after the other.
type leafReader struct {
	key    []byte
	prefix bool
	into   bitmap

	term   []byte // the last one read
	wanted bool   // its rows are
	left   int64  // bytes of positions that go on on the next page
}

// page reads a page: the rest of the list of rows of the last word, then words,
// each with its list. The offsets of the words stand at the end of the page.
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
	next := func(at int) int { // the offset of the next word, else the end
		if len(offsets.b) == 0 {
			return end
		}
		if at += int(offsets.next()); offsets.bad || at < header || at > end {
			offsets.bad, at = true, end
		}
		return at
	}
	at := next(0)
	if l.wanted {
		if err := l.rows(b[header:at]); err != nil {
			return false, err
		}
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
		l.left = 0
		l.wanted = bytes.Equal(l.term, l.key) || l.prefix && bytes.HasPrefix(l.term, l.key)
		if l.wanted {
			if err := l.rows(v.b[length:]); err != nil {
				return false, err
			}
		} else if bytes.Compare(l.term, l.key) > 0 {
			return false, nil
		}
		at = following
	}
	return true, nil
}

// rows adds the rows of a list, or of the part of one that is on a page: the first
// one as it is, others as their distance from the one before, each followed by
// the size of its positions, doubled, and these.
func (l *leafReader) rows(b []byte) error {
	if l.left >= int64(len(b)) {
		l.left -= int64(len(b))
		return nil
	}
	v := varints{b: b[l.left:]}
	row := int64(0)
	for l.left = 0; len(v.b) > 0; {
		row += v.next()
		size := v.next()
		if v.bad || size < 0 || size&1 != 0 { // a deletion as older forms have it
			return errIndexFormat
		}
		l.into.add(row)
		if size /= 2; size > int64(len(v.b)) {
			l.left = size - int64(len(v.b))
			return nil
		}
		v.b = v.b[size:]
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

// bitmap is a set of rows from 1 up to the one that it was made for.
type bitmap []uint64

func newBitmap(last int64) bitmap { return make(bitmap, last/64+1) }

func (b bitmap) last() int64 { return int64(len(b))*64 - 1 }

// add adds a row. Those beyond the last are of no interest.
func (b bitmap) add(row int64) {
	if i := uint64(row) / 64; i < uint64(len(b)) {
		b[i] |= 1 << (row & 63)
	}
}

func (b bitmap) remove(row int64) {
	if i := uint64(row) / 64; i < uint64(len(b)) {
		b[i] &^= 1 << (row & 63)
	}
}

func (b bitmap) has(row int64) bool {
	i := uint64(row) / 64
	return i < uint64(len(b)) && b[i]&(1<<(row&63)) != 0
}

func (b bitmap) and(other bitmap) {
	for i := range b {
		b[i] &= other[i]
	}
}

func (b bitmap) or(other bitmap) {
	for i := range b {
		b[i] |= other[i]
	}
}

// found returns the rows of hits as [Reader.postings] does, by whatever way the
// engine has.
func (r *Reader) found(ctx context.Context, words []string, beginning bool, last int64) (bitmap, error) {
	const most = 1 << 31 // which no archive has, but one that was tampered with
	if last > most {
		return nil, fmt.Errorf("%w: a row has the number %d", ErrDamaged, last)
	}
	if _, own := r.engine.(*sqlite); own && readable(words) {
		found, err := r.postings(ctx, words, beginning, last)
		if !errors.Is(err, errIndexFormat) {
			return found, err
		}
	}
	condition, arg := r.engine.holds(words, beginning)
	rows, err := scanRows(r.kept.QueryContext(ctx, `SELECT rowid FROM search WHERE `+condition, arg))
	found := newBitmap(last)
	for _, row := range rows {
		found.add(row)
	}
	return found, err
}
