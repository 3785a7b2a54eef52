package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"golang.org/x/sync/singleflight"

	"ayna/archive"
)

// view reads one state of the archive.
type view struct {
	*archive.Reader
	version  int64
	snapshot bool // reads in a transaction; nothing may be cached
}

// maxAttempts is how often an answer is read without a transaction while the
// archive changes.
const maxAttempts = 3

// consistent makes an answer from one state of the archive. It reads without a
// transaction, so that caches and prepared statements serve it, and again if the
// archive changed meanwhile. The last attempt reads in a transaction, and its
// answer has no tag.
func (s *api) consistent(r *http.Request, read func(view) (document, error)) (d document, err error) {
	ctx := r.Context()
	if r.Header.Get("If-None-Match") != "" {
		version, err := s.archive.Version(ctx)
		if tag := s.tag(version); err != nil || matchingTag(r, tag) != "" {
			return document{tag: tag}, err
		}
	}
	leave, err := s.gate.enter(ctx)
	if err != nil {
		return d, err
	}
	defer leave()
	version, err := s.archive.Version(ctx)
	if err != nil {
		return d, err
	}
	for range maxAttempts {
		d, err = read(view{Reader: s.archive.Reader(), version: version})
		now, failed := s.archive.Version(ctx)
		if failed != nil {
			return document{}, failed
		}
		if now == version {
			d.tag = s.tag(version)
			d.compress(r)
			return d, err
		}
		version = now
	}
	err = s.archive.Snapshot(ctx, func(reader *archive.Reader) (err error) {
		d, err = read(view{Reader: reader, snapshot: true})
		return err
	})
	d.compress(r)
	return d, err
}

// tag identifies a state of the archive for as long as it is open.
func (s *api) tag(version int64) string { return fmt.Sprintf("%s-%x", s.opened, version) }

// gate lets a few lists and searches work at a time, in the order in which they
// came, so that requests for single records need not wait for all of them.
type gate struct {
	working chan struct{}
	waiting chan struct{} // and working
}

const (
	// maxWorking leaves half of the archive's connections, and most of the CPU
	// time, to single records.
	maxWorking = 4
	// maxWaiting leaves a quarter of [Frame.InFlight] to them.
	maxWaiting = 768
)

func newGate() gate {
	return gate{make(chan struct{}, maxWorking), make(chan struct{}, maxWaiting)}
}

// enter waits until the request may work, and returns what to call at its end.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.waiting <- struct{}{}:
	default:
		return nil, errBusy
	}
	select {
	case g.working <- struct{}{}:
		return func() { <-g.working; <-g.waiting }, nil
	case <-ctx.Done():
		<-g.waiting
		return nil, ctx.Err()
	}
}

// The limits of the caches. CPU time a request with 17,000 articles:
const (
	// A list of 50 that was asked for before: 0.18 ms, without the cache 0.45.
	maxAnswerBytes = 16 << 20
	// A list with a random $skip: 0.56 ms, without the cache 10.5. A search for a
	// new word, which needs the order of all records: 3.6 ms, without it 16.2.
	maxRowBytes = 16 << 20
)

// cache keeps values until the archive changes. It is bounded by bytes and
// starts over when it is full. Concurrent calls for one key share a computation.
type cache[T any] struct {
	limit  int         // in bytes
	size   func(T) int // in bytes
	flight singleflight.Group

	mu      sync.Mutex
	version int64
	bytes   int
	values  map[string]T
}

// get returns the value of a key in the state of v, and calls read if there is
// none. It goes on reading if the client leaves, because others may wait.
func (c *cache[T]) get(ctx context.Context, v view, key string, read func(context.Context) (T, error)) (T, error) {
	if v.snapshot {
		return read(ctx)
	}
	c.mu.Lock()
	value, ok := c.values[key]
	ok = ok && c.version == v.version
	c.mu.Unlock()
	if ok {
		return value, nil
	}
	shared, err, _ := c.flight.Do(fmt.Sprint(v.version, " ", key), func() (any, error) {
		value, err := read(context.WithoutCancel(ctx))
		if err == nil {
			c.put(v.version, key, value)
		}
		return value, err
	})
	return shared.(T), err
}

func (c *cache[T]) put(version int64, key string, value T) {
	const overhead = 256 // of an entry
	size := c.size(value) + len(key) + overhead
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil || c.version != version || c.bytes+size > c.limit {
		c.version, c.bytes, c.values = version, 0, make(map[string]T)
	}
	if size <= c.limit {
		c.values[key] = value
		c.bytes += size
	}
}
