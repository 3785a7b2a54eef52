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
	limit  int // 0 is none
	began  time.Time
	used   int
}

// unlimited is the limit in the headers where there is none. Clients of the real
// service read the headers unconditionally, some of them as 32-bit integers.
const unlimited = 1_000_000_000

// newQuota returns the windows of the options, with or without a limit.
func newQuota(o Options) *quota {
	return &quota{now: o.Now, windows: []*window{
		{header: "second", length: time.Second, limit: o.PerSecond},
		{header: "hour", length: time.Hour, limit: o.PerHour},
	}}
}

// announce sets the headers of a client that has used nothing. Every answer has
// them, also one to a request without the key.
func (q *quota) announce(header http.Header) {
	for _, w := range q.windows {
		w.write(header, 0)
	}
}

// write sets the headers as the real service did.
func (w *window) write(header http.Header, used int) {
	limit := w.limit
	if limit == 0 {
		limit, used = unlimited, 0
	}
	// Set would change the case of the names.
	header["X-RateLimit-Limit-"+w.header] = []string{strconv.Itoa(limit)}
	header["X-RateLimit-Remaining-"+w.header] = []string{strconv.Itoa(limit - used)}
}

// limitRate keeps clients within the quota. There is one key, so there is one
// count.
func limitRate(next http.Handler, q *quota) http.Handler {
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
		if w.limit > 0 && w.used >= w.limit {
			wait = max(wait, w.began.Add(w.length).Sub(now))
		}
	}
	for _, w := range q.windows {
		if wait == 0 {
			w.used++
		}
		w.write(header, w.used)
	}
	return wait
}
