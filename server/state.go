package server

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"

	"ayna/archive"
	"ayna/generator/lru"
)

// view reads one state of the archive.
type view struct {
	*archive.Reader
	version  int64
	snapshot bool // reads in a transaction; nothing may be cached
}

// consistent returns an answer that read makes from one state of the archive, or the
// cached one of the key. It reads without a transaction first, which can use the cache
// and prepared statements. If the archive changed meanwhile, it reads again in a
// transaction; that answer has no tag.
func (s *api) consistent(r *http.Request, key string, read func(context.Context, view) (document, error)) (d document, err error) {
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
	now, v := version, view{Reader: s.archive.Reader(), version: version}
	d, err = cached(s, v, key, func() (document, error) {
		d, err := read(ctx, v)
		now, _ = s.archive.Version(ctx) // a failure counts as a change
		return d, err
	})
	if now == version {
		d.tag = s.tag(version)
	} else {
		err = s.archive.Snapshot(ctx, func(reader *archive.Reader) (err error) {
			d, err = read(ctx, view{Reader: reader, snapshot: true})
			return err
		})
	}
	d.compress(r)
	return d, err
}

// tag identifies a state of the archive for as long as it is open.
func (s *api) tag(version int64) string { return fmt.Sprintf("%s-%x", s.opened, version) }

// gate limits how many lists and searches work at a time, first come, first served,
// so that requests for single records do not wait for them.
type gate struct {
	working chan struct{}
	waiting chan struct{} // includes those that work
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

// cache holds answers, and the rows of whole lists and searches, by the state of the
// archive. CPU time of a request with 17,000 articles, with and without the cache: a
// repeated list of 50 0.18 and 0.45 ms, one with a random $skip 0.56 and 10.5 ms, and a
// search for a new word, which needs the order of all records, 3.6 and 16.2 ms.
type cache = *lru.Cache[[sha256.Size]byte, sized]

// maxCached is the size in bytes of each of the cache's two generations.
const maxCached = 16 << 20

// sized is a value of the cache: a document, or rows.
type sized interface{ size() int }

// rows are rows of the archive.
type rows []int64

func (r rows) size() int { return 8 * len(r) }

func newCache() cache {
	const overhead = 256 // of an entry
	return &lru.Cache[[sha256.Size]byte, sized]{MaxSize: maxCached, Size: func(value sized) int { return value.size() + overhead }}
}

// cached returns the cached value of a key in the state of v, or calls read.
func cached[T sized](s *api, v view, key string, read func() (T, error)) (T, error) {
	if v.snapshot {
		return read()
	}
	digest := sha256.Sum256(fmt.Append(nil, v.version, " ", key)) // a keyword may be long
	if value, ok := s.cache.Get(digest); ok {
		return value.(T), nil
	}
	value, err := read()
	if err == nil && value.size() < maxCached {
		s.cache.Put(digest, value)
	}
	return value, err
}
