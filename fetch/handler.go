package fetch

import (
	"bytes"
	"io"
	"net/http"
)

// handlerTransport passes requests to the handler of their host in this process, and all
// others to next.
type handlerTransport struct {
	hosts map[string]http.Handler
	next  http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (t *handlerTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	handler, ok := t.hosts[request.URL.Host]
	if !ok {
		return t.next.RoundTrip(request)
	}
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	w := &responseRecorder{header: make(http.Header)}
	if err := serveHandler(handler, w, request); err != nil {
		return nil, err
	}
	w.WriteHeader(http.StatusOK) // unless the handler set another one
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: request,
	}, nil
}

// serveHandler calls a handler as a server does. It returns an error if the handler
// aborts or outlasts the request.
func serveHandler(handler http.Handler, w http.ResponseWriter, request *http.Request) (err error) {
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

// responseRecorder is the [http.ResponseWriter] for a handler in this process.
type responseRecorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *responseRecorder) Header() http.Header         { return w.header }
func (w *responseRecorder) Write(p []byte) (int, error) { return w.body.Write(p) }

// WriteHeader sets the status at the first call.
func (w *responseRecorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}
