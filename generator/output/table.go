package output

import (
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
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
// Nobody can choose paths that share one, since the seeds are not known before.
type id [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func idOf(path string) id {
	return id{maphash.String(seeds[0], path), maphash.String(seeds[1], path)}
}

// fate is what has been decided about a path.
type fate uint8

const (
	unclaimed fate = iota // no file of the site
	claimed               // a file of the site, nothing decided yet
	kept                  // its bytes are those of the published tree
	placed                // its bytes are in the work tree
)

// slot is what is known of a path: where the table has what the published
// tree, the work tree and the next manifest say, 0 for nothing.
type slot struct {
	served, work uint32
	next         uint32 // and, in the lowest bits, fate and found
}

const (
	foundBit = 1 << 2 // the file is in the work tree, as it should be
	fateBits = 1<<2 - 1
	nextFrom = 3
)

func (s slot) fate() fate    { return fate(s.next & fateBits) }
func (s slot) found() bool   { return s.next&foundBit != 0 }
func (s slot) place() uint32 { return s.next >> nextFrom }

// table is what is known of every path. Entries that trees share are held
// once; a path costs about 100 bytes.
type table struct {
	mu     sync.Mutex
	slots  map[id]slot
	chunks [][]entry   // full but for the last; the first entry is none
	folds  map[id]bool // paths in small letters of those that have others
}

const chunkSize = 1 << 12

func newTable() *table {
	t := &table{slots: make(map[id]slot), folds: make(map[id]bool)}
	t.add(entry{})
	return t
}

// entry returns what is at a place.
func (t *table) entry(place uint32) entry { return t.chunks[place/chunkSize][place%chunkSize] }

// add returns the place of an entry, which is that of an equal one at one of
// the places.
func (t *table) add(e entry, places ...uint32) uint32 {
	for _, at := range places {
		if at != 0 && t.entry(at) == e {
			return at
		}
	}
	last := len(t.chunks) - 1
	if last < 0 || len(t.chunks[last]) == chunkSize {
		t.chunks = append(t.chunks, make([]entry, 0, chunkSize))
		last++
	}
	t.chunks[last] = append(t.chunks[last], e)
	return uint32(last*chunkSize + len(t.chunks[last]) - 1)
}

// loadServed takes in what the published tree's manifest says of a path.
func (t *table) loadServed(path string, e entry) {
	i := idOf(path)
	s := t.slots[i]
	s.served = t.add(e, s.work)
	t.slots[i] = s
}

// loadWork takes in what the work tree's manifest says of a path.
func (t *table) loadWork(path string, e entry) {
	i := idOf(path)
	s := t.slots[i]
	s.work = t.add(e, s.served)
	t.slots[i] = s
}

// forgetWork takes back what loadWork took in.
func (t *table) forgetWork() {
	for i, s := range t.slots {
		if s.work = 0; s.served == 0 {
			delete(t.slots, i)
			continue
		}
		t.slots[i] = s
	}
}

// claim marks a path as one of the site. No two may differ in the case of
// letters only: on some file systems they are one.
func (t *table) claim(path string) (id, slot, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := idOf(path)
	s := t.slots[i]
	small := i
	if lower := strings.ToLower(path); lower != path {
		small = idOf(lower)
	}
	if s.fate() != unclaimed || t.folds[small] || small != i && t.slots[small].fate() != unclaimed {
		return i, s, fmt.Errorf("two files claim the address %s", path)
	}
	if small != i {
		t.folds[small] = true
	}
	s.next = uint32(claimed)
	t.slots[i] = s
	return i, s, nil
}

// get returns what is known of a path.
func (t *table) get(i id) slot {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.slots[i]
}

// at returns an entry and whether there is one.
func (t *table) at(place uint32) (entry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.entry(place), place != 0
}

// decide settles what becomes of a path, and returns the place of its entry.
func (t *table) decide(i id, f fate, e entry) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.slots[i]
	place := t.add(e, s.served, s.work)
	s.next = place<<nextFrom | uint32(f)
	t.slots[i] = s
	return place
}

// find marks a path as found in the work tree.
func (t *table) find(i id) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.slots[i]
	s.next |= foundBit
	t.slots[i] = s
}

// same reports whether both trees have the same bytes under a path.
func (t *table) same(s slot) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return s.work != 0 && (s.work == s.served || t.entry(s.work).sum == t.entry(s.served).sum)
}
