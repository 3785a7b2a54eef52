package site

// pool keeps slices of one kind side by side, in chunks that are never copied.
type pool[T any] struct {
	chunks [][]T
}

// place is where a slice lies in a pool: a chunk, and a place in it. It takes
// half of what a pointer does, and the garbage collector passes it over. No
// slice is at 0.
type place uint32

const (
	chunkBits = 14
	chunkSize = 1 << chunkBits
)

// take returns a new slice of n elements, and where it is.
func (p *pool[T]) take(n int) (place, []T) {
	last := len(p.chunks) - 1
	if last < 0 || cap(p.chunks[last])-len(p.chunks[last]) < n {
		used := 0
		if last < 0 {
			used = 1
		}
		p.chunks = append(p.chunks, make([]T, used, max(chunkSize, n+used)))
		last++
	}
	chunk := p.chunks[last]
	from := len(chunk)
	p.chunks[last] = chunk[:from+n]
	return place(last<<chunkBits | from), p.chunks[last][from:]
}

// from returns what lies in a chunk from a place on.
func (p *pool[T]) from(at place) []T {
	return p.chunks[at>>chunkBits][at&(chunkSize-1):]
}
