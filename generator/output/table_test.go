package output

import (
	"encoding/binary"
	"testing"
)

// TestTableTellsIDsApart: rows whose ids share the bits by which they are
// looked for are not taken for each other. No path can be chosen to have such
// an id, so the test makes them.
func TestTableTellsIDsApart(t *testing.T) {
	const alike = 1_000
	table := newTable()
	like := func(n uint16) (i id) {
		binary.NativeEndian.PutUint16(i[8:], n)
		return i
	}
	for n := range uint16(alike) {
		if found := table.find(like(n)); found != nil {
			t.Fatalf("id %d is found before it is there", n)
		}
		table.loadServed(like(n), entry{size: int64(n)})
	}
	for n := range uint16(alike) {
		if found := table.find(like(n)); found == nil || found.entry.size != int64(n) {
			t.Fatalf("id %d is found as %+v", n, found)
		}
	}
}
