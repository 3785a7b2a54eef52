package sync

import (
	"errors"
	"hash/maphash"
	"slices"
)

// errGap takes back a page that does not follow the one before it.
var errGap = errors.New("the page does not follow the one before it")

// walk decides where the reading of a list goes next. Records may be added and
// removed meanwhile: a page begins with a record of the one before it, else
// removals have opened a gap between them, and the walk goes back to where it
// was. What was added only makes it read some records twice.
type walk struct {
	skip    int     // the next page
	size    int     // records asked for in a page
	full    int     // most records that a page is known to hold; 0 is unknown
	overlap int     // records that the next page should repeat
	uneven  bool    // pages that are not full do not end the list
	before  page    // the page read last, unless the walk has gone back since
	read    readSet // what it has read, from wherever it began
	back    int     // how far the last step back went
	moved   bool    // the list was seen to move
	repeats int     // pages in a row that were the one before them, and brought nothing
	barren  int     // records in a row that brought nothing: the list has begun again
	end     bool

	unordered bool // the order changes between requests: going back would not help
	turned    bool // a page had a record that was read before below one that was not
	mixed     bool // and then came another new one: no list in order does that
}

// reach is how many places or different records the walk has come to. One that is
// sent back again and again comes to no place.
func (w *walk) reach() int { return max(w.skip, len(w.read)) }

// leap goes to a place that an earlier run has come to.
func (w *walk) leap(skip int) {
	w.overlap, w.before, w.read = min(1, w.size-1), page{}, nil
	if w.unordered {
		w.overlap = w.size / 2
	}
	w.skip = max(0, skip-w.overlap)
}

// step takes in the page at skip, and moves on to the next. It returns false
// if it had to go back.
func (w *walk) step(p page) bool {
	w.compareOrder(p)
	if w.gap(p) {
		return false
	}
	w.moved = w.moved || (w.skip > 0 && p.unseen > 0 && p.received-p.unseen > w.overlap)
	w.repeats++
	if p.unseen > 0 || !slices.Equal(p.ids, w.before.ids) {
		w.repeats = 0
	}
	if w.read == nil {
		w.read = make(readSet)
	}
	for _, id := range p.ids {
		w.read.add(id)
	}
	w.barren += p.received
	if p.unseen > 0 {
		w.barren, w.back = 0, 0
	}
	w.end = p.received == 0 || w.repeats > 1 || w.barren > 100+2*len(w.read)
	if w.full == 0 {
		w.full = w.size
	}
	// After a page that is not full there is probably nothing more to repeat it.
	w.overlap = 0
	if w.uneven || p.received >= w.full {
		w.overlap = w.overlapOf(p)
	}
	w.full = max(w.full, p.received)
	w.skip += max(1, p.received-p.twice()-w.overlap)
	w.before = p
	return true
}

// gap goes back if a page does not follow the one before it.
func (w *walk) gap(p page) bool {
	switch {
	case w.skip == 0, w.joins(p), w.back > 64*w.size:
		return false
	case w.unordered:
		w.mixed = w.mixed || (w.overlap > 0 && w.before.received > 0)
		return false
	case w.overlap > 0:
		w.moved, w.back = true, max(2*w.back, 4*w.overlap)
		w.skip = max(0, w.skip-w.back)
	case p.received > 0 && w.before.received > 1:
		// The list goes on after a page that was not full.
		w.uneven = true
		w.skip--
	default:
		return false
	}
	w.overlap, w.before, w.barren = 1, page{}, 0
	return true
}

// compareOrder looks for a record that was read before and now stands below one
// that was not. Records added at the top only shift a list: those read before come
// first on a page. A list that begins again at its end shows nothing new after that.
func (w *walk) compareOrder(p page) {
	if w.before.received == 0 { // nothing was read, or the walk has gone back since
		return
	}
	unread := false
	for _, id := range p.ids {
		if known := w.read.has(id); known {
			w.turned = w.turned || unread
		} else {
			unread, w.mixed = true, w.mixed || w.turned
		}
	}
}

// joins reports whether a page begins with a record that the walk has read; or
// the one of an earlier run that it goes on with.
func (w *walk) joins(p page) bool {
	if w.read == nil || len(p.ids) == 0 {
		return p.joins
	}
	return w.read.has(p.ids[0])
}

// readSet is a set of ids, kept as hashes: a list may have a million. That two
// ids share a hash (one chance in ten million for such a list) could at most hide
// one gap.
type readSet map[uint64]struct{}

var seed = maphash.MakeSeed()

func (r readSet) add(id string) { r[maphash.String(seed, id)] = struct{}{} }

func (r readSet) has(id string) bool {
	_, ok := r[maphash.String(seed, id)]
	return ok
}

func (r readSet) hasAll(ids map[string]bool) bool {
	for id := range ids {
		if !r.has(id) {
			return false
		}
	}
	return true
}

// mayEnd reports whether an error may mean that the list has no such place: if
// nothing said that a record is there, or removals may have moved it.
func (w *walk) mayEnd() bool {
	return w.skip > 0 && (w.overlap == 0 || w.back <= 4*w.size)
}

// twice is how many elements of a page repeat another one of it. They may not
// count as places of the list.
func (p page) twice() int {
	ids := make(map[string]bool)
	for _, id := range p.ids {
		ids[id] = true
	}
	return len(p.ids) - len(ids)
}

// overlapOf is how many records of a page the next one repeats. Without an order
// each place is read twice in a pass, which finds more.
func (w *walk) overlapOf(p page) int {
	if w.unordered {
		return p.received / 2
	}
	return min(2, p.received/2, 1+p.received/20)
}
