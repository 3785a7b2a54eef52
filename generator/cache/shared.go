package cache

import (
	"context"
	"sync"
)

// Shared is a value that a known number of files are made from. The first use makes it,
// and the last one releases its memory. It is safe for concurrent use.
type Shared[T any] struct {
	make func(context.Context) (T, error)

	mu    sync.Mutex
	value T
	made  bool
	left  int // remaining uses
}

// NewShared returns a value that make makes, for a number of uses.
func NewShared[T any](uses int, make func(context.Context) (T, error)) *Shared[T] {
	return &Shared[T]{make: make, left: uses}
}

// Get returns the value for one use. It makes the value if that is the first one, if
// making it failed before, or if there are more uses than announced.
func (s *Shared[T]) Get(ctx context.Context) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.made {
		var err error
		if s.value, err = s.make(ctx); err != nil {
			return s.value, err
		}
	}
	value := s.value
	s.left--
	if s.made = s.left > 0; !s.made {
		var none T
		s.value = none
	}
	return value, nil
}
