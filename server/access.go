package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// guard applies the key, the quota and the origins of the options to the Read API,
// and sets the headers that every answer has.
type guard struct {
	next    http.Handler
	key     [sha256.Size]byte // digest of the key
	open    bool              // no key is needed
	origins []string
	quota   quota
}

func newGuard(next http.Handler, o Options) *guard {
	return &guard{next: next, key: sha256.Sum256([]byte(o.APIKey)), open: o.APIKey == "", origins: o.Origins, quota: newQuota(o)}
}

// apiPolicy is the content security policy of answers.
const apiPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP implements [http.Handler].
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Content-Security-Policy", apiPolicy)
	g.quota.announce(w.Header())
	// Before the key is checked: a browser sends the preflight request without the key.
	if preflight := g.allowOrigin(w.Header(), r); preflight {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if !g.hasKey(r) {
		fail(w, &apiError{status: http.StatusUnauthorized, message: "the API key is missing or wrong; send it in the header apikey"})
		return
	}
	if wait := g.quota.take(w.Header()); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		http.Error(w, "Rate Limit Exceeded", http.StatusTooManyRequests)
		return
	}
	g.next.ServeHTTP(w, r)
}

// allowOrigin lets scripts of the configured origins read the answer. It reports
// whether the request is a preflight request (Fetch standard, section 4.8).
func (g *guard) allowOrigin(h http.Header, r *http.Request) (preflight bool) {
	if len(g.origins) == 0 {
		return false
	}
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !slices.Contains(g.origins, origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		h.Set("Access-Control-Allow-Methods", "GET, HEAD")
		h.Set("Access-Control-Allow-Headers", "apikey")
		h.Set("Access-Control-Max-Age", "600")
		return true
	}
	h.Set("Access-Control-Expose-Headers", "Retry-After, "+totalHeader+", X-RateLimit-Limit-second, X-RateLimit-Remaining-second, X-RateLimit-Limit-hour, X-RateLimit-Remaining-hour")
	return false
}

// hasKey reports whether a request has the key, in the header apikey or in a
// parameter of that name, as the real service took it. It compares digests in
// constant time, so that the time of an answer reveals nothing of the key.
func (g *guard) hasKey(r *http.Request) bool {
	if g.open {
		return true
	}
	got := sha256.Sum256([]byte(keyOf(r)))
	return subtle.ConstantTimeCompare(got[:], g.key[:]) == 1
}

// keyOf returns the key of a request. The header counts if there are both.
func keyOf(r *http.Request) string {
	if key := r.Header.Get("apikey"); key != "" {
		return key
	}
	for name, values := range r.URL.Query() {
		if strings.EqualFold(name, "apikey") && values[0] != "" {
			return values[0]
		}
	}
	return ""
}

// quota counts the requests of each second and hour of the clock. There is one
// key, so there is one count. Rejected requests do not count.
type quota struct {
	now func() time.Time

	mu      sync.Mutex
	windows []*window
}

type window struct {
	name   string // in the headers
	length time.Duration
	limit  int // 0 is none
	start  time.Time
	used   int
}

func newQuota(o Options) quota {
	if o.Now == nil {
		o.Now = time.Now
	}
	return quota{now: o.Now, windows: []*window{
		{name: "second", length: time.Second, limit: o.PerSecond},
		{name: "hour", length: time.Hour, limit: o.PerHour},
	}}
}

// take counts a request, or returns how long to wait before the next one. It
// sets the headers in either case.
func (q *quota) take(header http.Header) (wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	for _, w := range q.windows {
		if start := now.Truncate(w.length); !start.Equal(w.start) {
			w.start, w.used = start, 0
		}
		if w.limit > 0 && w.used >= w.limit {
			wait = max(wait, w.start.Add(w.length).Sub(now))
		}
	}
	for _, w := range q.windows {
		if wait == 0 {
			w.used++
		}
		w.announce(header, w.used)
	}
	return wait
}

// announce sets the headers of an unused quota, for requests without the key.
func (q *quota) announce(header http.Header) {
	for _, w := range q.windows {
		w.announce(header, 0)
	}
}

// unlimited is the limit in the headers of a server without limits. Clients of the real service
// read them unconditionally, some as 32-bit integers.
const unlimited = 1_000_000_000

func (w *window) announce(header http.Header, used int) {
	limit := w.limit
	if limit == 0 {
		limit, used = unlimited, 0
	}
	// The names as the real service wrote them; Set would change their case.
	header["X-RateLimit-Limit-"+w.name] = []string{strconv.Itoa(limit)}
	header["X-RateLimit-Remaining-"+w.name] = []string{strconv.Itoa(limit - used)}
}
