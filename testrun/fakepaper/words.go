package fakepaper

import (
	"math/rand/v2"
	"sort"
)

// Ranks picks one of n things, the more frequent first.
type Ranks []float64 // sums of the weights

// Zipf returns the frequencies of n things by Zipf's law: thing k has a weight of
// 1/(k+shift).
func Zipf(n, shift int) Ranks {
	sums := make(Ranks, n)
	sum := 0.0
	for k := range sums {
		sum += 1 / float64(k+shift)
		sums[k] = sum
	}
	return sums
}

// Pick returns the number of a thing.
func (s Ranks) Pick(r *rand.Rand) int { return sort.SearchFloat64s(s, r.Float64()*s[len(s)-1]) }
