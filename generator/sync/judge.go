package sync

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"

	"ayna/client"
)

// call makes one request, and again where that may help, and sorts its error:
// what ends the run comes back as one of the errors of this package.
func call[T any](ctx context.Context, s *syncer, request func(context.Context) (T, error)) (T, error) {
	answer, err := retry(ctx, s.retries, request)
	return answer, s.judge(ctx, err)
}

// breaker is how many failures in a row, after retries, raise the question
// whether anybody is there.
const breaker = 5

// judge decides what a failed request means for the run.
func (s *syncer) judge(ctx context.Context, err error) error {
	if !errors.Is(err, client.ErrForbidden) {
		s.forbids.note(false)
	}
	switch {
	case err == nil:
		s.down.note(false)
	case spent(err), errors.Is(err, context.Canceled), errors.Is(err, ErrKey):
	case isOurs(err):
		return fmt.Errorf("%w: %w", errMachine, err)
	case errors.Is(err, client.ErrUnauthorized):
		return fmt.Errorf("%w: %w", ErrKey, err)
	case errors.Is(err, client.ErrForbidden):
		s.down.note(false)
		return s.forbidden(ctx, err)
	case errors.Is(err, client.ErrTooMany):
		s.down.note(false)
		return s.refused(ctx, err)
	case !isDown(err):
		s.down.note(false)
	case s.down.note(true) < breaker:
	default:
		// Some records may just be broken at the source. Its date is not.
		if _, dateErr := s.client.Date(ctx); !isDown(dateErr) {
			s.down.note(false)
			return err
		}
		return fmt.Errorf("%w: %d requests in a row failed, the last one so: %w", ErrDown, breaker, err)
	}
	return err
}

// forbidden decides what a 403 means. If several in a row are followed by one to
// the date, the key is refused; else it lies in what was asked for.
func (s *syncer) forbidden(ctx context.Context, err error) error {
	if s.ledger.rejection() != nil {
		return fmt.Errorf("%w: %w", ErrKey, err)
	}
	if s.forbids.note(true) < breaker {
		return err
	}
	s.forbids.note(false)
	if _, dateErr := s.client.Date(ctx); !errors.Is(dateErr, client.ErrForbidden) {
		return err
	}
	err = fmt.Errorf("%w: everything is forbidden, the last request so: %w", ErrKey, err)
	s.ledger.reject(err)
	return err
}

// refused decides what a 429 means that waiting did not mend. If the limits let
// no further request leave, or the date is refused as well, requests are used
// up; else it lies in what was asked for.
func (s *syncer) refused(ctx context.Context, err error) error {
	s.asking <- struct{}{} // one answer is enough for all workers
	defer func() { <-s.asking }()
	if s.exhausted() == nil {
		_, dateErr := s.client.Date(ctx)
		if !errors.Is(dateErr, client.ErrTooMany) && !spent(dateErr) {
			return err
		}
	}
	err = fmt.Errorf("%w: %w", ErrBudget, err)
	s.exhaust(err)
	return err
}

// refusedAgain counts the single records in a row that were refused. So many
// that retries alone cannot have held them back together show a limit that the
// date does not know of: a cache may answer for it.
func (s *syncer) refusedAgain(err error) error {
	if !errors.Is(err, client.ErrTooMany) || spent(err) {
		s.refusals.note(false)
		return err
	}
	most := breaker + s.Concurrency
	if s.refusals.note(true) < most {
		return err
	}
	return fmt.Errorf("%w: %d single records in a row were refused, the last one so: %w", ErrBudget, most, err)
}

// streak counts failures in a row.
type streak struct{ atomic.Int64 }

func (s *streak) note(failed bool) int {
	if !failed {
		s.Store(0)
		return 0
	}
	return int(s.Add(1))
}

// fatal reports whether an error ends the run.
func fatal(err error) bool {
	return errors.Is(err, ErrKey) || errors.Is(err, ErrDown) || errors.Is(err, ErrShape) ||
		errors.Is(err, context.Canceled) || errors.Is(err, errArchive) || errors.Is(err, errMachine)
}

// isOurs reports whether a request failed because this machine has no more open
// files to give: that says nothing of what was asked for.
func isOurs(err error) bool { return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) }

// spent reports whether an error says that no further request may leave.
func spent(err error) bool { return errors.Is(err, ErrBudget) || errors.Is(err, errStopped) }
