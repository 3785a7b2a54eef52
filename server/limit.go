package server

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// allowHosts refuses requests for other hosts. A page anywhere can make a
// browser on this machine ask us under a name of its own (DNS rebinding); it
// then must not read the answer. An address is no such name.
func allowHosts(next http.Handler, hosts []string) http.Handler {
	if len(hosts) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostname(r.Host)
		ip, err := netip.ParseAddr(host)
		if host != "" && !slices.Contains(hosts, host) && (err != nil || !ip.IsLoopback()) {
			turnAway(w, r, http.StatusMisdirectedRequest, "this server does not answer for that host name")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostname is the host of a Host header, without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// mostBody is what a request may bring along in bytes. Nothing reads it.
const mostBody = 64 << 10

func refuseBodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength < 0 || r.ContentLength > mostBody {
			w.Header().Set("Connection", "close")
			// The server would wait for some of the body before it answers.
			http.NewResponseController(w).SetReadDeadline(time.Now())
			turnAway(w, r, http.StatusRequestEntityTooLarge, "requests have no body here")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// limitInFlight answers so many requests at a time. One more is told to come
// again, which costs less than to keep it waiting.
func limitInFlight(next http.Handler, most int) http.Handler {
	places := make(chan struct{}, most)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
			next.ServeHTTP(w, r)
		default:
			w.Header().Set("Retry-After", "1")
			turnAway(w, r, http.StatusServiceUnavailable, "too many requests at once; try again")
		}
	})
}

// What a client must take of an answer, and how soon, to be sent the next
// piece. That is 6.4 KiB a second.
const (
	paceBytes = 64 << 10
	paceTime  = 10 * time.Second
)

// paced gives up clients that read too slowly, so that they hold no place.
type paced struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Write implements [http.ResponseWriter].
func (p *paced) Write(b []byte) (written int, err error) {
	for first := true; first || (len(b) > 0 && err == nil); first = false {
		piece := b[:min(len(b), paceBytes)]
		// Not every writer has deadlines; a recorder in a test needs none.
		p.control.SetWriteDeadline(time.Now().Add(paceTime))
		var n int
		n, err = p.ResponseWriter.Write(piece)
		written, b = written+n, b[len(piece):]
	}
	return written, err
}

// Unwrap is for [http.ResponseController].
func (p *paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }
