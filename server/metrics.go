package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"
)

// Part is a part of the server that can fail.
type Part interface {
	Err() error // nil if all is well
}

// Health answers with {"status": "ok", "archive": "ok"}, one member for each
// part. A part with an error still answers from what it had before: it and the
// status are "degraded", with HTTP status 200, because a restart would lose what
// it has. Clients do not see the errors; report gets them.
func Health(parts map[string]Part, report func(part string, err error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := map[string]string{"status": "ok"}
		for name, part := range parts {
			state[name] = "ok"
			if err := part.Err(); err != nil {
				report(name, err)
				state[name], state["status"] = "degraded", "degraded"
			}
		}
		body, _ := json.Marshal(state) // strings cannot fail
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Write(body)
	})
}

// Metrics counts answers since the start and measures the process, in the text
// format of Prometheus (version 0.0.4). It is an [http.Handler]. Clients cannot
// add labels.
type Metrics struct {
	mu    sync.Mutex
	areas map[string]*area
}

// area holds the figures of a part of the server.
type area struct {
	requests map[int]int // by status
	bytes    int64
	within   [len(bounds)]int // requests within each bound
	seconds  float64
}

// bounds are the upper bounds of the histogram in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, math.Inf(1)}

func (m *Metrics) count(r *http.Request, status int, bytes int64, took time.Duration) {
	name, seconds := areaOf(r.URL.Path), took.Seconds()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.areas == nil {
		m.areas = make(map[string]*area)
	}
	a := m.areas[name]
	if a == nil {
		a = &area{requests: make(map[int]int)}
		m.areas[name] = a
	}
	for i, bound := range bounds {
		if seconds <= bound {
			a.within[i]++
		}
	}
	a.requests[status]++
	a.bytes += bytes
	a.seconds += seconds
}

// ServeHTTP implements [http.Handler].
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(m.text())
}

// text returns the metrics, family by family, as the format requires.
func (m *Metrics) text() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	var requests, bytes, seconds strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m.areas)) {
		a := m.areas[name]
		for _, status := range slices.Sorted(maps.Keys(a.requests)) {
			fmt.Fprintf(&requests, "ayna_requests_total{area=%q,status=\"%d\"} %d\n", name, status, a.requests[status])
		}
		fmt.Fprintf(&bytes, "ayna_sent_bytes_total{area=%q} %d\n", name, a.bytes)
		for i, bound := range bounds {
			fmt.Fprintf(&seconds, "ayna_request_seconds_bucket{area=%q,le=\"%g\"} %d\n", name, bound, a.within[i])
		}
		fmt.Fprintf(&seconds, "ayna_request_seconds_sum{area=%q} %g\nayna_request_seconds_count{area=%q} %d\n", name, a.seconds, name, a.within[len(bounds)-1])
	}
	memory := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(memory)
	return fmt.Appendf(nil, "# TYPE ayna_requests_total counter\n%s"+
		"# TYPE ayna_sent_bytes_total counter\n%s"+
		"# TYPE ayna_request_seconds histogram\n%s"+
		"# TYPE ayna_memory_bytes gauge\nayna_memory_bytes %d\n"+
		"# TYPE ayna_goroutines gauge\nayna_goroutines %d\n",
		requests.String(), bytes.String(), seconds.String(), memory[0].Value.Uint64(), runtime.NumGoroutine())
}
