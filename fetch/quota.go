package fetch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"ayna/archive"
	"ayna/source/get"
)

// quota limits the requests of all workers and runs: per second and per hour by the
// configuration and by the headers of the source's answers, per run by the budget, and
// by Retry-After. A request is recorded in the archive before it is sent, so that even a
// run that is killed counts.
type quota struct {
	archive *archive.Archive
	now     func() time.Time
	stop    <-chan struct{} // closed when no further request may be sent
	budget  int             // requests of this run; 0 is no limit
	longest time.Duration   // the longest pause that a run waits for

	mu        sync.Mutex
	perSecond int // 0 is no limit
	perHour   int
	sent      []time.Time // in the last hour, oldest first
	used      int         // in this run
	inFlight  int
	full      time.Time // when this run first exhausted the hour
	left      int       // requests of the hour left according to the source; -1 is unknown
	pause     time.Time // no request is sent earlier
	refusals  int       // answers 429 in a row
	rejected  error     // why the key is refused; no further request is sent

	answered chan struct{} // closed when the source has accepted the key
}

const (
	// Both are a little too long: requests may arrive closer together than they were sent.
	second = 1050 * time.Millisecond
	hour   = time.Hour + time.Second
	// maxWait is the longest wait for the source's Retry-After, and the longest total
	// wait of a run for an exhausted hour: a run that begins an hour after the previous
	// one finds that one's requests expire as fast as it needs them. Longer waits are left
	// to the next run.
	maxWait = 5 * time.Minute
	// maxPause is the longest pause that is accepted, of the source or of an earlier run:
	// a wrong date must not stop a mirror for good.
	maxPause = 24 * time.Hour
	// pausedState is the archive's state that holds a pause for the next run.
	pausedState = "paused until"
)

func openQuota(ctx context.Context, a *archive.Archive, o Options) (*quota, error) {
	q := &quota{
		archive: a, now: o.Now, stop: ctx.Done(), budget: o.Budget, longest: maxWait, perSecond: o.PerSecond, perHour: o.PerHour,
		left: -1, answered: make(chan struct{}),
	}
	now := q.now()
	until, err := checked(a.State.Get(ctx, pausedState))
	if err != nil {
		return nil, err
	}
	// A pause in another form, or of a clock that was ahead, is ignored.
	if at, err := time.Parse(time.RFC3339Nano, until); err == nil && !at.After(now.Add(maxPause)) {
		q.pause = at
	}
	if !q.limited() {
		return q, nil
	}
	if err := a.Requests.Clamp(ctx, now); err != nil {
		return nil, inArchive(err)
	}
	q.sent, err = checked(a.Requests.Since(ctx, now.Add(-hour)))
	return q, err
}

func (q *quota) limited() bool { return q.perSecond > 0 || q.perHour > 0 }

