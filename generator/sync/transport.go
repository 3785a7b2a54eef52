package sync

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"sync"
	"time"
)

// maxSkew is the difference of the two clocks above which it is reported.
const maxSkew = 5 * time.Minute

// transport counts requests and answers, and passes each answer to the quota.
type transport struct {
	next  http.RoundTripper
	quota *quota
	now   func() time.Time
	mu    sync.Mutex
	sum   Requests
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(request)
	if err := t.quota.observe(request, response); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sum.Sent++
	if err != nil {
		t.sum.ByStatus[0]++
		return nil, err
	}
	t.sum.ByStatus[response.StatusCode]++
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		if t.sum.Ahead = 0; date.Sub(t.now()).Abs() > maxSkew {
			t.sum.Ahead = int(date.Sub(t.now()).Seconds())
		}
	}
	response.Body = &countedBody{response.Body, t}
	return response, nil
}

// requests returns the counts so far.
func (t *transport) requests() Requests {
	t.mu.Lock()
	defer t.mu.Unlock()
	sum := t.sum
	sum.ByStatus = maps.Clone(sum.ByStatus)
	return sum
}

// countedBody counts the bytes that are read.
type countedBody struct {
	io.ReadCloser
	transport *transport
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.transport.mu.Lock()
	b.transport.sum.Bytes += int64(n)
	b.transport.mu.Unlock()
	return n, err
}

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
