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
	"testing/synctest"
	"time"

	"ayna/server"
)

// start serves a handler behind middleware until the test ends or stop is called,
// which returns once the server has.
func start(t *testing.T, middleware server.Middleware, h http.Handler) (address string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener.Addr().String(), serve(t, listener, middleware, h)
}

func serve(t *testing.T, listener net.Listener, middleware server.Middleware, h http.Handler) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, listener, middleware.Wrap(h), slog.New(slog.DiscardHandler)) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// pipes is a listener without a network, for tests in virtual time.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	close    func()
}

// startPipes is start for [synctest.Test].
func startPipes(t *testing.T, middleware server.Middleware, h http.Handler) (p pipes, stop func()) {
	p = pipes{accepted: make(chan net.Conn), closed: make(chan struct{})}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	return p, serve(t, p, middleware, h)
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { p.close(); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) DialContext(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.accepted <- server:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// send sends the beginning of a request.
func (p pipes) send(t *testing.T, request string) net.Conn {
	t.Helper()
	c, err := p.DialContext(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	return c
}

// client returns an HTTP client; the caller closes its idle connections.
func (p pipes) client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: p.DialContext}}
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

func TestRequests(t *testing.T) {
	address, _ := start(t, server.Middleware{}, server.Split(newSmall(t, server.Options{}), server.Health(nil, nil), site(t)))
	const end = "Host: localhost\r\nConnection: close\r\n\r\n"
	tests := []struct{ name, request, status string }{
		{"fine", "GET / HTTP/1.1\r\n" + end, "200"},
		{"health", "GET /healthz HTTP/1.1\r\n" + end, "200"},
		{"API", "GET /v1/date HTTP/1.1\r\n" + end, "200"},
		{"up", "GET /../secret.txt HTTP/1.1\r\n" + end, "404"},
		{"up, escaped", "GET /%2e%2e/secret.txt HTTP/1.1\r\n" + end, "404"},
		{"up, slash escaped", "GET /..%2fsecret.txt HTTP/1.1\r\n" + end, "404"},
		{"backslash", "GET /..%5csecret.txt HTTP/1.1\r\n" + end, "404"},
		{"NUL", "GET /index.html%00 HTTP/1.1\r\n" + end, "404"},
		{"raw NUL", "GET /index.html\x00 HTTP/1.1\r\n" + end, "400"},
		{"64 KiB", "GET /" + strings.Repeat("a", 64<<10) + " HTTP/1.1\r\n" + end, "404"},
		{"POST", "POST /v1/articles HTTP/1.1\r\nContent-Length: 2\r\n" + end + "{}", "405"},
		{"PUT", "PUT /index.html HTTP/1.1\r\nContent-Length: 2\r\n" + end + "{}", "405"},
		{"TRACE", "TRACE / HTTP/1.1\r\n" + end, "405"},
		{"1 GiB", "GET /v1/articles HTTP/1.1\r\nContent-Length: 1073741824\r\n" + end, "413"},
		{"1 GiB, to be continued", "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1073741824\r\n" + end, "413"},
		{"endless", "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + end, "413"},
		{"1 MiB of headers", "GET / HTTP/1.1\r\nX: " + strings.Repeat("a", 1<<20) + "\r\n" + end, "431"},
		{"length and chunks", "GET / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n" + end, "413"},
		{"HTTP/2 unasked", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", "4"},
		{"HTTP/2 by upgrade", "GET / HTTP/1.1\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\n\r\n", "200"},
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
			t.Errorf("%s leads to %s", path, target)
		}
	}
}

// When the server stops under load, every answer that has begun is whole, and
// requests in flight are answered.
func TestStopUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inFlight, many := make(chan struct{}), make(chan struct{})
		mux := http.NewServeMux()
		mux.Handle("/", site(t))
		mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
			inFlight <- struct{}{}
			time.Sleep(time.Second)
			w.Header().Set("Content-Length", "4")
			io.WriteString(w, "done")
		})
		p, stop := startPipes(t, server.Middleware{}, mux)
		var clients sync.WaitGroup
		for range 5 {
			c := p.send(t, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
			clients.Go(func() {
				if answer, err := io.ReadAll(c); !strings.HasSuffix(string(answer), "\r\n\r\ndone") {
					t.Errorf("in flight when the server stopped: %q, %v", answer, err)
				}
			})
			<-inFlight
		}
		var whole atomic.Int64
		for range 8 {
			clients.Go(func() {
				client := p.client()
				defer client.CloseIdleConnections()
				for {
					response, err := client.Get("http://localhost/media/a.jpg")
					if err != nil {
						return // nobody listens any more
					}
					body, err := io.ReadAll(response.Body)
					response.Body.Close()
					if err != nil || string(body) != "0123456789" {
						t.Errorf("a broken answer: %q, %v", body, err)
					}
					if whole.Add(1) == 50 {
						close(many)
					}
				}
			})
		}
		<-many
		stop()
		clients.Wait()
		if _, err := p.DialContext(t.Context(), "", ""); err == nil {
			t.Error("it still listens")
		}
	})
}

// A handler that does not end is cut off.
func TestStopsInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inside := make(chan struct{})
		p, stop := startPipes(t, server.Middleware{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(inside)
			<-r.Context().Done()
		}))
		p.send(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		<-inside
		begun := time.Now()
		stop()
		if took := time.Since(begun); took != 5*time.Second {
			t.Errorf("it stopped after %v", took)
		}
	})
}
