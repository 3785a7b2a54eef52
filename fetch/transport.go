package fetch

import (
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
		t.sum.Ahead = 0
		if ahead := date.Sub(t.now()); ahead.Abs() > maxSkew {
			t.sum.Ahead = int(ahead.Seconds())
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
