package server

import (
	"context"
	"sync"
)

// cache keeps answers that were dear to make until the archive changes. Who
// asks for what another one is already making waits for that.
type cache struct {
	most int // bytes

	mu      sync.Mutex
	version int64
	bytes   int
	answers map[string]*cached
}

type cached struct {
	ready chan struct{} // closed when the others are final
	body  []byte
	err   error
}

// get returns the answer of that key, which make makes if need be, from an
// archive of that version or a newer one.
func (c *cache) get(ctx context.Context, version int64, key string, make func(context.Context) ([]byte, error)) ([]byte, error) {
	answer, mine := c.find(version, key)
	if mine {
		// Others may wait for it, whatever becomes of this request.
		answer.body, answer.err = make(context.WithoutCancel(ctx))
		c.keep(key, answer)
		close(answer.ready)
	}
	select {
	case <-answer.ready:
		return answer.body, answer.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// find returns the answer of a key, and whether the caller has to make it.
func (c *cache) find(version int64, key string) (answer *cached, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version != c.version || c.answers == nil {
		c.forget()
		c.version = version
	}
	if answer = c.answers[key]; answer != nil {
		return answer, false
	}
	answer = &cached{ready: make(chan struct{})}
	c.answers[key] = answer
	return answer, true
}

// keep counts an answer that has been made, and forgets all when they are too
// many; what failed is not kept.
func (c *cache) keep(key string, answer *cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers[key] != answer {
		return // of an archive that has changed since
	}
	const overhead = 256 // of an entry
	c.bytes += len(answer.body) + len(key) + overhead
	switch {
	case c.bytes > c.most:
		c.forget()
	case answer.err != nil:
		delete(c.answers, key)
	}
}

func (c *cache) forget() {
	c.answers, c.bytes = make(map[string]*cached), 0
}
