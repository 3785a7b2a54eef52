package server

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// record is what is written down of an answer while it is given.
type record struct {
	http.ResponseWriter
	status int // 0 before it begins
	bytes  int64
}

// WriteHeader implements [http.ResponseWriter].
func (r *record) WriteHeader(status int) {
	if r.status == 0 && status >= 200 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (r *record) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

// Unwrap is for [http.ResponseController].
func (r *record) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// keep writes an answer into the log and the figures. The log's handler makes
// one line of whatever a client sends.
func (f Frame) keep(r *http.Request, answer *record, took time.Duration) {
	if f.Metrics != nil {
		f.Metrics.count(r, answer.status, answer.bytes, took)
	}
	if !f.Log.Enabled(r.Context(), slog.LevelInfo) {
		return
	}
	f.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
		slog.String("from", r.RemoteAddr),
		slog.String("method", r.Method),
		slog.String("path", r.URL.Path),
		slog.String("query", withoutKeys(r.URL.RawQuery)),
		slog.Int("status", answer.status),
		slog.Int64("bytes", answer.bytes),
		slog.Duration("took", took),
	)
}

// withoutKeys returns a query as it may stand in a log.
func withoutKeys(query string) string {
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
