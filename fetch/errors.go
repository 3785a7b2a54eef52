package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"syscall"
	"time"

	"ayna/source/get"
)

var (
	// errStopped refuses a request because the run was cancelled.
	errStopped = errors.New("stopped")
	// errArchive marks errors of the archive, which end the run.
	errArchive = errors.New("the archive cannot be read or written")
	// errMachine marks requests that this machine could not send.
	errMachine = errors.New("this machine cannot send requests")
	// errRecord marks a record that cannot be read. Others are still stored.
	errRecord = errors.New("the record cannot be read")
)

const (
	maxRetries    = 3           // of one request
	firstBackoff  = time.Second // the most before the first retry; doubles with each
	maxRetryAfter = 30 * time.Second
)

// call sends a request and classifies its error. It retries with exponential backoff
// and full jitter, added to the answer's Retry-After.
func call[T any](ctx context.Context, s *syncer, request func(context.Context) (T, error)) (T, error) {
	for retries := 0; ; retries++ {
		answer, err := request(ctx)
		if retries == maxRetries || !isRetryable(err) || !s.grantRetry() {
			return answer, s.classify(ctx, err)
		}
		pause := rand.N(firstBackoff << retries)
		if e := (*get.Error)(nil); errors.As(err, &e) {
			pause += e.RetryAfter
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return answer, s.classify(ctx, ctx.Err())
		}
	}
}

// grantRetry takes a retry from those of the run: fifty, and a quarter of its requests.
func (s *syncer) grantRetry() bool {
	sent := s.transport.requests().Sent
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retried >= 50+sent/4 {
		return false
	}
	s.retried++
	return true
}

// breakerLimit is the number of failures in a row, after retries, from which classify
// asks whether the source still answers.
const breakerLimit = 5

// classify decides whether a failed request ends the run. If so, it wraps the error in
// one of this package, otherwise it returns it unchanged.
func (s *syncer) classify(ctx context.Context, err error) error {
	s.quota.noteAnswer(err)
	switch {
	case isBudget(err), errors.Is(err, context.Canceled), errors.Is(err, ErrKey):
	case isOutOfFiles(err):
		return fmt.Errorf("%w: %w", errMachine, err)
	case errors.Is(err, get.ErrUnauthorized):
		return s.rejectKey(fmt.Errorf("%w: %w", ErrKey, err))
	case errors.Is(err, get.ErrForbidden):
		return s.forbidden(ctx, err)
	case errors.Is(err, get.ErrTooMany):
		return s.tooMany(ctx, err)
	case !isDown(err):
		s.failures.Store(0)
	case s.failures.Add(1) < breakerLimit:
	default:
		// Some records may be broken at the source; a source that is up answers its date.
		switch siteErr := s.askSite(ctx); {
		case errors.Is(siteErr, ErrKey):
			return siteErr
		case isDown(siteErr):
			return fmt.Errorf("%w: %d requests in a row failed, the last with: %w", ErrDown, breakerLimit, err)
		}
		s.failures.Store(0)
	}
	return err
}

// askSite returns the error of a request that does not depend on any record.
func (s *syncer) askSite(ctx context.Context) error {
	_, err := s.source.Site(ctx)
	if errors.Is(err, get.ErrUnauthorized) {
		return s.rejectKey(fmt.Errorf("%w: %w", ErrKey, err))
	}
	return err
}

// forbidden classifies a 403. The key is refused if that is the first answer of all, or if
// several failures in a row are followed by a 403 to the date. Otherwise only that record
// or list is forbidden.
func (s *syncer) forbidden(ctx context.Context, err error) error {
	switch {
	case s.quota.rejection() != nil, !s.quota.isAccepted():
		return s.rejectKey(fmt.Errorf("%w: %w", ErrKey, err))
	case s.failures.Add(1) < breakerLimit:
		return err
	}
	s.failures.Store(0)
	switch siteErr := s.askSite(ctx); {
	case errors.Is(siteErr, ErrKey):
		return siteErr
	case !errors.Is(siteErr, get.ErrForbidden):
		return err
	}
	return s.rejectKey(fmt.Errorf("%w: every request is forbidden, the last with: %w", ErrKey, err))
}

// rejectKey prevents further requests, and returns why.
func (s *syncer) rejectKey(err error) error {
	s.quota.reject(err)
	return err
}

// tooMany classifies a 429 that remains after retries. The budget is used up if the
// limits allow no further request, if the date is answered with 429, too, or after too
// many failures in a row: the limit may not apply to the date, which a cache may answer.
// Otherwise only that record or list is refused.
func (s *syncer) tooMany(ctx context.Context, err error) error {
	s.explaining <- struct{}{} // one answer is enough for all workers
	defer func() { <-s.explaining }()
	if s.outOfBudget() == nil && s.failures.Add(1) < int64(breakerLimit+s.Concurrency) {
		switch siteErr := s.askSite(ctx); {
		case errors.Is(siteErr, ErrKey):
			return siteErr
		case !errors.Is(siteErr, get.ErrTooMany) && !isBudget(siteErr):
			return err
		}
	}
	err = fmt.Errorf("%w: %w", ErrBudget, err)
	s.stopForBudget(err)
	return err
}

// isFatal reports whether an error ends the run.
func isFatal(err error) bool {
	return errors.Is(err, ErrKey) || errors.Is(err, ErrDown) || errors.Is(err, ErrShape) ||
		errors.Is(err, context.Canceled) || errors.Is(err, errArchive) || errors.Is(err, errMachine)
}

// isOutOfFiles reports whether a request failed because this process or machine has too
// many open files.
func isOutOfFiles(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// isBudget reports whether an error means that no further request may be sent.
func isBudget(err error) bool { return errors.Is(err, ErrBudget) || errors.Is(err, errStopped) }

// isRetryable reports whether the same request may succeed a little later.
func isRetryable(err error) bool {
	e := (*get.Error)(nil)
	if !errors.As(err, &e) || errors.Is(err, context.Canceled) || errors.Is(err, ErrKey) || isBudget(err) || errors.Is(err, errArchive) || isRequestFault(err) {
		return false
	}
	longest := maxRetryAfter
	if e.Status == http.StatusTooManyRequests {
		longest = maxWait // which all workers share
	}
	if e.RetryAfter > longest {
		return false
	}
	switch e.Status {
	case 0: // waiting does not mend certificates and redirects
		certificate := (*tls.CertificateVerificationError)(nil)
		return !errors.As(err, &certificate) && !errors.Is(err, get.ErrRedirect)
	case http.StatusOK:
		return errors.Is(err, get.ErrNotJSON)
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return e.Status >= 500
}

// isDown reports whether an error suggests that the source is down.
func isDown(err error) bool {
	e := (*get.Error)(nil)
	if !errors.As(err, &e) || isRequestFault(err) {
		return false
	}
	return e.Status == 0 || e.Status >= 500 || errors.Is(err, get.ErrNotJSON)
}

// isRequestFault reports whether the cause of an error is the request and not the source:
// an id or keyword that no address can hold, or a record over the limit.
func isRequestFault(err error) bool {
	return errors.Is(err, get.ErrTooLarge) || errors.Is(err, get.ErrID) ||
		errors.Is(err, get.ErrKeyword) || errors.Is(err, get.ErrQuery)
}

// statusOf returns the HTTP status of a failed request, 0 if it had no answer or a 429,
// which is not about the record or list.
func statusOf(err error) int {
	if e := (*get.Error)(nil); errors.As(err, &e) && e.Status != http.StatusTooManyRequests {
		return e.Status
	}
	return 0
}