// wait waits until a request may be sent, and records it. It returns [ErrBudget] if that
// would take too long.
func (q *quota) wait(ctx context.Context) error {
	for {
		select {
		case <-q.stop:
			return errStopped
		default:
		}
		pause, err := q.reserve(ctx)
		if err != nil || pause == 0 {
			return err
		}
		select {
		case <-q.stop:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// reserve records a request, or returns how long to wait before trying again.
func (q *quota) reserve(ctx context.Context) (time.Duration, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.rejected != nil {
		return 0, q.rejected
	}
	now := q.now()
	if pause, err := q.delay(now); pause > 0 || err != nil {
		return pause, err
	}
	if q.limited() {
		if err := q.archive.Requests.Add(context.WithoutCancel(ctx), now); err != nil {
			return 0, inArchive(err)
		}
		// The limit per second counts from now: the archive may have taken long.
		q.sent = append(q.sent, q.now())
	}
	q.used++
	q.inFlight++
	if q.left > 0 {
		q.left--
	}
	return 0, nil
}

// delay returns how long no request may be sent, or [ErrBudget] if the run cannot wait
// for that.
func (q *quota) delay(now time.Time) (time.Duration, error) {
	if q.budget > 0 && q.used >= q.budget {
		return 0, fmt.Errorf("%w: %d requests in this run", ErrBudget, q.budget)
	}
	for len(q.sent) > 0 && !q.sent[0].After(now.Add(-hour)) {
		q.sent = q.sent[1:]
		if q.left >= 0 {
			q.left++
		}
	}
	pause := q.pause.Sub(now)
	if pause > q.longest {
		return 0, fmt.Errorf("%w: the source allows no request before %s", ErrBudget, formatClock(q.pause))
	}
	if free, limited := q.nextFree(); limited {
		if q.full.IsZero() {
			q.full = now
		}
		if free.Sub(q.full) > maxWait {
			return 0, fmt.Errorf("%w: the hour's limit is reached; the next request may be sent at %s", ErrBudget, formatClock(free))
		}
		pause = max(pause, free.Sub(now))
	}
	if q.perSecond > 0 && len(q.sent) >= q.perSecond {
		pause = max(pause, q.sent[len(q.sent)-q.perSecond].Add(second).Sub(now))
	}
	return max(pause, 0), nil
}

// nextFree returns when the limit of the hour allows another request, and false if it
// does now. For requests that others sent with the same key, the time is a guess.
func (q *quota) nextFree() (time.Time, bool) {
	switch {
	case q.perHour > 0 && len(q.sent) >= q.perHour:
		return q.sent[len(q.sent)-q.perHour].Add(hour), true
	case q.left == 0 && len(q.sent) > 0:
		return q.sent[0].Add(hour), true
	case q.left == 0:
		return q.now().Add(hour), true
	}
	return time.Time{}, false
}

func formatClock(t time.Time) string { return t.UTC().Format(time.TimeOnly + " MST") }

// observe takes limits and pauses from an answer, nil if none came. They apply to all
// workers at once, and only ever lower those of the configuration.
func (q *quota) observe(request *http.Request, response *http.Response) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.inFlight--
	if response == nil {
		return nil
	}
	h := response.Header
	lower(&q.perSecond, headerNumber(h, "X-RateLimit-Limit-Second"))
	lower(&q.perHour, headerNumber(h, "X-RateLimit-Limit-Hour"))
	if left := headerNumber(h, "X-RateLimit-Remaining-Hour"); left >= 0 {
		// The source may not have counted the requests in flight.
		q.left = max(0, left-q.inFlight)
	}
	now := q.now()
	if headerNumber(h, "X-RateLimit-Remaining-Second") == 0 {
		q.pauseUntil(now.Add(second))
	}
	if response.StatusCode != http.StatusTooManyRequests {
		q.refusals = 0
		return nil
	}
	q.refusals++
	pause := get.RetryAfter(h)
	if pause <= 0 {
		// Exponential backoff with full jitter.
		span := min(30*time.Second, time.Second<<min(q.refusals, 5))
		pause = time.Second + rand.N(span)
	}
	q.pauseUntil(now.Add(min(pause, maxPause)))
	until := q.pause.UTC().Format(time.RFC3339Nano)
	return inArchive(q.archive.Update(context.WithoutCancel(request.Context()), func(tx *archive.Tx) error {
		return tx.State.Set(pausedState, until)
	}))
}

// noteAnswer closes answered if an answer shows that the key is accepted. Redirects prove
// nothing.
func (q *quota) noteAnswer(err error) {
	status := http.StatusOK
	if e := (*get.Error)(nil); errors.As(err, &e) {
		status = e.Status
	} else if err != nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if refused := status == http.StatusUnauthorized || status == http.StatusForbidden; status >= 200 && status/100 != 3 && !refused && !q.isAccepted() {
		close(q.answered)
	}
}

// isAccepted reports whether the source has accepted the key.
func (q *quota) isAccepted() bool {
	select {
	case <-q.answered:
		return true
	default:
		return false
	}
}

// rejection returns why the key is refused, nil if it is not.
func (q *quota) rejection() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rejected
}

// reject prevents further requests.
func (q *quota) reject(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.rejected = err
}

func (q *quota) pauseUntil(until time.Time) {
	if until.After(q.pause) {
		q.pause = until
	}
}

// lower takes the source's limit if it is stricter.
func lower(limit *int, theirs int) {
	if theirs > 0 && (*limit == 0 || theirs < *limit) {
		*limit = theirs
	}
}

// headerNumber returns the whole number in a header, -1 if it has none. A number above
// what any run can send means no limit: a mirror without a quota sends one.
func headerNumber(h http.Header, name string) int {
	const beyond = 1_000_000_000
	n, err := strconv.ParseUint(h.Get(name), 10, 31)
	if err != nil || n >= beyond {
		return -1
	}
	return int(n)
}

// hourLimit returns the limit of an hour, or 0.
func (q *quota) hourLimit() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.perHour
}

// allowance returns how many requests the limits allow until then, and false if there is
// no limit.
func (q *quota) allowance(then time.Time) (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	most, limited := 0, false
	take := func(n int) {
		if !limited || n < most {
			most = max(0, n)
		}
		limited = true
	}
	if q.perHour > 0 {
		old, _ := slices.BinarySearchFunc(q.sent, then.Add(-hour), time.Time.Compare)
		take(q.perHour - len(q.sent[old:]))
	}
	if q.budget > 0 {
		take(q.budget - q.used)
	}
	if q.left >= 0 {
		take(q.left)
	}
	return most, limited
}
