package fakepaper

import (
	"cmp"
	"net/http"
	"strconv"
	"time"
)

// Operation returns a handler that logs the request and applies quota, key and faults to
// what answer returns. It is the part of a service that all APIs share.
func (s *Service) Operation(name string, answer func(*http.Request, Call) (int, []byte)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		request, plan := s.arrive(name, r)
		defer s.locked(func() { s.inFlight-- })
		if s.Latency > 0 {
			time.Sleep(s.Latency)
		}
		if name != "picture" && s.exceeds(w.Header()) {
			s.locked(func() { request.Status = http.StatusTooManyRequests })
			http.Error(w, "Rate Limit Exceeded", http.StatusTooManyRequests)
			return
		}
		status, body := http.StatusUnauthorized, []byte(`{"message":"No API key found in request"}`)
		if name == "picture" || s.admits(r) {
			status, body = answer(r, request.Call)
		}
		fault := new(Fault)
		if plan != nil { // called without the lock: a plan may call the service
			fault = cmp.Or(plan(request.Call), fault)
		}
		if fault.Slow > 0 {
			select {
			case <-time.After(fault.Slow):
			case <-r.Context().Done(): // nobody waits any more
			}
		}
		// Logged before it is sent: a broken connection ends this function.
		s.locked(func() { request.Status = cmp.Or(fault.Status, status) })
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
		}
		if name == "picture" {
			w.Header().Set("Content-Type", http.DetectContentType(body))
		}
		fault.answer(w, status, body)
	}
}

// arrive logs a request, and returns it with [Options.Faults].
func (s *Service) arrive(name string, r *http.Request) (*Request, func(Call) *Fault) {
	query := r.URL.Query()
	skip, _ := strconv.Atoi(cmp.Or(query.Get("$skip"), query.Get("offset")))
	call := Call{Operation: name, ID: r.PathValue("id"), Skip: skip}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attempts[call]++
	call.Attempt = s.attempts[call]
	request := &Request{Call: call, At: s.Now(), URI: r.URL.RequestURI(), Key: cmp.Or(r.Header.Get("apikey"), r.Header.Get("Authorization"))}
	s.requests = append(s.requests, request)
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	return request, s.Faults
}
