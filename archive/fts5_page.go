package archive

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
)

// This file reads the pages of FTS5's own tables, whose format is fixed and
// described in ext/fts5/fts5_index.c.

var errIndexFormat = fmt.Errorf("%w: the full-text index has an unexpected format", ErrDamaged)

// segment is a part of the index: pages in the order of their terms.
type segment struct {
	id, first, last int64
	deleted         bitmap // rows that were deleted from it, nil for none
}

const (
	structureRow  = 10                 // of search_data
	structureV2   = "\xff\x00\x00\x01" // with deleted rows
	segmentShift  = 37                 // of a segment's number in the number of a page
	tombstoneBase = 1 << 16            // of a segment's number for pages of deleted rows
)

// segmentsOf returns the segments of the index, whose rows go up to last.
func segmentsOf(ctx context.Context, q reader, last int64) (list []segment, err error) {
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
			tombstones := v.next()
			v.skip(2) // deleted and all rows
			if v.bad {
				return nil, errIndexFormat
			}
			if s.deleted, err = deletedRows(ctx, q, s.id, tombstones, last); err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	if v.bad {
		return nil, errIndexFormat
	}
	return list, nil
}

// deletedRows returns the rows up to last that were deleted from a segment, nil for
// none. They are in the pages of a hash table whose empty slots are 0.
func deletedRows(ctx context.Context, q reader, segment, pages, last int64) (bitmap, error) {
	if pages == 0 {
		return nil, nil
	}
	rows, err := newBitmap(last)
	if err != nil {
		return nil, err
	}
	base := (segment + tombstoneBase) << segmentShift
	return rows, readPages(ctx, q, base, base+pages-1, func(b []byte) (bool, error) {
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

// page is a page of the index.
type page struct {
	segment int64 // of a list of segments
	id      int64
	block   sql.RawBytes // until the next page is read
}

func pages(ctx context.Context, q reader, query string, args ...any) iter.Seq2[page, error] {
	return each(ctx, q, "read the full-text index", func(row scanner) (p page, err error) {
		err = row.Scan(&p.segment, &p.id, &p.block)
		return p, err
	}, query, args...)
}

// readPages reads pages of the index until take returns false.
func readPages(ctx context.Context, q reader, first, last int64, take func([]byte) (more bool, err error)) error {
	for p, err := range pages(ctx, q, `SELECT 0, id, block FROM search_data WHERE id BETWEEN ? AND ? ORDER BY id`, first, last) {
		if err != nil {
			return err
		}
		if more, err := take(p.block); err != nil || !more {
			return err
		}
	}
	return nil
}

// leafReader reads the pages of a segment in order.
type leafReader struct {
	want    func(term []byte) (wanted, more bool)
	deleted bitmap          // rows that are left out
	add     func(row int64) // of the last wanted term

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
		if !l.deleted.has(row) {
			l.add(row)
		}
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
