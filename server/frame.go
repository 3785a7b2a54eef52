package server

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

// Frame is what stands around the handlers of a server and protects them from
// its clients.
type Frame struct {
	Hosts    []string     // names, in small letters, that requests may be for beside loopback addresses; none allows all
	InFlight int          // requests answered at a time; one more gets status 503. 0 is 1024
	Log      *slog.Logger // answers, at level Info without keys, and panics, at level Error; nil is none
	Metrics  *Metrics     // nil counts nothing
}

// Around returns a handler that lets next answer within the frame.
func (f Frame) Around(next http.Handler) http.Handler {
	if f.InFlight <= 0 {
		f.InFlight = 1024
	}
	if f.Log == nil {
		f.Log = slog.New(slog.DiscardHandler)
	}
	next = limitInFlight(refuseBodies(allowHosts(next, f.Hosts)), f.InFlight)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		answer := &record{ResponseWriter: &paced{w, http.NewResponseController(w)}}
		defer func() {
			if f.recovered(answer, r, recover()) {
				defer panic(http.ErrAbortHandler) // the client must not take the half for the whole
			}
			f.keep(r, answer, time.Since(began))
		}()
		next.ServeHTTP(answer, r)
	})
}

// recovered answers for a handler that panicked, and tells the log alone where.
// It reports whether the connection has to be closed, because the answer had
// begun.
func (f Frame) recovered(answer *record, r *http.Request, panicked any) (abort bool) {
	if panicked == nil {
		return false
	}
	if panicked != http.ErrAbortHandler {
		f.Log.ErrorContext(r.Context(), "panic", "path", r.URL.Path, "value", panicked, "stack", string(debug.Stack()))
	}
	if answer.status != 0 || panicked == http.ErrAbortHandler {
		return true
	}
	clear(answer.Header())
	turnAway(answer, r, http.StatusInternalServerError, "something went wrong here")
	return false
}
