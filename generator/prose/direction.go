package prose

import "strings"

// dropDirections removes embeddings, overrides and isolates (UAX 9), which in
// a title would turn the list around that shows it, and byte order marks.
func dropDirections(r rune) rune {
	if opensDirection(r) || closesDirection(r) || r == 0xFEFF {
		return -1
	}
	return r
}

// mayHaveDirections reports whether a text has any of the bytes with which all
// that dropDirections removes begins.
func mayHaveDirections(s string) bool {
	return strings.IndexByte(s, 0xE2) >= 0 || strings.IndexByte(s, 0xEF) >= 0
}

func opensDirection(r rune) bool {
	return r == 0x202A || r == 0x202B || r == 0x202D || r == 0x202E || r >= 0x2066 && r <= 0x2068
}

func closesDirection(r rune) bool { return r == 0x202C || r == 0x2069 }

// settle removes what a text may not hold, entities decoded, and keeps marks
// of direction from reaching beyond it: what is open at its end is closed,
// what closes nothing is dropped (UAX 9).
func settle(s string) string {
	s = XML(s)
	if !strings.ContainsFunc(s, func(r rune) bool { return r == 0xFEFF || opensDirection(r) || closesDirection(r) }) {
		return s
	}
	var b strings.Builder
	var due []rune
	for _, r := range s {
		switch {
		case r == 0xFEFF:
			continue
		case opensDirection(r) && r >= 0x2066:
			due = append(due, 0x2069)
		case opensDirection(r):
			due = append(due, 0x202C)
		case closesDirection(r):
			if len(due) == 0 || due[len(due)-1] != r {
				continue
			}
			due = due[:len(due)-1]
		}
		b.WriteRune(r)
	}
	for i := len(due) - 1; i >= 0; i-- {
		b.WriteRune(due[i])
	}
	return b.String()
}
