package site

import (
	"math/rand/v2"
	"strings"
)

// Names hands out addresses so that no two things share one, even on a file
// system that does not tell upper from lower case. An address once given is
// recorded by the caller and restored before new ones are claimed, so nothing
// published ever moves.
type Names struct {
	taken []uint64 // digests of addresses, each at or after the place that it names; 0 is free
	count int
}

// Restore marks an address given out earlier as taken. It reports whether no
// other one is so far.
func (n *Names) Restore(address string) bool {
	if 3*n.count >= 2*len(n.taken) {
		n.grow()
	}
	place, taken := n.find(nameKey(address))
	if !taken {
		n.taken[place] = nameKey(address)
		n.count++
	}
	return !taken
}

// spread keeps whoever writes titles from choosing places.
var spread = rand.Uint64() | 1

// find returns where a digest is, or where it belongs.
func (n *Names) find(key uint64) (place int, taken bool) {
	mask := len(n.taken) - 1
	for place = int(key*spread>>32) & mask; n.taken[place] != 0; place = (place + 1) & mask {
		if n.taken[place] == key {
			return place, true
		}
	}
	return place, false
}

func (n *Names) grow() {
	before := n.taken
	n.taken = make([]uint64, max(1<<8, 2*len(before)))
	for _, key := range before {
		if key != 0 {
			place, _ := n.find(key)
			n.taken[place] = key
		}
	}
}

// Claim returns wanted, or, if that is taken, wanted with a digest of what it
// stands for before its extension, and marks it as taken.
func (n *Names) Claim(wanted, subject string) string {
	address := wanted
	for length := 6; n.isTaken(address); length += 6 {
		stem, ext := wanted, ""
		if i := strings.LastIndexByte(wanted, '.'); i > strings.LastIndexByte(wanted, '/') {
			stem, ext = wanted[:i], wanted[i:]
		}
		address = stem + "-" + digest(subject, min(length, 64)) + ext
		if length > 64 {
			address = stem + "-" + digest(address+subject, 64) + ext
		}
	}
	n.Restore(address)
	return address
}

func (n *Names) isTaken(address string) bool {
	if n.count == 0 {
		return false
	}
	_, taken := n.find(nameKey(address))
	return taken
}

// nameKey keeps a million addresses in a few bytes each, and is never 0. A false
// match only lengthens a name.
func nameKey(address string) uint64 { return max(1, fnv1a(fnvOffset, strings.ToLower(address))) }
