// Package cache provides a [Cache] of recently used values (lru.go), and a value that
// several files share ([Shared], shared.go). Items of the same time are on the same pages
// and in the same feeds, so a rendered item is soon used again.
package cache

import "sync"

// Cache keeps recently used values in two generations: when the younger one is
// full, it replaces the older one. It is safe for concurrent use. Set MaxSize before the
// first use.
type Cache[K comparable, V any] struct {
	MaxSize int         // sum of the sizes in each of the two generations
	Size    func(V) int // size of a value; nil is 1 for each

	mu         sync.Mutex
	young, old map[K]V
	size       int // of young
}

// Get returns the value of a key, if it is still there.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, ok := c.young[key]
	if !ok {
		if value, ok = c.old[key]; ok {
			c.add(key, value)
		}
	}
	return value, ok
}

// Put adds a value, or replaces it.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, value)
}

func (c *Cache[K, V]) add(key K, value V) {
	size := 1
	if c.Size != nil {
		size = c.Size(value)
	}
	if c.young == nil {
		c.young, c.old = make(map[K]V), make(map[K]V)
	} else if c.size+size > c.MaxSize {
		c.old, c.young, c.size = c.young, c.old, 0
		clear(c.young)
	}
	c.young[key] = value
	c.size += size
}
