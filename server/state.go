package server

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"

	"ayna/archive"
	"ayna/generator/cache"
)

// view reads one state of the archive.
type view struct {
	*archive.Reader
	version  int64
	snapshot bool // reads in a transaction; no rows are cached
}

// consistent returns an answer that read makes from one state of the archive. It reads
// without a transaction first, which can use the cache and prepared statements. If the
// archive changed meanwhile, it reads again in a transaction; that answer has no tag.
func (s *api) consistent(r *http.Request, read func(context.Context, view) (document, error)) (d document, err error) {
	ctx := r.Context()
	if r.Header.Get("If-None-Match") != "" {
		version, err := s.archive.Changes(ctx)
		if tag := s.tag(version); err != nil || matchingTag(r, tag) != "" {
			return document{tag: tag}, err
		}
	}
	leave, err := s.gate.enter(ctx)
	if err != nil {
		return d, err
	}
	defer leave()
	version, err := s.archive.Changes(ctx)
	if err != nil {
		return d, err
	}
	d, err = read(ctx, view{Reader: s.archive.Reader(), version: version})
	if s.isStill(ctx, version) {
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

// isStill reports whether the archive has not changed since it had a version.
func (s *api) isStill(ctx context.Context, version int64) bool {
	now, err := s.archive.Changes(ctx)
	return err == nil && now == version
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
	// maxWaiting leaves a quarter of [Middleware.InFlight] to them.
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

// listCache holds the rows of whole lists and searches by the state of the archive. CPU
// time of a request with 17,000 articles, with and without the cache: a list with a
// random $skip 0.56 and 10.5 ms, and a search for a new word, which needs the order of
// all records, 3.6 and 16.2 ms.
type listCache = *cache.Cache[string, rows]

// maxCached is the size in bytes of each of the cache's two generations.
const maxCached = 16 << 20

// rows are rows of the archive.
type rows []int64

func (r rows) size() int { return 8 * len(r) }

func newCache() listCache {
	const overhead = 256 // of an entry
	return &cache.Cache[string, rows]{MaxSize: maxCached, Size: func(r rows) int { return r.size() + overhead }}
}

// rows returns the cached rows of a key in the state of v, or those that read finds.
// Equal requests share one reading, which goes on if the client of the first leaves.
func (s *api) rows(ctx context.Context, v view, key string, read func(context.Context) (rows, error)) (rows, error) {
	if v.snapshot {
		return read(ctx)
	}
	digest := sha256.Sum256(fmt.Append(nil, v.version, " ", key)) // a keyword may be long
	key = string(digest[:])
	if found, ok := s.cache.Get(key); ok {
		return found, nil
	}
	ctx = context.WithoutCancel(ctx)
	found, err, _ := s.reading.Do(key, func() (any, error) {
		found, err := read(ctx)
		if err == nil && found.size() < maxCached && s.isStill(ctx, v.version) {
			s.cache.Put(key, found)
		}
		return found, err
	})
	return found.(rows), err
}
