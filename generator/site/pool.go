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

// lists keeps lists of numbers, the last of each with lastOne. An empty list is
// at the place 0.
type lists struct{ pool[uint32] }

// lastOne marks the last number of a list. There are fewer than 2³¹ items.
const lastOne = 1 << 31

func (l *lists) keep(numbers []uint32) place {
	if len(numbers) == 0 {
		return 0
	}
	at, kept := l.take(len(numbers))
	copy(kept, numbers)
	kept[len(kept)-1] |= lastOne
	return at
}

// get returns a list. Its last number still bears its mark.
func (l *lists) get(at place) []uint32 {
	if at == 0 {
		return nil
	}
	rest := l.from(at)
	for n, number := range rest {
		if number&lastOne != 0 {
			return rest[: n+1 : n+1]
		}
	}
	return nil // which keep never leaves
}
