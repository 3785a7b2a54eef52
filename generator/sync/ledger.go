package sync

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ayna/archive"
	"ayna/client"
)

// ledger keeps the requests of all workers, and of runs before this one,
// within the limits: its own, and what the source's answers say of theirs. An
// entry is committed to the archive before its request leaves, so that a
// killed run has not spent more than the next one knows of.
type ledger struct {
	archive *archive.Archive
	now     func() time.Time
	stop    <-chan struct{} // closed when no request may leave any more
	budget  int             // requests of this run; 0 is no limit

	mu        sync.Mutex
	perSecond int // 0 is no limit
	perHour   int
	sent      []time.Time // within the last hour, oldest first
	spent     int         // in this run
	flying    int         // sent and not answered
	full      time.Time   // when this run first found the hour used up
	left      int         // what the source says is left of the hour; -1 is unknown
	pause     time.Time   // no request leaves before
	refusals  int         // answers 429 in a row
	rejected  error       // the key was refused: no further request leaves

	answered chan struct{} // closed once the source has accepted the key
}

const (
	// Both are a little longer than their names: what leaves here evenly may
	// arrive there closer together.
	second = 1050 * time.Millisecond
	hour   = time.Hour + time.Second
	// patience is how long a run waits because the source asks it to, and in
	// all because the hour is used up: a run that begins an hour after the one
	// before finds that one's requests expire as fast as it needs. What takes
	// longer is for the next run.
	patience = 5 * time.Minute
	// longestPause is the longest that is believed, of the source and of a
	// pause that was kept: a wrong date must not stop a mirror for good.
	longestPause = 24 * time.Hour
	// pausedState is where a pause is kept for the next run.
	pausedState = "paused until"
)

func openLedger(ctx context.Context, a *archive.Archive, o Options) (*ledger, error) {
	l := &ledger{archive: a, now: o.Now, stop: ctx.Done(), budget: o.Budget, perSecond: o.PerSecond, perHour: o.PerHour, left: -1, answered: make(chan struct{})}
	if l.now == nil {
		l.now = time.Now
	}
	now := l.now()
	until, err := a.State(ctx, pausedState)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errArchive, err)
	}
	// A pause that was kept in another form, or by another clock, is none.
	l.pause, err = time.Parse(time.RFC3339Nano, until)
	if err != nil || l.pause.After(now.Add(longestPause)) {
		l.pause = time.Time{}
	}
	if !l.limited() {
		return l, nil
	}
	if err := a.PutBackSent(ctx, now); err != nil {
		return nil, fmt.Errorf("%w: %w", errArchive, err)
	}
	if l.sent, err = a.Sent(ctx, now.Add(-hour)); err != nil {
		return nil, fmt.Errorf("%w: %w", errArchive, err)
	}
	return l, nil
}

func (l *ledger) limited() bool { return l.perSecond > 0 || l.perHour > 0 }

