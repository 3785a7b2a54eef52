package server

import (
	"context"
	"sync"
)

// cache keeps what was dear to make until the archive changes. Who asks for
// what another one is already making waits for that.
type cache[T any] struct {
	most int         // bytes
	size func(T) int // in bytes

	mu      sync.Mutex
	version int64
	bytes   int
	entries map[string]*entry[T]
}

type entry[T any] struct {
	ready chan struct{} // closed when the others are final
	value T
	err   error
}

// get returns the value of that key, which make makes if need be, from an
// archive of that version or a newer one.
func (c *cache[T]) get(ctx context.Context, version int64, key string, make func(context.Context) (T, error)) (T, error) {
	e, mine := c.find(version, key)
	if mine {
		// Others may wait for it, whatever becomes of this request.
		e.value, e.err = make(context.WithoutCancel(ctx))
		c.keep(key, e)
		close(e.ready)
	}
	select {
	case <-e.ready:
		return e.value, e.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// find returns the entry of a key, and whether the caller has to make its value.
func (c *cache[T]) find(version int64, key string) (e *entry[T], mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version != c.version || c.entries == nil {
		c.forget()
		c.version = version
	}
	if e = c.entries[key]; e != nil {
		return e, false
	}
	e = &entry[T]{ready: make(chan struct{})}
	c.entries[key] = e
	return e, true
}

// keep counts a value that has been made, and forgets all when they are too
// many; what failed is not kept.
func (c *cache[T]) keep(key string, e *entry[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[key] != e {
		return // of an archive that has changed since
	}
	const overhead = 256 // of an entry
	c.bytes += c.size(e.value) + len(key) + overhead
	switch {
	case c.bytes > c.most:
		c.forget()
	case e.err != nil:
		delete(c.entries, key)
	}
}

func (c *cache[T]) forget() {
	c.entries, c.bytes = make(map[string]*entry[T]), 0
}
