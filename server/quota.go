package server

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// quota counts the requests of the seconds and hours of the clock. What it
// refuses does not count.
type quota struct {
	now func() time.Time

	mu      sync.Mutex
	windows []*window
}

type window struct {
	header string // the end of its headers' names
	length time.Duration
	limit  int
	began  time.Time
	used   int
}

// limitRate keeps clients to so many requests a second and an hour, and tells
// them of it as the real service did. There is one key, so there is one count.
func limitRate(next http.Handler, o Options) http.Handler {
	q := &quota{now: o.Now}
	for _, w := range []*window{
		{header: "second", length: time.Second, limit: o.PerSecond},
		{header: "hour", length: time.Hour, limit: o.PerHour},
	} {
		if w.limit > 0 {
			q.windows = append(q.windows, w)
		}
	}
	if len(q.windows) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := q.take(w.Header())
		if wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
			http.Error(w, "Rate Limit Exceeded", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// take counts a request, or returns how long to wait if it is one too many. It
// sets the headers in either case.
func (q *quota) take(header http.Header) (wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	for _, w := range q.windows {
		if began := now.Truncate(w.length); !began.Equal(w.began) {
			w.began, w.used = began, 0
		}
		if w.used >= w.limit {
			wait = max(wait, w.began.Add(w.length).Sub(now))
		}
	}
	for _, w := range q.windows {
		if wait == 0 {
			w.used++
		}
		// Set would write the names another way than the service did.
		header["X-RateLimit-Limit-"+w.header] = []string{strconv.Itoa(w.limit)}
		header["X-RateLimit-Remaining-"+w.header] = []string{strconv.Itoa(w.limit - w.used)}
	}
	return wait
}
