package sync

import (
	"bytes"
	"io"
	"net/http"
)

// answerHosts returns a transport that lets handlers answer for their hosts
// and hands every other request to next.
func answerHosts(hosts map[string]http.Handler, next http.RoundTripper) http.RoundTripper {
	if len(hosts) == 0 {
		return next
	}
	return &hostTransport{hosts, next}
}

type hostTransport struct {
	hosts map[string]http.Handler
	next  http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (t *hostTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	handler, ok := t.hosts[request.URL.Host]
	if !ok {
		return t.next.RoundTrip(request)
	}
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	w := &answerWriter{header: make(http.Header)}
	if err := serve(handler, w, request); err != nil {
		return nil, err
	}
	w.WriteHeader(http.StatusOK) // unless it said something else
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: request,
	}, nil
}

// serve calls a handler as a server does: it may break off, or come too late.
func serve(handler http.Handler, w http.ResponseWriter, request *http.Request) (err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			err = io.ErrUnexpectedEOF
		default:
			panic(p)
		}
	}()
	handler.ServeHTTP(w, request)
	return request.Context().Err()
}

// answerWriter keeps an answer of a handler.
type answerWriter struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answerWriter) Header() http.Header         { return w.header }
func (w *answerWriter) Write(p []byte) (int, error) { return w.body.Write(p) }

// WriteHeader implements [http.ResponseWriter]: the first call counts.
func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}
