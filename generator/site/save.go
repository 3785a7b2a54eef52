package site

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// Saver writes lists, each behind its length.
type Saver struct {
	w      io.Writer
	buffer []byte
	err    error
}

// NewSaver returns a Saver that writes to w.
func NewSaver(w io.Writer) *Saver { return &Saver{w: w} }

// Err returns the first error of writing.
func (s *Saver) Err() error { return s.err }

func (s *Saver) write(b []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(b)
	}
}

// Bytes writes bytes.
func (s *Saver) Bytes(b []byte) {
	s.write(binary.LittleEndian.AppendUint64(nil, uint64(len(b))))
	s.write(b)
}

// portion is the number of list elements that are converted at once.
const portion = 8192

// Numbers writes n numbers.
func (s *Saver) Numbers(n int, at func(i int) uint64) {
	s.buffer = binary.LittleEndian.AppendUint64(s.buffer[:0], uint64(n))
	for i := range n {
		if len(s.buffer) >= 8*portion {
			s.write(s.buffer)
			s.buffer = s.buffer[:0]
		}
		s.buffer = binary.LittleEndian.AppendUint64(s.buffer, at(i))
	}
	s.write(s.buffer)
}

// Loader reads what a [Saver] wrote. What it read is only valid if a checksum proves it.
type Loader struct {
	r      io.Reader
	left   int64
	buffer []byte
	err    error
}

// NewLoader returns a Loader that reads size bytes from r.
func NewLoader(r io.Reader, size int64) *Loader { return &Loader{r: r, left: size} }

var errShort = errors.New("the file is not what was written")

// End returns the first error of reading, or one if not all bytes were read.
func (l *Loader) End() error {
	if l.err == nil && l.left != 0 {
		l.err = errShort
	}
	return l.err
}

func (l *Loader) read(b []byte) {
	if l.left -= int64(len(b)); l.left < 0 && l.err == nil {
		l.err = errShort
	}
	if l.err == nil {
		_, l.err = io.ReadFull(l.r, b)
	}
}

// length reads a length; it is 0 after an error, and never more than the bytes that are left.
func (l *Loader) length(size int64) int {
	var b [8]byte
	l.read(b[:])
	n := binary.LittleEndian.Uint64(b[:])
	if l.err == nil && n > uint64(l.left/size) {
		l.err = errShort
	}
	if l.err != nil {
		return 0
	}
	return int(n)
}

// Bytes reads bytes.
func (l *Loader) Bytes() []byte {
	b := make([]byte, l.length(1))
	l.read(b)
	return b
}

// Numbers reads numbers. It calls begin with how many there are, and then set for each.
func (l *Loader) Numbers(begin func(n int), set func(i int, number uint64)) {
	n := l.length(8)
	begin(n)
	l.buffer = slices.Grow(l.buffer[:0], 8*portion)[:8*portion]
	for i := 0; i < n && l.err == nil; {
		b := l.buffer[:8*min(portion, n-i)]
		if l.read(b); l.err != nil {
			return
		}
		for ; len(b) > 0; b = b[8:] {
			set(i, binary.LittleEndian.Uint64(b))
			i++
		}
	}
}

// column is a part of an item in memory that is saved as a list of numbers.
type column struct {
	get func(*record) uint64
	set func(*record, uint64)
}

// columns are those of an item before [Site.Seal]. Two small numbers share one.
var columns = []column{
	{func(r *record) uint64 { return uint64(r.row) }, func(r *record, n uint64) { r.row = int64(n) }},
	{func(r *record) uint64 { return uint64(r.order) }, func(r *record, n uint64) { r.order = int64(n) }},
	{func(r *record) uint64 { return uint64(r.modified) }, func(r *record, n uint64) { r.modified = int64(n) }},
	{func(r *record) uint64 { return r.ref.url }, func(r *record, n uint64) { r.ref.url = n }},
	{func(r *record) uint64 { return r.ref.id }, func(r *record, n uint64) { r.ref.id = n }},
	{func(r *record) uint64 { return r.shown }, func(r *record, n uint64) { r.shown = n }},
	{func(r *record) uint64 { return r.named }, func(r *record, n uint64) { r.named = n }},
	{func(r *record) uint64 { return r.text }, func(r *record, n uint64) { r.text = n }},
	{func(r *record) uint64 { return r.content }, func(r *record, n uint64) { r.content = n }},
	{func(r *record) uint64 { return pair(r.name, r.tags) }, func(r *record, n uint64) { r.name, r.tags = halves(n) }},
	{func(r *record) uint64 { return pair(r.refs, r.folder) }, func(r *record, n uint64) { r.refs, r.folder = halves(n) }},
	{func(r *record) uint64 { return pair(r.byline, uint32(r.kind)<<8|uint32(r.flags)) }, func(r *record, n uint64) {
		byline, rest := halves(n)
		r.byline, r.kind, r.flags = byline, uint8(rest>>8), uint8(rest)
	}},
}

func pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

func halves(n uint64) (a, b uint32) { return uint32(n >> 32), uint32(n) }

// Save writes the items in their present order, with their former addresses. It must be called
// before [Collection.BuildIndex].
func (c *Collection) Save(s *Saver) {
	for _, column := range columns {
		s.Numbers(len(c.records), func(i int) uint64 { return column.get(&c.records[i]) })
	}
	rows := make([]int64, 0, len(c.published))
	for row := range c.published {
		rows = append(rows, row)
	}
	s.Numbers(len(rows), func(i int) uint64 { return uint64(rows[i]) })
	s.Numbers(len(rows), func(i int) uint64 { return uint64(c.published[rows[i]]) })
	s.Bytes(c.names)
	lists := len(c.lists)
	s.Numbers(1, func(int) uint64 { return uint64(lists) })
	s.Numbers((lists+1)/2, func(i int) uint64 {
		if 2*i+1 == lists {
			return pair(c.lists[2*i], 0)
		}
		return pair(c.lists[2*i], c.lists[2*i+1])
	})
	s.Numbers(len(c.refs), func(i int) uint64 { return c.refs[i].url })
	s.Numbers(len(c.refs), func(i int) uint64 { return c.refs[i].id })
	s.Numbers(len(c.formers), func(i int) uint64 { return uint64(c.formers[i].row) })
	s.Numbers(len(c.formers), func(i int) uint64 { return c.formers[i].key })
	s.Numbers(len(c.formers), func(i int) uint64 { return c.formers[i].short })
}

// LoadCollection reads what [Collection.Save] wrote.
func LoadCollection(l *Loader) Collection {
	var c Collection
	for at, column := range columns {
		l.Numbers(func(n int) {
			if at == 0 {
				c.records = make([]record, n, n+n/32+64) // some are added
			}
			l.expect(n, len(c.records))
		}, func(i int, number uint64) { column.set(&c.records[i], number) })
	}
	var rows []int64
	l.Numbers(func(n int) { rows, c.published = make([]int64, n), make(map[int64]int64, n) }, func(i int, row uint64) { rows[i] = int64(row) })
	l.Numbers(func(n int) { l.expect(n, len(rows)) }, func(i int, published uint64) { c.published[rows[i]] = int64(published) })
	c.names = l.Bytes()
	lists := 0
	l.Numbers(func(n int) { l.expect(n, 1) }, func(_ int, number uint64) { lists = int(number) })
	l.Numbers(func(n int) {
		l.expect(n, (lists+1)/2)
		c.lists = make([]uint32, 2*n)
	}, func(i int, number uint64) { c.lists[2*i], c.lists[2*i+1] = halves(number) })
	if l.err == nil {
		c.lists = c.lists[:lists]
	}
	l.Numbers(func(n int) { c.refs = make([]Ref, n) }, func(i int, number uint64) { c.refs[i].url = number })
	l.Numbers(func(n int) { l.expect(n, len(c.refs)) }, func(i int, number uint64) { c.refs[i].id = number })
	l.Numbers(func(n int) { c.formers = make([]former, n) }, func(i int, number uint64) { c.formers[i].row = int64(number) })
	l.Numbers(func(n int) { l.expect(n, len(c.formers)) }, func(i int, number uint64) { c.formers[i].key = number })
	l.Numbers(func(n int) { l.expect(n, len(c.formers)) }, func(i int, number uint64) { c.formers[i].short = number })
	return c
}

// expect notes an error if a list has another length than those beside it.
func (l *Loader) expect(n, want int) {
	if n != want && l.err == nil {
		l.err = errShort
	}
}
