package server_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayna/server"
	"ayna/testrun"
)

// descriptors returns how many files and sockets the process has open.
func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("counts descriptors in /proc")
	}
	return len(entries)
}

// settle waits until a count is not above a former value.
func settle(t *testing.T, what string, was int, count func() int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); count() > was; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("%d %s, before %d", count(), what, was)
			return
		}
	}
}

// Of a thousand requests, or ten thousand, each gets a whole answer or status 503,
// also if many clients leave early. No goroutine and no file stays open.
func TestFlood(t *testing.T) {
	testrun.NotShort(t)
	dir := t.TempDir()
	put(t, filepath.Join(dir, "index.html"), strings.Repeat("a", 20_000), old)
	h := server.Split(newSmall(t, server.Options{}), server.Health(nil, nil), preview(t, dir))
	get(h, "GET", "/v1/articles")
	get(h, "GET", "/")
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	address, stop := start(t, server.Middleware{InFlight: 20}, h)
	total := testrun.Counts{Plain: 1000, Long: 10_000}.Now()
	var next, fine, refused atomic.Int64
	var clients sync.WaitGroup
	for range 100 {
		clients.Go(func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			for n := next.Add(1); n <= int64(total); n = next.Add(1) {
				switch status, err := request(transport, address, n); {
				case err != nil:
					t.Errorf("request %d: %v", n, err)
				case status == 200:
					fine.Add(1)
				case status == 503:
					refused.Add(1)
				}
			}
		})
	}
	clients.Wait()
	stop()
	t.Logf("%d answered, %d refused with 503", fine.Load(), refused.Load())
	if fine.Load() == 0 {
		t.Error("nothing was answered")
	}
	settle(t, "goroutines", goroutines, runtime.NumGoroutine)
	settle(t, "descriptors", files, func() int { return descriptors(t) })
}

// request makes one request of a flood; every fifth leaves before the answer.
func request(transport http.RoundTripper, address string, n int64) (status int, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+address+[]string{"/", "/v1/articles", "/v1/search/kar"}[n%3], nil)
	if err != nil {
		return 0, err
	}
	leaves := n%5 == 0
	if leaves {
		time.AfterFunc(time.Duration(n%7)*100*time.Microsecond, cancel)
	}
	response, err := transport.RoundTrip(r)
	if err == nil {
		defer response.Body.Close()
		status = response.StatusCode
		_, err = io.Copy(io.Discard, response.Body)
	}
	if leaves {
		return status, nil
	}
	return status, err
}

func TestRefusesAboveTheLimit(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	h := server.Middleware{InFlight: 2}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inside <- struct{}{}
		<-leave
	}))
	var two sync.WaitGroup
	for range 2 {
		two.Go(func() { get(h, "GET", "/") })
		<-inside
	}
	for path, want := range map[string]string{"/": "text/plain; charset=utf-8", "/v1/articles": "application/json; charset=utf-8"} {
		w := get(h, "GET", path)
		if w.Code != 503 || w.Header().Get("Retry-After") != "1" || w.Header().Get("Content-Type") != want {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	close(leave)
	two.Wait()
}
