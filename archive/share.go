package archive

import (
	"context"
	"errors"
)

// share is a write that waits to be committed together with others.
type share struct {
	fn   func(*Tx) error
	err  error
	done chan struct{} // closed when err is final
}

// Share is [Archive.Update] for many goroutines that write a little each: what
// gathers while another transaction is at work goes into one of its own. It
// returns once that is committed. An error of fn undoes what fn did, and
// nothing else; for that fn may be called a second time.
func (a *Archive) Share(ctx context.Context, fn func(*Tx) error) error {
	mine := &share{fn: fn, done: make(chan struct{})}
	a.gather.Lock()
	a.shares = append(a.shares, mine)
	first := len(a.shares) == 1
	a.gather.Unlock()
	if !first {
		<-mine.done
		return mine.err
	}
	a.turn.Lock()
	defer a.turn.Unlock()
	a.gather.Lock()
	shares := a.shares
	a.shares = nil
	a.gather.Unlock()
	a.commit(ctx, shares)
	return mine.err
}

// commit writes shares in one transaction, or each in its own if one fails. The
// caller has the turn.
func (a *Archive) commit(ctx context.Context, shares []*share) {
	ctx = context.WithoutCancel(ctx) // the others have theirs
	err := a.updateNow(ctx, func(tx *Tx) error {
		for _, s := range shares {
			if s.err = s.fn(tx); s.err != nil {
				return s.err
			}
		}
		return nil
	})
	for _, s := range shares {
		switch {
		case err == nil:
		case len(shares) == 1, errors.Is(Explain(err), ErrFull): // which is nobody's own
			s.err = err
		default:
			s.err = a.updateNow(ctx, s.fn)
		}
		close(s.done)
	}
}
