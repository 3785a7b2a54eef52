package server

import (
	"io"
	"sync"
)

// shared is a value that is replaced while requests use it: they keep theirs,
// and it is closed when the last of them is done.
type shared[T io.Closer] struct {
	mu  sync.Mutex
	now *tenancy[T]
}

type tenancy[T io.Closer] struct {
	value T
	users int // whoever shares it is one, until it is replaced
}

// use returns the value, and what the caller calls when it is done with it.
func (s *shared[T]) use() (value T, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.now
	t.users++
	return t.value, func() { s.leave(t) }
}

// replace takes value over.
func (s *shared[T]) replace(value T) {
	s.mu.Lock()
	old := s.now
	s.now = &tenancy[T]{value, 1}
	s.mu.Unlock()
	if old != nil {
		s.leave(old)
	}
}

// close is called once; afterwards nobody may use the value.
func (s *shared[T]) close() { s.leave(s.now) }

func (s *shared[T]) leave(t *tenancy[T]) {
	s.mu.Lock()
	t.users--
	last := t.users == 0
	s.mu.Unlock()
	if last {
		// What was read through it has been read; its end can spoil nothing.
		t.value.Close()
	}
}
