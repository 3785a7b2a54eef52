package sync

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"ayna/client"
)

// retrier is a policy for requests of any answer.
type retrier = retrypolicy.RetryPolicy[any]

const (
	retriesEach = 3
	firstWait   = time.Second // at most; twice that before the second retry, and so on
	longestWait = 30 * time.Second
)

// newRetrier waits between the tries for a random part of a span that doubles,
// and before that for as long as the source asks for. grant is asked after each
// failure; back gets the grant after the last one.
func newRetrier(grant func() bool, back func()) retrier {
	return retrypolicy.NewBuilder[any]().
		HandleIf(func(_ any, err error) bool { return mayPass(err) && grant() }).
		WithMaxRetries(retriesEach).
		WithDelayFunc(func(execution failsafe.ExecutionAttempt[any]) time.Duration {
			pause := rand.N(firstWait << execution.Retries())
			if e := (*client.Error)(nil); errors.As(execution.LastError(), &e) {
				pause += e.RetryAfter
			}
			return pause
		}).
		OnRetriesExceeded(func(failsafe.ExecutionEvent[any]) { back() }).
		ReturnLastFailure().
		Build()
}

func retry[T any](ctx context.Context, policy retrier, request func(context.Context) (T, error)) (T, error) {
	answer, err := failsafe.With[any](policy).WithContext(ctx).GetWithExecution(func(e failsafe.Execution[any]) (any, error) {
		return request(e.Context())
	})
	typed, _ := answer.(T)
	return typed, err
}

// mayPass reports whether the same request may succeed a little later.
func mayPass(err error) bool {
	e := (*client.Error)(nil)
	if !errors.As(err, &e) || errors.Is(err, context.Canceled) || errors.Is(err, ErrKey) || spent(err) || errors.Is(err, errArchive) || ownFault(err) {
		return false
	}
	longest := longestWait
	if e.Status == http.StatusTooManyRequests {
		longest = patience // that all workers have together
	}
	if e.RetryAfter > longest {
		return false
	}
	switch e.Status {
	case 0:
		return !hopeless(err)
	case http.StatusOK:
		return errors.Is(err, client.ErrNotJSON)
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return e.Status >= 500
}

// isDown reports whether an error says that nobody sensible answers.
func isDown(err error) bool {
	e := (*client.Error)(nil)
	if !errors.As(err, &e) || ownFault(err) {
		return false
	}
	return e.Status == 0 || e.Status >= 500 || errors.Is(err, client.ErrNotJSON)
}

// hopeless reports whether an error of the transport is one that waiting does
// not mend: a certificate, a redirect elsewhere, or what was asked for.
func hopeless(err error) bool {
	certificate := (*tls.CertificateVerificationError)(nil)
	return errors.As(err, &certificate) || errors.Is(err, client.ErrRedirect) || ownFault(err)
}

// ownFault reports whether an error lies in the one thing that was asked for,
// and tells nothing of the source: an id or a word that no address can hold,
// a record over the limit, an id that the source does not know.
func ownFault(err error) bool {
	return errors.Is(err, errUnknown) || errors.Is(err, client.ErrTooLarge) || errors.Is(err, client.ErrID) ||
		errors.Is(err, client.ErrKeyword) || errors.Is(err, client.ErrQuery)
}
