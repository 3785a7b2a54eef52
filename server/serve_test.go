package server_test

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayna/server"
)

// start serves a handler in a frame until the test ends or stop is called,
// which returns once the server has.
func start(t *testing.T, frame server.Frame, h http.Handler) (address string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, listener, frame.Around(h), slog.New(slog.DiscardHandler)) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	t.Cleanup(stop)
	return listener.Addr().String(), stop
}

// exchange sends bytes and returns what comes back until the server closes.
func exchange(t *testing.T, address, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(30 * time.Second))
	go io.WriteString(c, request)
	answer, err := io.ReadAll(c)
	if err != nil && len(answer) == 0 {
		t.Fatal(err)
	}
	return string(answer)
}

func TestV03V14Requests(t *testing.T) {
	address, _ := start(t, server.Frame{}, server.Split(newSmall(t, server.Options{}), server.Health(nil, nil), site(t)))
	const end = "Host: localhost\r\nConnection: close\r\n\r\n"
	tests := []struct{ name, request, status string }{
		{"fine", "GET / HTTP/1.1\r\n" + end, "200"},
		{"health", "GET /healthz HTTP/1.1\r\n" + end, "200"},
		{"API", "GET /v1/date HTTP/1.1\r\n" + end, "200"},
		{"V03 up", "GET /../secret.txt HTTP/1.1\r\n" + end, "404"},
		{"V03 up, escaped", "GET /%2e%2e/secret.txt HTTP/1.1\r\n" + end, "404"},
		{"V03 up, slash escaped", "GET /..%2fsecret.txt HTTP/1.1\r\n" + end, "404"},
		{"V03 backslash", "GET /..%5csecret.txt HTTP/1.1\r\n" + end, "404"},
		{"V03 NUL", "GET /index.html%00 HTTP/1.1\r\n" + end, "404"},
		{"V03 raw NUL", "GET /index.html\x00 HTTP/1.1\r\n" + end, "400"},
		{"V03 64 KiB", "GET /" + strings.Repeat("a", 64<<10) + " HTTP/1.1\r\n" + end, "404"},
		{"V14 POST", "POST /v1/articles HTTP/1.1\r\nContent-Length: 2\r\n" + end + "{}", "405"},
		{"V14 PUT", "PUT /index.html HTTP/1.1\r\nContent-Length: 2\r\n" + end + "{}", "405"},
		{"V14 TRACE", "TRACE / HTTP/1.1\r\n" + end, "405"},
		{"V14 1 GiB", "GET /v1/articles HTTP/1.1\r\nContent-Length: 1073741824\r\n" + end, "413"},
		{"V14 1 GiB, to be continued", "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1073741824\r\n" + end, "413"},
		{"V14 endless", "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + end, "413"},
		{"V14 1 MiB of headers", "GET / HTTP/1.1\r\nX: " + strings.Repeat("a", 1<<20) + "\r\n" + end, "431"},
		{"V14 length and chunks", "GET / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n" + end, "413"},
		{"V14 HTTP/2 unasked", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", "4"},
		{"V14 HTTP/2 by upgrade", "GET / HTTP/1.1\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\n\r\n", "200"},
		{"two hosts", "GET / HTTP/1.1\r\nHost: a\r\n" + end, "400"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			answer := exchange(t, address, test.request)
			if !strings.HasPrefix(answer, "HTTP/1.1 "+test.status) {
				t.Errorf("%.200q, want %s", answer, test.status)
			}
			if strings.Contains(answer, "secret") {
				t.Errorf("outside of the tree: %q", answer)
			}
		})
	}
	for _, path := range []string{"//evil.example/%2e%2e", "//evil.example", "///evil.example/..", "/\\evil.example", "//evil.example/%2e%2e/spor"} {
		answer := exchange(t, address, "GET "+path+" HTTP/1.1\r\n"+end)
		_, after, redirected := strings.Cut(answer, "\r\nLocation: ")
		target, _, _ := strings.Cut(after, "\r\n")
		if redirected && (strings.HasPrefix(target, "//") || strings.Contains(target, "\\") || strings.Contains(target, ":")) {
			t.Errorf("V03 %s leads to %s", path, target)
		}
	}
}

// Five hundred clients that never end their headers do not keep others
// waiting, and are sent away.
func TestV01SlowHeaders(t *testing.T) {
	address, stop := start(t, server.Frame{}, site(t))
	var slow []net.Conn
	for range 500 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX: "); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, c)
	}
	client := &http.Client{Timeout: 30 * time.Second}
	defer client.CloseIdleConnections()
	var took []time.Duration
	for range 300 {
		began := time.Now()
		response, err := client.Get("http://" + address + "/")
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		took = append(took, time.Since(began))
		if response.StatusCode != 200 {
			t.Fatalf("status %d", response.StatusCode)
		}
	}
	slices.Sort(took)
	t.Logf("beside 500 slow clients: p50 %v, p99 %v", took[150], took[297])
	for _, c := range slow {
		c.SetReadDeadline(time.Now().Add(60 * time.Second))
		if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("a slow client is never sent away")
		}
	}
	client.CloseIdleConnections()
	stop()
}

