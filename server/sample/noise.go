package sample

import (
	"math"
	"sync"
)

// noise is smooth randomness along a line.
type noise uint64

func newNoise(seed uint64) noise { return noise(seed) }

// at is the value at a whole number, from -1 to 1.
func (n noise) at(i int) float64 {
	h := (uint64(n) ^ uint64(i)) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	h ^= h >> 32
	return float64(h>>11)/(1<<52) - 1
}

func (n noise) smooth(x float64) float64 {
	f := math.Floor(x)
	t := x - f
	a, b := n.at(int(f)), n.at(int(f)+1)
	return a + (b-a)*t*t*(3-2*t)
}

// hilly adds finer and finer bumps; it stays within about -1 to 1.
func (n noise) hilly(x float64) float64 {
	return 0.6*n.smooth(x) + 0.26*n.smooth(2.3*x+17) + 0.1*n.smooth(5.1*x+41) + 0.04*n.smooth(13*x+73)
}

const tileSize = 256

// brushwork is a tile of streaks as a flat brush leaves them, from -128 to 127.
// It repeats without a seam.
var brushwork = sync.OnceValue(func() []int8 {
	tile := make([]int8, tileSize*tileSize)
	for y := range tileSize {
		for x := range tileSize {
			v := 0.55*wrapped(x, y, 64, 16, 1) + 0.3*wrapped(x, y, 32, 4, 2) + 0.25*wrapped(x, y, 8, 4, 3)
			tile[y*tileSize+x] = int8(127 * min(max(v, -1), 1))
		}
	}
	return tile
})

// wrapped is noise over the plane with cells of w by h pixels, both divisors
// of the tile's size.
func wrapped(x, y, w, h int, seed uint64) float64 {
	n := newNoise(seed * 0x51ed270b)
	cols, rows := tileSize/w, tileSize/h
	i, j := x/w, y/h
	s, t := float64(x%w)/float64(w), float64(y%h)/float64(h)
	s, t = s*s*(3-2*s), t*t*(3-2*t)
	corner := func(i, j int) float64 { return n.at((j%rows)*cols + i%cols) }
	top := corner(i, j) + (corner(i+1, j)-corner(i, j))*s
	low := corner(i, j+1) + (corner(i+1, j+1)-corner(i, j+1))*s
	return top + (low-top)*t
}
