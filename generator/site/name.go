package site

import (
	"encoding/binary"
	"strings"
)

// nameStore keeps the ids and addresses of items side by side: of an id and an
// address, how long each is, and they. Addresses that have the form that
// [ItemAddress] gives them lack their directory, of which there are few, the id
// and the extension.
type nameStore struct {
	dirs    []string
	numbers map[string]uint64 // of dirs
	texts   pool[byte]
	scratch []byte
}

// asItIs stands for the directory of an address that is kept as it is.
const asItIs = 0

func (s *nameStore) keep(id, address string) place {
	dir, stem := s.split(id, address)
	b := s.scratch[:0]
	b = append(binary.AppendUvarint(b, uint64(len(id))), id...)
	b = binary.AppendUvarint(b, dir)
	b = append(binary.AppendUvarint(b, uint64(len(stem))), stem...)
	s.scratch = b
	at, kept := s.texts.take(len(b))
	copy(kept, b)
	return at
}

// split returns the number of an address's directory and what stands before the
// id.
func (s *nameStore) split(id, address string) (dir uint64, stem string) {
	slash := strings.LastIndexByte(address, '/')
	if slash < 0 {
		return asItIs, address
	}
	stem, ok := strings.CutSuffix(address[slash:], id+htmlExtension)
	if !ok {
		return asItIs, address
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
	return dir, stem
}

const htmlExtension = ".html"

func (s *nameStore) id(at place) string {
	id, _ := cutText(s.texts.from(at))
	return string(id)
}

func (s *nameStore) address(at place) string {
	id, rest := cutText(s.texts.from(at))
	dir, n := binary.Uvarint(rest)
	stem, _ := cutText(rest[n:])
	if dir == asItIs {
		return string(stem)
	}
	var b strings.Builder
	b.Grow(len(s.dirs[dir-1]) + len(stem) + len(id) + len(htmlExtension))
	b.WriteString(s.dirs[dir-1])
	b.Write(stem)
	b.Write(id)
	b.WriteString(htmlExtension)
	return b.String()
}

// cutText splits a text off that begins with its length.
func cutText(b []byte) (text, rest []byte) {
	n, size := binary.Uvarint(b)
	b = b[size:]
	return b[:n], b[n:]
}
