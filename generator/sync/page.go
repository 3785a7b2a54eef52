package sync

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"ayna/client"
)

// nextPage requests the next page of a walk. A page past the end is empty, however
// the source answers: some services return an error, and return it again.
func (s *syncer) nextPage(ctx context.Context, l *list, w *walk) (client.Batch, error) {
	batch, err := s.fetchPage(ctx, l, w.skip)
	if w.mayEnd() && hasStatus(err, http.StatusBadRequest, http.StatusNotFound, http.StatusInternalServerError) {
		if _, again := s.fetchPage(ctx, l, w.skip); statusOf(again) == statusOf(err) {
			return client.Batch{}, nil
		}
	}
	return batch, err
}

// fetchPage requests one page of a list.
func (s *syncer) fetchPage(ctx context.Context, l *list, skip int) (client.Batch, error) {
	size := s.pageSize()
	request := func(q client.Query) (client.Batch, error) {
		return call(ctx, s, func(ctx context.Context) (client.Batch, error) { return l.fetch(ctx, q) })
	}
	var err error
	batch, ok := l.prefetch.take(skip)
	if !ok {
		batch, err = request(client.Query{Top: size, Skip: skip})
	}
	if skip == 0 && size > s.PageSize && hasStatus(err, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError) {
		// The source may no longer allow the page size that it allowed once.
		if batch, err = request(client.Query{Top: s.PageSize}); err == nil {
			s.source.see(largestTop, strconv.Itoa(s.PageSize))
		}
	}
	if err == nil && batch.Skipped > len(batch.Records) {
		err = fmt.Errorf("most of a page are no records: %w", client.ErrShape)
	}
	if err != nil {
		return batch, fmt.Errorf("list %s from %d: %w", l.operation, skip, err)
	}
	l.envelope = batch.Envelope
	s.source.see(envelopeOf+l.operation, batch.Envelope)
	return batch, nil
}

func hasStatus(err error, statuses ...int) bool { return slices.Contains(statuses, statusOf(err)) }

// prefetcher requests pages of a list before the walk reaches them. It is for
// sources without limits only: the pages past the end are requested in vain.
type prefetcher struct {
	asked    map[int]chan reply // the pages that were requested, by their places
	depth    int                // how many pages to request ahead
	requests sync.WaitGroup
}

type reply struct {
	batch client.Batch
	err   error
}

// mostAhead is the largest depth.
const mostAhead = 8

// take returns the page at a place, if it was requested and arrived.
func (p *prefetcher) take(skip int) (client.Batch, bool) {
	if p == nil || p.asked[skip] == nil {
		return client.Batch{}, false
	}
	r := <-p.asked[skip]
	delete(p.asked, skip)
	return r.batch, r.err == nil
}

// lookAhead requests the next pages of a walk while a page is being stored, if the
// list looks long and the source has no limits. It assumes full pages and a list
// that does not move, and drops requests for other places. The depth doubles.
func (s *syncer) lookAhead(ctx context.Context, l *list, w *walk, received int) {
	p := l.prefetch
	if _, limited := s.quota.allowance(s.Now()); limited || p == nil || w.skip == 0 || received < w.full {
		return
	}
	step := max(1, received-w.overlapOf(page{received: received}))
	next := w.skip + step
	p.depth = min(2*p.depth+1, mostAhead)
	if p.asked[next] == nil {
		clear(p.asked)
	}
	for skip := next; skip < next+p.depth*step; skip += step {
		if p.asked[skip] != nil {
			continue
		}
		select {
		case s.ahead <- struct{}{}:
		default:
			return
		}
		answer := make(chan reply, 1)
		p.asked[skip] = answer
		p.requests.Go(func() {
			batch, err := l.fetch(ctx, client.Query{Top: s.pageSize(), Skip: skip})
			<-s.ahead
			answer <- reply{batch, err}
		})
	}
}
