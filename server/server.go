// Package server answers the Content Publishing Read API from an archive: the
// 16 operations of the API document, in the shapes the service really used,
// with every record byte for byte as it was received. It also shows a
// published site, and holds what stands around both: limits, time-outs, log,
// health and figures.
//
// [New] answers from an open archive and [Follow] from a file, whatever takes
// its place; [OpenPreview] shows a site. [Frame] protects any of them, and
// [Serve] is the HTTP server.
package server

import (
	"log/slog"
	"net/http"
	"time"

	"ayna/archive"
)

// Options says how to answer.
type Options struct {
	APIKey    string           // asked of every request; "" asks for none
	PerSecond int              // requests answered in a second; 0 is no limit
	PerHour   int              // likewise in an hour
	Origins   []string         // web origins whose scripts may read the answers, as https://example.org
	MaxTop    int              // largest $top, and the one without any; 0 is 50
	Location  *time.Location   // of dates without an offset in $filter; nil is UTC
	Now       func() time.Time // for /v1/date and the limits; nil is the clock
	Log       *slog.Logger     // told of each record that is damaged, once, at level Error; nil is none
}

// New returns a handler for the paths below /v1/.
func New(a *archive.Archive, options Options) http.Handler {
	return admit(newAPI(a, options), options)
}

// admit lets requests in as the options say, and sets the headers that every
// answer has.
func admit(next http.Handler, o Options) http.Handler {
	if o.Now == nil {
		o.Now = time.Now
	}
	q := newQuota(o)
	inside := shareWith(askForKey(limitRate(next, q), o.APIKey), o.Origins)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("Content-Security-Policy", pagePolicy)
		q.announce(w.Header())
		inside.ServeHTTP(w, r)
	})
}

// Split leads what is below /v1/ to api, /healthz to health, and everything
// else to site. Paths stay as they were sent: [http.ServeMux] would redirect
// some of them.
func Split(api, health, site http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case isAPI(path):
			api.ServeHTTP(w, r)
		case path == "/healthz":
			health.ServeHTTP(w, r)
		default:
			site.ServeHTTP(w, r)
		}
	})
}

// turnAway answers a request that comes to nothing: in JSON below /v1/, where
// programs read it, and else in plain text.
func turnAway(w http.ResponseWriter, r *http.Request, status int, message string) {
	if isAPI(r.URL.Path) {
		fail(w, refuse(status, "%s", message))
		return
	}
	http.Error(w, message, status)
}
