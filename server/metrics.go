package server

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

// Metrics are figures about the answers since the start, and of the process,
// in the text format of Prometheus (version 0.0.4). It is an [http.Handler].
// The labels are few and ours alone, so that no client can make them grow.
type Metrics struct {
	mu       sync.Mutex
	requests map[series]int
	bytes    map[string]int64
	seconds  map[string]*histogram
}

type series struct {
	area   string
	status int
}

// bounds are the upper ends of a histogram's classes, in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}

type histogram struct {
	upTo [len(bounds)]int // cumulative
	n    int
	sum  float64
}

// areaOf is the part of the server that a path belongs to.
func areaOf(path string) string {
	switch {
	case isAPI(path):
		return "api"
	case path == "/healthz":
		return "health"
	case path == liveEvents:
		return "live"
	}
	return "site"
}

func (m *Metrics) count(r *http.Request, status int, bytes int64, took time.Duration) {
	area, seconds := areaOf(r.URL.Path), took.Seconds()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requests == nil {
		m.requests, m.bytes, m.seconds = make(map[series]int), make(map[string]int64), make(map[string]*histogram)
	}
	h := m.seconds[area]
	if h == nil {
		h = new(histogram)
		m.seconds[area] = h
	}
	for i, bound := range bounds {
		if seconds <= bound {
			h.upTo[i]++
		}
	}
	h.n++
	h.sum += seconds
	m.bytes[area] += bytes
	m.requests[series{area, status}]++
}

// ServeHTTP implements [http.Handler].
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(m.text())
}

func (m *Metrics) text() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b bytes.Buffer
	order := func(a, b series) int { return cmp.Or(cmp.Compare(a.area, b.area), cmp.Compare(a.status, b.status)) }
	b.WriteString("# TYPE ayna_requests_total counter\n")
	for _, s := range slices.SortedFunc(maps.Keys(m.requests), order) {
		fmt.Fprintf(&b, "ayna_requests_total{area=%q,status=\"%d\"} %d\n", s.area, s.status, m.requests[s])
	}
	b.WriteString("# TYPE ayna_sent_bytes_total counter\n")
	for _, area := range slices.Sorted(maps.Keys(m.bytes)) {
		fmt.Fprintf(&b, "ayna_sent_bytes_total{area=%q} %d\n", area, m.bytes[area])
	}
	b.WriteString("# TYPE ayna_request_seconds histogram\n")
	for _, area := range slices.Sorted(maps.Keys(m.seconds)) {
		h := m.seconds[area]
		for i, bound := range bounds {
			fmt.Fprintf(&b, "ayna_request_seconds_bucket{area=%q,le=\"%g\"} %d\n", area, bound, h.upTo[i])
		}
		fmt.Fprintf(&b, "ayna_request_seconds_bucket{area=%q,le=\"+Inf\"} %d\n", area, h.n)
		fmt.Fprintf(&b, "ayna_request_seconds_sum{area=%q} %g\nayna_request_seconds_count{area=%q} %d\n", area, h.sum, area, h.n)
	}
	held := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(held)
	fmt.Fprintf(&b, "# TYPE ayna_memory_bytes gauge\nayna_memory_bytes %d\n", held[0].Value.Uint64())
	fmt.Fprintf(&b, "# TYPE ayna_goroutines gauge\nayna_goroutines %d\n", runtime.NumGoroutine())
	return b.Bytes()
}
