package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// Component is a component of the server that can fail.
type Component interface {
	Err() error // nil if all is well
}

// Health answers with {"status": "ok", "archive": "ok"}, one member for each
// component. A component with an error still answers from what it had before: it and the
// status are "degraded", with HTTP status 200, because a restart would lose what
// it has. Clients do not see the errors; report gets them.
func Health(components map[string]Component, report func(component string, err error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state := map[string]string{"status": "ok"}
		for name, component := range components {
			state[name] = "ok"
			if err := component.Err(); err != nil {
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
type Metrics struct{ set *metrics.Set }

// NewMetrics returns metrics without any answer.
func NewMetrics() *Metrics {
	metrics.ExposeMetadata(true) // the types of metrics
	return &Metrics{metrics.NewSet()}
}

// ServeHTTP implements [http.Handler].
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	m.set.WritePrometheus(w)
	metrics.WriteProcessMetrics(w)
	metrics.WriteFDMetrics(w)
}

// buckets are upper bounds in seconds.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}

func (m *Metrics) count(r *http.Request, status int, bytes int64, took time.Duration) {
	name := areaOf(r.URL.Path)
	m.set.GetOrCreateCounter(fmt.Sprintf(`ayna_requests_total{area=%q,status="%d"}`, name, status)).Inc()
	m.set.GetOrCreateCounter(fmt.Sprintf(`ayna_sent_bytes_total{area=%q}`, name)).AddInt64(bytes)
	m.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf(`ayna_request_seconds{area=%q}`, name), buckets).Update(took.Seconds())
}
