package site

import "strings"

// Names hands out addresses so that no two things share one, even on a file
// system that does not tell upper from lower case. An address once given is
// recorded by the caller and restored before new ones are claimed, so nothing
// published ever moves.
type Names struct {
	taken map[uint64]struct{}
}

// Restore marks an address given out earlier as taken. It reports whether no
// other one is so far.
func (n *Names) Restore(address string) bool {
	if n.taken == nil {
		n.taken = make(map[uint64]struct{})
	}
	before := len(n.taken)
	n.taken[nameKey(address)] = struct{}{}
	return len(n.taken) > before
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
	_, taken := n.taken[nameKey(address)]
	return taken
}

// nameKey keeps a million addresses in a few bytes each. A false match only
// lengthens a name.
func nameKey(address string) uint64 { return fnv1a(fnvOffset, strings.ToLower(address)) }
