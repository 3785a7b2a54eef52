package site

import "strings"

// Names makes addresses unique, also on file systems that ignore case. Published
// addresses never move: the caller stores the addresses, and calls Take with them in
// the next build before it claims new ones.
type Names struct {
	taken map[uint64]struct{} // digests: a million addresses take about 16 MB
}

// Take marks an address as taken. It reports whether it was free.
func (n *Names) Take(address string) bool {
	hash := foldedHash(address)
	if _, taken := n.taken[hash]; taken {
		return false
	}
	if n.taken == nil {
		n.taken = make(map[uint64]struct{})
	}
	n.taken[hash] = struct{}{}
	return true
}

// Claim returns wanted and marks it as taken. If it was taken already, a digest of
// subject is added before the extension.
func (n *Names) Claim(wanted, subject string) string {
	stem, ext := wanted, ""
	if i := strings.LastIndexByte(wanted, '.'); i > strings.LastIndexByte(wanted, '/') {
		stem, ext = wanted[:i], wanted[i:]
	}
	address := wanted
	for length := 6; n.isTaken(address); length += 6 {
		suffix := digest(subject, min(length, longestDigest))
		if length > longestDigest {
			suffix = digest(address+subject, longestDigest)
		}
		address = stem + "-" + suffix + ext
	}
	n.Take(address)
	return address
}

func (n *Names) isTaken(address string) bool {
	_, taken := n.taken[foldedHash(address)]
	return taken
}

// foldedHash returns a hash without regard to case. A collision makes an
// address longer.
func foldedHash(address string) uint64 { return fnv1a(fnvOffset, strings.ToLower(address)) }
