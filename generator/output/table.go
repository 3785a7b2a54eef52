package output

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"strings"
)

// entry is what is known of a file's bytes.
type entry struct {
	key  Key
	sum  [32]byte // SHA-256 of the bytes
	size int64
}

// unknownSize is the size of files that may be from before or after an aborted
// build.
const unknownSize = -1

// lingering is the key of a file that is not part of the site any more, and
// stays until the next build that changes something.
var lingering = Key{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

// standIn is the key of a file that stands in for one that cannot be rendered.
var standIn = NewDigest("stand-in").Key()

// id stands for a path in this process, so that no tree's paths need be held.
// Nobody can choose paths that share one, since the seeds are not known before;
// among a million, two do by chance in one of 10¹² builds.
type id [10]byte

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func idOf(path string) id {
	return newID(maphash.String(seeds[0], path), maphash.String(seeds[1], path))
}

func idOfBytes(path []byte) id {
	return newID(maphash.Bytes(seeds[0], path), maphash.Bytes(seeds[1], path))
}

func newID(a, b uint64) (i id) {
	binary.NativeEndian.PutUint64(i[:], a)
	binary.NativeEndian.PutUint16(i[8:], uint16(b))
	return i
}

// table is what is known of every path, in about 80 bytes for each. Nothing in
// it is a pointer, so that the garbage collector does not look through it.
//
// It has no lock. Rows are added by one goroutine at a time: that which loads
// the manifests, and then that which claims paths. A row belongs to the worker
// that decides about its path, and what is left of the build only looks it up.
type table struct {
	index []uint32    // numbers of rows from 1, at or after their places; 0 is free
	rows  chunks[row] // in the order in which they came
	works chunks[entry]
	folds map[id]struct{} // paths in small letters of those that have others
}

// row is what is known of a path.
type row struct {
	id      id
	claimed bool // a file of the site has the path
	marks   marks
	work    uint32 // number from 1 of what the work tree has, where that is something else
	entry   entry  // what the published tree has, or the work tree if that has not; once decided, what the next has
}

// marks are what is known of a path beside its bytes: in the lowest bits its
// fate.
type marks uint8

const (
	inServed marks = 1 << (iota + 2) // the published tree's manifest has it
	inWork                           // the work tree's manifest has it
	found                            // the file is in the work tree, as it should be
)

// fate is what has been decided about a path.
type fate uint8

const (
	undecided fate = iota
	kept           // its bytes are those of the published tree
	placed         // its bytes are in the work tree

	fateBits = 1<<2 - 1
)

func newTable() *table {
	return &table{index: make([]uint32, 1<<8), folds: make(map[id]struct{})}
}

// find returns what is known of a path, nil if nothing is.
func (t *table) find(i id) *row {
	r, _ := t.at(i)
	return r
}

// at returns the row of a path, or the place in the index for one.
func (t *table) at(i id) (*row, int) {
	place, tag, mask := t.place(i)
	for ; ; place = (place + 1) & mask {
		n := t.index[place]
		if n == 0 {
			return nil, int(place)
		}
		if n&^mask != tag {
			continue
		}
		if r := t.rows.at(n&mask - 1); r.id == i {
			return r, int(place)
		}
	}
}

// place returns where in the index a path is to be looked for, and what stands
// there above the bits of the row's number: most rows of other paths need not
// be looked at.
func (t *table) place(i id) (place, tag, mask uint32) {
	mask = uint32(len(t.index) - 1)
	return binary.NativeEndian.Uint32(i[:]) & mask, binary.NativeEndian.Uint32(i[4:]) &^ mask, mask
}

// add returns the row of a path, which it makes if there is none.
func (t *table) add(i id) *row {
	r, place := t.at(i)
	if r != nil {
		return r
	}
	if 3*t.rows.len() >= 2*len(t.index) {
		t.grow()
		_, place = t.at(i)
	}
	r = t.rows.add()
	r.id = i
	_, tag, _ := t.place(i)
	t.index[place] = tag | uint32(t.rows.len())
	return r
}

func (t *table) grow() {
	t.index = make([]uint32, 2*len(t.index))
	for n := range t.rows.len() {
		place, tag, mask := t.place(t.rows.at(uint32(n)).id)
		for t.index[place] != 0 {
			place = (place + 1) & mask
		}
		t.index[place] = tag | uint32(n+1)
	}
}

// loadServed takes in what the published tree's manifest says of a path.
func (t *table) loadServed(i id, e entry) {
	r := t.add(i)
	work, ok := t.work(r)
	r.entry, r.marks = e, r.marks|inServed
	if ok {
		t.setWork(r, work)
	}
}

// loadWork takes in what the work tree's manifest says of a path.
func (t *table) loadWork(i id, e entry) { t.setWork(t.add(i), e) }

// loadBoth takes in what both say.
func (t *table) loadBoth(i id, e entry) {
	r := t.add(i)
	r.entry, r.marks, r.work = e, inServed|inWork, 0
}

func (t *table) setWork(r *row, e entry) {
	r.marks |= inWork
	switch {
	case r.marks&inServed == 0:
		r.entry = e
	case r.work != 0:
		*t.works.at(r.work - 1) = e
	case r.entry != e:
		*t.works.add() = e
		r.work = uint32(t.works.len())
	}
}

// forgetWork takes back what loadWork took in.
func (t *table) forgetWork() {
	for n := range t.rows.len() {
		r := t.rows.at(uint32(n))
		r.marks, r.work = r.marks&^inWork, 0
	}
	t.works = chunks[entry]{}
}

// work returns what the work tree's manifest says of a path, if anything.
func (t *table) work(r *row) (entry, bool) {
	switch {
	case r.marks&inWork == 0:
		return entry{}, false
	case r.work == 0:
		return r.entry, true
	}
	return *t.works.at(r.work - 1), true
}

// same reports whether both trees have the same bytes under a path that is
// kept.
func (t *table) same(r *row) bool {
	work, ok := t.work(r)
	return ok && work.sum == r.entry.sum
}

// claim marks a path as one of the site. No two may differ in the case of
// letters only: on some file systems they are one.
func (t *table) claim(path string) (*row, error) {
	i := idOf(path)
	small := i
	if lower := strings.ToLower(path); lower != path {
		small = idOf(lower)
	}
	r := t.add(i)
	_, folded := t.folds[small]
	if small != i && !folded {
		other := t.find(small)
		folded = other != nil && other.claimed
	}
	if r.claimed || folded {
		return nil, fmt.Errorf("two files claim the address %s", path)
	}
	if small != i {
		t.folds[small] = struct{}{}
	}
	r.claimed = true
	return r, nil
}

func (r *row) fate() fate       { return fate(r.marks & fateBits) }
func (r *row) has(m marks) bool { return r.marks&m != 0 }
func (r *row) mark(m marks)     { r.marks |= m }
func (r *row) isStranger() bool { return r == nil || !r.has(inServed) && r.fate() == undecided }
func (r *row) is(f fate) bool   { return r != nil && r.fate() == f }
func (r *row) served() (e entry, ok bool) {
	if ok = r.has(inServed); ok {
		e = r.entry
	}
	return e, ok
}

// decide settles what becomes of a path.
func (r *row) decide(f fate, e entry) {
	r.marks = r.marks&^fateBits | marks(f)
	r.entry = e
}