// Readers that take nothing of a large file lose their places, and one that
// takes it gets the whole.
func TestV02SlowReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the time-out of a piece")
	}
	dir := t.TempDir()
	large := strings.Repeat("0123456789abcdef", 1<<20)
	put(t, filepath.Join(dir, "a.bin"), large, old)
	address, stop := start(t, server.Frame{InFlight: 9}, preview(t, dir))
	for range 8 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.(*net.TCPConn).SetReadBuffer(4 << 10)
		io.WriteString(c, "GET /a.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	// It needs longer for the whole than a piece may take.
	steady, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer steady.Close()
	steady.(*net.TCPConn).SetReadBuffer(64 << 10)
	io.WriteString(steady, "GET /a.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	response, err := http.ReadResponse(bufio.NewReader(steady), nil)
	if err != nil {
		t.Fatal(err)
	}
	var body strings.Builder
	for err == nil {
		time.Sleep(time.Second)
		_, err = io.CopyN(&body, response.Body, 1<<20)
	}
	if body.String() != large {
		t.Errorf("a steady reader gets %d bytes: %v", body.Len(), err)
	}
	// Every place is free again once the slow ones have been given up.
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		if busy(t, address, 9) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("slow readers keep their places")
		}
	}
	stop()
}

// A file that is cut off while it is sent does not pass for a whole one.
func TestCutOffFile(t *testing.T) {
	dir := t.TempDir()
	random := make([]byte, 12<<20)
	rand.NewChaCha8([32]byte{}).Read(random)
	put(t, filepath.Join(dir, "a.txt"), hex.EncodeToString(random), old)
	address, stop := start(t, server.Frame{}, preview(t, dir))
	for _, accept := range []string{"gzip", "identity"} {
		put(t, filepath.Join(dir, "a.txt"), hex.EncodeToString(random), old)
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.(*net.TCPConn).SetReadBuffer(4 << 10)
		io.WriteString(c, "GET /a.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: "+accept+"\r\n\r\n")
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(dir, "a.txt"), 100); err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, response.Body); err == nil {
			t.Errorf("%s: %d bytes pass for the whole", accept, n)
		}
	}
	stop()
}

// busy returns how many of n requests at the same time find no place.
func busy(t *testing.T, address string, n int) int {
	t.Helper()
	var conns []net.Conn
	refused := 0
	for range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, "GET /a.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		conns = append(conns, c)
	}
	for _, c := range conns {
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || response.StatusCode != 200 {
			refused++
		}
	}
	return refused
}

// descriptors returns how many files and sockets the process has open.
func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("counts descriptors in /proc")
	}
	return len(entries)
}

// settle waits until a count is down at most to what it was.
func settle(t *testing.T, what string, was int, count func() int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); count() > was; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("%d %s, before %d", count(), what, was)
			return
		}
	}
}