// wait returns when a request may leave, and enters it. [ErrBudget] means that
// none may for long.
func (l *ledger) wait(ctx context.Context) error {
	for {
		select {
		case <-l.stop:
			return errStopped
		default:
		}
		pause, err := l.enter(ctx)
		if err != nil || pause == 0 {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-l.stop:
			timer.Stop()
			return errStopped
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
	if l.rejected != nil {
		return 0, l.rejected
	}
	now := l.now()
	if pause, err := l.delay(now); pause > 0 || err != nil {
		return pause, err
	}
	if l.limited() {
		if err := l.archive.AddSent(context.WithoutCancel(ctx), now); err != nil {
			return 0, fmt.Errorf("%w: %w", errArchive, err)
		}
		// The limit of a second counts from now, however long the entry took.
		l.sent = append(l.sent, l.now())
	}
	l.spent++
	l.flying++
	if l.left > 0 {
		l.left--
	}
	return 0, nil
}

// delay says how long no request may leave.
func (l *ledger) delay(now time.Time) (time.Duration, error) {
	if l.budget > 0 && l.spent >= l.budget {
		return 0, fmt.Errorf("%w: %d requests in this run", ErrBudget, l.budget)
	}
	for len(l.sent) > 0 && !l.sent[0].After(now.Add(-hour)) {
		l.sent = l.sent[1:]
		if l.left >= 0 {
			l.left++
		}
	}
	pause := l.pause.Sub(now)
	if pause > patience {
		return 0, fmt.Errorf("%w: the source asks to wait until %s", ErrBudget, clock(l.pause))
	}
	if free, limited := l.free(); limited {
		if l.full.IsZero() {
			l.full = now
		}
		if free.Sub(l.full) > patience {
			return 0, fmt.Errorf("%w: no more this hour; the next request may leave at %s", ErrBudget, clock(free))
		}
		pause = max(pause, free.Sub(now))
	}
	if l.perSecond > 0 && len(l.sent) >= l.perSecond {
		pause = max(pause, l.sent[len(l.sent)-l.perSecond].Add(second).Sub(now))
	}
	return max(pause, 0), nil
}

// free returns when the hour lets another request leave, and false if it does
// now: when one of this mirror's own is an hour old. What others sent with the
// same key it cannot know.
func (l *ledger) free() (time.Time, bool) {
	switch {
	case l.perHour > 0 && len(l.sent) >= l.perHour:
		return l.sent[len(l.sent)-l.perHour].Add(hour), true
	case l.left == 0 && len(l.sent) > 0:
		return l.sent[0].Add(hour), true
	case l.left == 0:
		return l.now().Add(hour), true
	}
	return time.Time{}, false
}

func clock(t time.Time) string { return t.UTC().Format(time.TimeOnly + " MST") }

// observe learns from an answer what the source allows. Its word counts for
// all workers at once, and only ever lowers what the configuration allows.
func (l *ledger) observe(request *http.Request, response *http.Response) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flying--
	if response == nil {
		return nil
	}
	l.checkKey(request.URL, response.StatusCode)
	h := response.Header
	lower(&l.perSecond, number(h, "X-RateLimit-Limit-Second"))
	lower(&l.perHour, number(h, "X-RateLimit-Limit-Hour"))
	if left := number(h, "X-RateLimit-Remaining-Hour"); left >= 0 {
		// What is in flight may not be counted in it yet.
		l.left = max(0, left-l.flying)
	}
	now := l.now()
	if number(h, "X-RateLimit-Remaining-Second") == 0 {
		l.hold(now.Add(second))
	}
	if response.StatusCode != http.StatusTooManyRequests {
		l.refusals = 0
		return nil
	}
	l.refusals++
	pause := client.RetryAfter(h)
	if pause <= 0 {
		// Full jitter over a span that doubles: nobody knows how long.
		span := min(30*time.Second, time.Second<<min(l.refusals, 5))
		pause = time.Second + rand.N(span)
	}
	l.hold(now.Add(min(pause, longestPause)))
	until := l.pause.UTC().Format(time.RFC3339Nano)
	err := l.archive.Update(context.WithoutCancel(request.Context()), func(tx *archive.Tx) error {
		return tx.SetState(pausedState, until)
	})
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	return nil
}

// checkKey learns from the status of an answer whether the key is accepted. A
// 401 refuses it, and so does a 403 to the first list. A redirect does not tell,
// nor does a 403 to a filter, which a firewall may dislike, or to the date.
func (l *ledger) checkKey(u *url.URL, status int) {
	first := true
	select {
	case <-l.answered:
		first = false
	default:
	}
	forbidden := status == http.StatusForbidden
	plain := !u.Query().Has("$filter") && !strings.HasSuffix(u.Path, "/date")
	switch {
	case status == http.StatusUnauthorized, forbidden && first && plain:
		l.rejected = fmt.Errorf("%w: GET %s: status %d", ErrKey, u.Path, status)
	case first && !forbidden && status/100 != 3:
		close(l.answered)
	}
}

// rejection returns why no further request may leave with this key, nil if one
// may.
func (l *ledger) rejection() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rejected
}

// reject lets no further request leave.
func (l *ledger) reject(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rejected = err
}

func (l *ledger) hold(until time.Time) {
	if until.After(l.pause) {
		l.pause = until
	}
}

// lower takes the source's limit if it is the stricter one.
func lower(limit *int, theirs int) {
	if theirs > 0 && (*limit == 0 || theirs < *limit) {
		*limit = theirs
	}
}

// number reads a header that holds a whole number; -1 if it does not. A number
// beyond what any run can send is as good as no limit: a mirror without a quota
// answers with one.
func number(h http.Header, name string) int {
	const beyond = 1_000_000_000
	n, err := strconv.ParseUint(h.Get(name), 10, 31)
	if err != nil || n >= beyond {
		return -1
	}
	return int(n)
}

// hourly returns the limit of an hour, 0 if there is none.
func (l *ledger) hourly() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.perHour
}

// allowance returns how many more requests the limits allow until then, and
// false if there is no limit.
func (l *ledger) allowance(then time.Time) (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	most, limited := 0, false
	take := func(n int) {
		if !limited || n < most {
			most = max(0, n)
		}
		limited = true
	}
	if l.perHour > 0 {
		old, _ := slices.BinarySearchFunc(l.sent, then.Add(-hour), time.Time.Compare)
		take(l.perHour - len(l.sent[old:]))
	}
	if l.budget > 0 {
		take(l.budget - l.spent)
	}
	if l.left >= 0 {
		take(l.left)
	}
	return most, limited
}
