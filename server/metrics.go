package server

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
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

// Metrics counts answers since the start and measures the process, for Prometheus.
// It is an [http.Handler]. Clients cannot add labels.
type Metrics struct {
	http.Handler
	requests *prometheus.CounterVec
	bytes    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// NewMetrics returns metrics without any answer.
func NewMetrics() *Metrics {
	m := &Metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ayna_requests_total", Help: "Answers by area of the server and HTTP status.",
		}, []string{"area", "status"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ayna_sent_bytes_total", Help: "Bytes of bodies that were sent.",
		}, []string{"area"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "ayna_request_seconds", Help: "Seconds until an answer was sent.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"area"}),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, m.bytes, m.seconds,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.Handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

func (m *Metrics) count(r *http.Request, status int, bytes int64, took time.Duration) {
	name := areaOf(r.URL.Path)
	m.requests.WithLabelValues(name, strconv.Itoa(status)).Inc()
	m.bytes.WithLabelValues(name).Add(float64(bytes))
	m.seconds.WithLabelValues(name).Observe(took.Seconds())
}
