package server_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
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
	t.Parallel()
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
