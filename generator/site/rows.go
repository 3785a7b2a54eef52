package site

// Rows is a set of rows of the archive, of which most follow each other: a bit
// each.
type Rows map[int64]uint64

// Add adds a row.
func (s Rows) Add(row int64) { s[row>>6] |= 1 << (row & 63) }

// Has reports whether a row is in the set.
func (s Rows) Has(row int64) bool { return s[row>>6]&(1<<(row&63)) != 0 }
