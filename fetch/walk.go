package fetch

import (
	"errors"
	"hash/maphash"
	"slices"

	"ayna/record"
)

// errGap discards a page that does not follow the one before it.
var errGap = errors.New("the page does not follow the one before it")

// page sums up one page of a list. A pass has seen a search hit if any run has stored it
// for that search: hits have no number of a pass.
type page struct {
	pass     int            // number of the pass, see [archive.Record.Pass]
	received int            // elements of any kind
	last     bool           // the source knows that none follow
	ids      []string       // of its records, in order
	joins    bool           // the page begins with a record that the pass has seen before, that has no id, or that is left
	unseen   int            // records that the pass had not seen
	left     []string       // ids of records that are not stored: hidden, forgotten, or of kinds that are not read
	known    int            // records that were in the archive before the pass
	added    int            // records that are new to the archive
	changed  int            // records that have changed
	same     map[int64]bool // rows of records whose pass alone has changed
	due      []int64        // rows of unseen records whose single record is due
	counts   map[record.Kind]pageCount
}

// pageCount counts the records of one kind on a page.
type pageCount struct {
	added, changed, same int
	seen                 int // of same: those that the pass has seen before
}

// walk decides which page of a list to read next, while records are added and removed.
// Each page must begin with a record of the page before it. If it does not, removals
// have opened a gap between the two, and the walk goes back. Additions only make it
// read some records twice.
type walk struct {
	skip       int     // $skip of the next page
	size       int     // $top
	fullPage   int     // most records of a page so far; 0 is unknown
	overlap    int     // records that the next page should repeat
	shortPages bool    // pages that are not full do not end the list
	before     page    // the latest page, unless the walk has gone back since
	read       readSet // ids that it has read since it began
	left       readSet // those of them that are not stored
	back       int     // positions that the last step back went
	shifted    bool    // records have left or entered the list meanwhile
	repeats    int     // pages in a row that equal the one before them, without new records
	dryRun     int     // records in a row that are not new; too many show that the list has begun again
	end        bool    // the list is read to its end
	fromTop    bool    // it began at the top of the list

	unordered bool // the order changes between requests, so the walk never goes back
	turned    bool // a page had a known record after an unknown one
	mixed     bool // and then another unknown one: the list has no stable order
}

// reach returns how far the walk has come, in positions or in different records, whichever
// is more: a walk that keeps going back makes no progress in positions.
func (w *walk) reach() int { return max(w.skip, len(w.read)) }

// seek goes to a position that an earlier run has reached.
func (w *walk) seek(skip int) {
	w.overlap, w.before, w.read = min(1, w.size-1), page{}, nil
	if w.unordered {
		w.overlap = w.size / 2
	}
	w.skip = max(0, skip-w.overlap)
}

// step adds the page at skip and moves to the next one. It returns false if it had
// to go back.
func (w *walk) step(p page) bool {
	w.compareOrder(p)
	if w.gap(p) {
		return false
	}
	w.shifted = w.shifted || (w.skip > 0 && p.unseen > 0 && p.received-p.unseen-len(p.left) > w.overlap)
	w.repeats++
	if p.unseen > 0 || !slices.Equal(p.ids, w.before.ids) {
		w.repeats = 0
	}
	if w.read == nil {
		w.read, w.left = make(readSet), make(readSet)
	}
	for _, id := range p.ids {
		w.read.add(id)
	}
	for _, id := range p.left {
		w.left.add(id)
	}
	w.dryRun += p.received
	if p.unseen > 0 {
		w.dryRun, w.back = 0, 0
	}
	w.end = p.last || p.received == 0 || w.repeats > 1 || w.dryRun > 100+2*len(w.read)
	if w.fullPage == 0 {
		w.fullPage = w.size
	}
	// After a page that is not full there is probably no more that could repeat it.
	w.overlap = 0
	if w.shortPages || p.received >= w.fullPage {
		w.overlap = w.overlapOf(p)
	}
	w.fullPage = max(w.fullPage, p.received)
	w.skip += max(1, p.received-p.repeated()-w.overlap)
	w.before = p
	return true
}

// gap returns true and goes back if a page does not follow the one before it.
func (w *walk) gap(p page) bool {
	switch {
	case w.skip == 0, w.joins(p), w.back > 64*w.size:
		return false
	case w.unordered:
		w.mixed = w.mixed || (w.overlap > 0 && w.before.received > 0)
		return false
	case w.overlap > 0:
		w.shifted, w.back = true, max(2*w.back, 4*w.overlap)
		w.skip = max(0, w.skip-w.back)
	case p.received > 0 && w.before.received > 1:
		// The list goes on after a page that was not full.
		w.shortPages = true
		w.skip--
	default:
		return false
	}
	w.overlap, w.before, w.dryRun = 1, page{}, 0
	return true
}

// compareOrder looks for an unknown, a known and an unknown record in this order, which
// prove that the list has no stable order. Additions at the top only shift the list:
// known records come first on a page. A list that begins again at its end has no
// unknown records after that.
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

// joins reports whether a page begins with a record that the walk, or the one of an
// earlier run that it continues, has read.
func (w *walk) joins(p page) bool {
	if w.read == nil || len(p.ids) == 0 {
		return p.joins
	}
	return w.read.has(p.ids[0])
}

// readSet is a set of ids, kept as hashes: a list may have a million. A collision
// (a chance of one in ten million for such a list) could hide one gap at most.
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

// mayEnd reports whether an error may mean that the list has no such position: no
// record is known to be there, or removals may have moved it.
func (w *walk) mayEnd() bool {
	return w.skip > 0 && (w.overlap == 0 || w.back <= 4*w.size)
}

// repeated returns how many elements of a page repeat another one of the same page.
// They may not be positions of the list.
func (p page) repeated() int {
	return len(p.ids) - len(slices.Compact(slices.Sorted(slices.Values(p.ids))))
}

// overlapOf returns how many records of a page the next one should repeat. Without
// an order each position is read twice in a pass, which finds more.
func (w *walk) overlapOf(p page) int {
	if w.unordered {
		return p.received / 2
	}
	return min(2, p.received/2, 1+p.received/20)
}
