package site

import (
	"encoding/binary"
	"strings"
)

// pool stores slices one after the other, in chunks that are never copied.
type pool[T any] struct {
	chunks [][]T
}

// place is where a slice begins in a pool: the number of its chunk, and the offset
// in it. It has half the size of a pointer, and the garbage collector ignores it.
// No slice is at 0.
type place uint32

const (
	chunkBits = 14
	chunkSize = 1 << chunkBits
)

// add returns a new slice of n elements and its place.
func (p *pool[T]) add(n int) (place, []T) {
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

// from returns the rest of a chunk from a place on.
func (p *pool[T]) from(at place) []T {
	return p.chunks[at>>chunkBits][at&(chunkSize-1):]
}

// lists stores lists of numbers, the last number of each with lastOne. The empty
// list is at 0.
type lists struct{ pool[uint32] }

// lastOne marks the last number of a list. There are fewer than 2³¹ items.
const lastOne = 1 << 31

func (l *lists) add(numbers []uint32) place {
	if len(numbers) == 0 {
		return 0
	}
	at, stored := l.pool.add(len(numbers))
	copy(stored, numbers)
	stored[len(stored)-1] |= lastOne
	return at
}

// get returns a list. Its last number still has the mark.
func (l *lists) get(at place) []uint32 {
	if at == 0 {
		return nil
	}
	rest, n := l.from(at), 0
	for rest[n]&lastOne == 0 {
		n++
	}
	return rest[: n+1 : n+1]
}

// names stores the ids and addresses of items. Most addresses are a directory, a
// slug, the item's id and ".html": of these only the number of the directory and
// the slug are stored.
type names struct {
	dirs    []string
	numbers map[string]uint64 // of dirs, from 1
	texts   pool[byte]        // length of the id, id, number of the directory, length of the rest, rest
	scratch []byte
}

// wholeAddress is the directory number of an address that is stored as it is.
const wholeAddress = 0

func (s *names) add(id, address string) place {
	dir, rest := s.split(id, address)
	b := append(binary.AppendUvarint(s.scratch[:0], uint64(len(id))), id...)
	b = binary.AppendUvarint(b, dir)
	b = append(binary.AppendUvarint(b, uint64(len(rest))), rest...)
	s.scratch = b
	at, stored := s.texts.add(len(b))
	copy(stored, b)
	return at
}

// split returns the number of an address's directory, and what stands between the
// directory and the id.
func (s *names) split(id, address string) (dir uint64, rest string) {
	slash := strings.LastIndexByte(address, '/')
	if slash < 0 {
		return wholeAddress, address
	}
	rest, ok := strings.CutSuffix(address[slash:], id+htmlExtension)
	if !ok {
		return wholeAddress, address
	}
	dir, known := s.numbers[address[:slash]]
	if !known {
		if s.numbers == nil {
			s.numbers = make(map[string]uint64)
		}
		s.dirs = append(s.dirs, strings.Clone(address[:slash]))
		dir = uint64(len(s.dirs))
		s.numbers[s.dirs[dir-1]] = dir
	}
	return dir, rest
}

const htmlExtension = ".html"

func (s *names) id(at place) string {
	id, _ := cutText(s.texts.from(at))
	return string(id)
}

func (s *names) address(at place) string {
	id, b := cutText(s.texts.from(at))
	dir, n := binary.Uvarint(b)
	rest, _ := cutText(b[n:])
	if dir == wholeAddress {
		return string(rest)
	}
	return s.dirs[dir-1] + string(rest) + string(id) + htmlExtension
}

// cutText cuts off a text that begins with its length.
func cutText(b []byte) (text, rest []byte) {
	n, size := binary.Uvarint(b)
	b = b[size:]
	return b[:n], b[n:]
}
