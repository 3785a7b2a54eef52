package sync

import (
	"context"
	"sync"

	"ayna/client"
)

// ahead asks for pages of a list before the walk over it comes to them. That is
// for sources without limits only: at its end it has asked for some in vain.
type ahead struct {
	fetch    func(skip int) (client.Batch, error)
	free     chan struct{}      // holds one for each request ahead, of all lists
	asked    map[int]chan reply // pages that were asked for, by their places
	depth    int                // how many pages it looks ahead
	requests sync.WaitGroup
}

type reply struct {
	batch client.Batch
	err   error
}

// mostAhead is how many pages one list looks ahead.
const mostAhead = 8

func (s *syncer) lookAhead(ctx context.Context, l listing) *ahead {
	return &ahead{
		fetch: func(skip int) (client.Batch, error) {
			return l.fetch(ctx, client.Query{Top: s.pageSize(), Skip: skip})
		},
		free: s.ahead, asked: make(map[int]chan reply),
	}
}

// take returns the page at a place, if it was asked for and came.
func (a *ahead) take(skip int) (client.Batch, bool) {
	if a == nil || a.asked[skip] == nil {
		return client.Batch{}, false
	}
	r := <-a.asked[skip]
	delete(a.asked, skip)
	return r.batch, r.err == nil
}

// look asks for the pages from a place on that the walk will come to if all of
// them are full and the list stands still; for more of them each time. What was
// asked for elsewhere it gives up.
func (a *ahead) look(skip, step int) {
	a.depth = min(2*a.depth+1, mostAhead)
	if a.asked[skip] == nil {
		clear(a.asked)
	}
	for place := skip; place < skip+a.depth*step; place += step {
		if a.asked[place] != nil {
			continue
		}
		select {
		case a.free <- struct{}{}:
		default:
			return
		}
		answer := make(chan reply, 1)
		a.asked[place] = answer
		a.requests.Go(func() {
			batch, err := a.fetch(place)
			<-a.free
			answer <- reply{batch, err}
		})
	}
}

// anticipate asks for what a walk comes to next, while a page is being stored,
// if the list looks long and the source sets no limits.
func (s *syncer) anticipate(l listing, w *walk, received int) {
	if _, limited := s.ledger.allowance(s.now()); limited || l.ahead == nil || w.skip == 0 || received < w.full {
		return
	}
	step := max(1, received-w.overlapOf(page{received: received}))
	l.ahead.look(w.skip+step, step)
}
