package server

import "context"

// gate lets few dear requests (lists and searches) work at a time, in the order
// in which they came, so that those for single records need not wait behind all
// of them. A connection has one request in work or waiting.
type gate struct {
	inside  chan struct{}
	waiting chan struct{}
}

const (
	// dearInside leaves half of the connections to the archive, and most of the
	// processors' time, to others.
	dearInside = 4
	// dearWaiting leaves a quarter of [Frame.InFlight] to others.
	dearWaiting = 768
)

func newGate() gate {
	return gate{make(chan struct{}, dearInside), make(chan struct{}, dearWaiting)}
}

// enter waits until the request may begin, and returns what to call at its end.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.waiting <- struct{}{}:
	default:
		return nil, errBusy
	}
	select {
	case g.inside <- struct{}{}:
		return func() { <-g.inside; <-g.waiting }, nil
	case <-ctx.Done():
		<-g.waiting
		return nil, ctx.Err()
	}
}
