package sync

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ayna/archive"
)

// ledger keeps the requests of all workers, and of runs before this one,
// within the limits. An entry is committed to the archive before its request
// leaves, so that a killed run has not spent more than the next one knows of.
type ledger struct {
	archive   *archive.Archive
	perSecond int
	perHour   int
	budget    int
	now       func() time.Time

	mu    sync.Mutex
	sent  []time.Time // within the last hour, oldest first
	spent int         // in this run
}

// Both are a little longer than their names: what leaves here evenly may
// arrive there closer together.
const (
	second = 1050 * time.Millisecond
	hour   = time.Hour + time.Second
)

func openLedger(ctx context.Context, a *archive.Archive, o Options) (*ledger, error) {
	l := &ledger{archive: a, perSecond: o.PerSecond, perHour: o.PerHour, budget: o.Budget, now: o.Now}
	if l.now == nil {
		l.now = time.Now
	}
	if l.limited() {
		now := l.now()
		sent, err := a.Sent(ctx, now.Add(-hour))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errArchive, err)
		}
		for _, at := range sent {
			if at.After(now) { // the clock was put back since
				at = now
			}
			l.sent = append(l.sent, at)
		}
	}
	return l, nil
}

func (l *ledger) limited() bool { return l.perSecond > 0 || l.perHour > 0 }

// wait returns when a request may leave, and enters it. [ErrBudget] means that
// none may for long.
func (l *ledger) wait(ctx context.Context) error {
	for {
		pause, err := l.enter(ctx)
		if err != nil || pause == 0 {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		case <-timer.C:
		}
	}
}

// enter enters a request, or says how long to wait before asking again.
func (l *ledger) enter(ctx context.Context) (time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.budget > 0 && l.spent >= l.budget {
		return 0, fmt.Errorf("%w: %d requests in this run", ErrBudget, l.budget)
	}
	if !l.limited() {
		l.spent++
		return 0, nil
	}
	now := l.now()
	for len(l.sent) > 0 && !l.sent[0].After(now.Add(-hour)) {
		l.sent = l.sent[1:]
	}
	if l.perHour > 0 && len(l.sent) >= l.perHour {
		free := l.sent[len(l.sent)-l.perHour].Add(hour)
		return 0, fmt.Errorf("%w: %d an hour; the next request may leave at %s", ErrBudget, l.perHour, free.UTC().Format(time.TimeOnly+" MST"))
	}
	if l.perSecond > 0 && len(l.sent) >= l.perSecond {
		if pause := l.sent[len(l.sent)-l.perSecond].Add(second).Sub(now); pause > 0 {
			return pause, nil
		}
	}
	if err := l.archive.AddSent(context.WithoutCancel(ctx), now); err != nil {
		return 0, fmt.Errorf("%w: %w", errArchive, err)
	}
	// The limit of a second counts from now, however long the entry took.
	l.sent = append(l.sent, l.now())
	l.spent++
	return 0, nil
}
