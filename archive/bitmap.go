package archive

import (
	"fmt"
	"math/bits"

	"ayna/archive/database"
)

// bitmap is a set of rows from 1 to the last one that it was made for.
type bitmap []uint64

// newBitmap returns an error if last is larger than any archive's: a damaged file must
// not claim that much memory.
func newBitmap(last int64) (bitmap, error) {
	const most = 1 << 31
	if last > most {
		return nil, fmt.Errorf("%w: a row has the number %d", database.ErrDamaged, last)
	}
	return make(bitmap, last/64+1), nil
}

// add adds a row. Those beyond the last are ignored.
func (b bitmap) add(row int64) {
	if i := uint64(row) / 64; i < uint64(len(b)) {
		b[i] |= 1 << (row & 63)
	}
}

func (b bitmap) has(row int64) bool {
	i := uint64(row) / 64
	return i < uint64(len(b)) && b[i]&(1<<(row&63)) != 0
}

func (b bitmap) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// rows returns the set in ascending order.
func (b bitmap) rows() []int64 {
	var rows []int64
	for row := range int64(len(b)) * 64 {
		if b.has(row) {
			rows = append(rows, row)
		}
	}
	return rows
}
