// Package recent keeps what was used last, within a bound: neighbours in time
// stand on the same pages and in the same feeds, so what is made for one of
// them is soon asked for again.
package recent

import "sync"

// Values keeps values by key. The zero Values keeps none; set Most before it is
// used. It may be used by any number of goroutines.
type Values[K comparable, V any] struct {
	Most int         // sum of the weights that one of two generations may reach
	Size func(V) int // weight of a value; nil is 1 for each

	mu         sync.Mutex
	young, old map[K]V
	weight     int // of young
}

// Get returns the value of a key, if it is still there.
func (c *Values[K, V]) Get(key K) (V, bool) {
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

// Put keeps a value.
func (c *Values[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, value)
}

// add puts a value among the young ones. When there are too many, they grow
// old, and those that were old and not asked for again are let go.
func (c *Values[K, V]) add(key K, value V) {
	size := 1
	if c.Size != nil {
		size = c.Size(value)
	}
	if c.young == nil {
		c.young, c.old = make(map[K]V), make(map[K]V)
	} else if c.weight+size > c.Most {
		c.old, c.young, c.weight = c.young, c.old, 0
		clear(c.young)
	}
	c.young[key] = value
	c.weight += size
}