// Ten thousand requests, many of whose clients leave early: each gets a whole
// answer or a clear refusal, and nothing is left over.
func TestV18Flood(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "index.html"), strings.Repeat("a", 20_000), old)
	h := server.Split(newSmall(t, server.Options{}), server.Health(nil, nil), preview(t, dir))
	get(h, "GET", "/v1/articles")
	get(h, "GET", "/")
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	address, stop := start(t, server.Frame{InFlight: 20}, h)
	total := 10_000
	if testing.Short() {
		total = 1000
	}
	var next, fine, refused atomic.Int64
	var clients sync.WaitGroup
	for range 200 {
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

func TestV18RefusesAboveTheLimit(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	h := server.Frame{InFlight: 2}.Around(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
		if w.Code != 503 || w.Header().Get("Retry-After") == "" || w.Header().Get("Content-Type") != want {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	close(leave)
	two.Wait()
}

// The server is stopped while clients are at it: every answer that begins is
// whole, and those in flight are given.
func TestV20StopUnderLoad(t *testing.T) {
	inFlight := make(chan struct{}, 100)
	mux := http.NewServeMux()
	mux.Handle("/", site(t))
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		inFlight <- struct{}{}
		time.Sleep(time.Second)
		w.Header().Set("Content-Length", "4")
		io.WriteString(w, "done")
	})
	address, stop := start(t, server.Frame{}, mux)
	var clients sync.WaitGroup
	for range 5 {
		clients.Go(func() {
			if answer := exchange(t, address, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"); !strings.HasSuffix(answer, "\r\n\r\ndone") {
				t.Errorf("in flight when the server stopped: %q", answer)
			}
		})
		<-inFlight
	}
	var whole atomic.Int64
	for range 8 {
		clients.Go(func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			client := http.Client{Transport: transport}
			for {
				response, err := client.Get("http://" + address + "/media/a.jpg")
				if err != nil {
					return // nobody listens any more
				}
				body, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil || string(body) != "0123456789" {
					t.Errorf("a broken answer: %q, %v", body, err)
				}
				whole.Add(1)
			}
		})
	}
	for whole.Load() < 50 {
		time.Sleep(time.Millisecond)
	}
	stop()
	clients.Wait()
	if _, err := net.Dial("tcp", address); err == nil {
		t.Error("it still listens")
	}
}

// A handler that does not end is cut off.
func TestV20StopsInTheEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the end of the server's patience")
	}
	inside := make(chan struct{})
	address, stop := start(t, server.Frame{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(inside)
		<-r.Context().Done()
	}))
	go func() {
		if response, err := http.Get("http://" + address); err == nil {
			response.Body.Close()
		}
	}()
	<-inside
	stop()
}

func TestLiveEvents(t *testing.T) {
	dir := t.TempDir()
	manifest := filepath.Join(dir, "manifest.sha256")
	put(t, manifest, "1", old)
	ctx, cancel := context.WithCancel(t.Context())
	p, err := server.OpenPreview(ctx, dir, server.PreviewOptions{Live: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	address, stop := start(t, server.Frame{}, p)
	listen := func(lastSeen string) *bufio.Scanner {
		r, err := http.NewRequest("GET", "http://"+address+"/.ayna/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Last-Event-ID", lastSeen)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" {
			t.Errorf("type %s", kind)
		}
		return bufio.NewScanner(response.Body)
	}
	next := func(s *bufio.Scanner) (event string) {
		for s.Scan() && s.Text() != "" {
			event += s.Text() + "|"
		}
		return event
	}
	first := fmt.Sprintf("%d-1", old.UnixNano())
	events := listen("")
	if got := next(events); got != "id: "+first+"|" {
		t.Fatalf("at first %q", got)
	}
	put(t, manifest, "22", old.Add(time.Hour))
	second := fmt.Sprintf("%d-2", old.Add(time.Hour).UnixNano())
	want := "event: publish|id: " + second + "|data: {}|"
	if got := next(events); got != want {
		t.Errorf("after a publication %q, want %q", got, want)
	}
	late := listen(first)
	next(late)
	if got := next(late); got != want {
		t.Errorf("to one that was away %q, want %q", got, want)
	}
	cancel()
	if events.Scan() || late.Scan() {
		t.Error("the streams go on")
	}
	http.DefaultClient.CloseIdleConnections()
	stop()
}
