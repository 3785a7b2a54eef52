package server

import (
	"cmp"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Middleware protects the handlers of a server from its clients.
type Middleware struct {
	Hosts    []string     // names in lower case that requests may be for, beside loopback addresses; none allows all
	InFlight int          // requests answered at a time; one more gets status 503. 0 is 1024
	Log      *slog.Logger // requests, at level Info without keys, and panics, at level Error; nil is none
	Metrics  *Metrics     // nil counts nothing
}

// maxBody is the largest body of a request in bytes. No handler reads it.
const maxBody = 64 << 10

// Wrap wraps a handler in the middleware.
func (m Middleware) Wrap(next http.Handler) http.Handler {
	if m.Log == nil {
		m.Log = slog.New(slog.DiscardHandler)
	}
	slots := make(chan struct{}, cmp.Or(m.InFlight, 1024))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		answer := &response{ResponseWriter: w}
		defer func() {
			if m.recovered(answer, r, recover()) {
				defer panic(http.ErrAbortHandler) // closes the connection, so that the client notices
			}
			m.record(r, answer, time.Since(start))
		}()
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		default: // a refusal costs less than a queue
			answer.Header().Set("Retry-After", "1")
			reject(answer, r, http.StatusServiceUnavailable, "too many requests at once; try again")
			return
		}
		switch {
		case r.ContentLength < 0 || r.ContentLength > maxBody:
			answer.Header().Set("Connection", "close")
			// Without a deadline the server would wait for some of the body.
			http.NewResponseController(answer).SetReadDeadline(time.Now())
			reject(answer, r, http.StatusRequestEntityTooLarge, "requests have no body here")
		case !m.allows(r.Host):
			reject(answer, r, http.StatusMisdirectedRequest, "this server does not answer for that host name")
		default:
			next.ServeHTTP(answer, r)
		}
	})
}

// allows reports whether requests may be for a host. Any web page can make a
// browser on this machine send requests here under a name of its own (DNS
// rebinding), and must not read the answers. That needs a name, so addresses are
// allowed.
func (m Middleware) allows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	ip, err := netip.ParseAddr(host)
	foreign := host != "" && !slices.Contains(m.Hosts, host) && (err != nil || !ip.IsLoopback())
	return len(m.Hosts) == 0 || !foreign
}

// recovered answers for a handler that panicked, and logs the panic. It reports
// whether the connection must be closed because the answer had begun.
func (m Middleware) recovered(answer *response, r *http.Request, panicked any) (abort bool) {
	if panicked == nil {
		return false
	}
	if panicked != http.ErrAbortHandler {
		m.Log.ErrorContext(r.Context(), "panic", "path", r.URL.Path, "value", panicked, "stack", string(debug.Stack()))
	}
	if answer.status != 0 || panicked == http.ErrAbortHandler {
		return true
	}
	clear(answer.Header())
	reject(answer, r, http.StatusInternalServerError, "something went wrong here")
	return false
}

// record logs and counts an answer. The log's handler escapes what clients send.
func (m Middleware) record(r *http.Request, answer *response, took time.Duration) {
	if m.Metrics != nil {
		m.Metrics.count(r, answer.status, answer.bytes, took)
	}
	if !m.Log.Enabled(r.Context(), slog.LevelInfo) {
		return
	}
	m.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
		slog.String("from", r.RemoteAddr),
		slog.String("method", r.Method),
		slog.String("path", r.URL.Path),
		slog.String("query", hideKeys(r.URL.RawQuery)),
		slog.Int("status", answer.status),
		slog.Int64("bytes", answer.bytes),
		slog.Duration("took", took),
	)
}

func hideKeys(query string) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "unreadable"
	}
	for name := range values {
		if strings.Contains(strings.ToLower(name), "key") {
			values.Set(name, "hidden")
		}
	}
	return values.Encode()
}

// A client must take each chunk of an answer in this time, which is 6.4 KiB a
// second, so that slow readers do not hold slots.
const (
	chunkBytes   = 64 << 10
	chunkTimeout = 10 * time.Second
)

// response counts what is written, and sets a deadline for each chunk.
type response struct {
	http.ResponseWriter
	status int // 0 before the header
	bytes  int64
}

// WriteHeader implements [http.ResponseWriter].
func (r *response) WriteHeader(status int) {
	if r.status == 0 && status >= 200 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (r *response) Write(b []byte) (written int, err error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	control := http.NewResponseController(r.ResponseWriter)
	for first := true; first || (len(b) > 0 && err == nil); first = false {
		// Recorders of tests have no deadlines.
		control.SetWriteDeadline(time.Now().Add(chunkTimeout))
		var n int
		n, err = r.ResponseWriter.Write(b[:min(len(b), chunkBytes)])
		written, b = written+n, b[n:]
	}
	r.bytes += int64(written)
	return written, err
}

// Unwrap is for [http.ResponseController].
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }
