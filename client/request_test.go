package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/client"
)

func list(c *client.Client) error {
	_, err := c.List(context.Background(), client.Articles, client.Query{})
	return err
}

func TestStatus(t *testing.T) {
	tests := []struct {
		name    string
		status  int
		body    string
		want    error // nil: none of the sentinels
		message string
	}{
		{"no content", 204, "", nil, ""},
		{"reset content", 205, "", nil, ""},
		{"partial content", 206, "[]", nil, ""},
		{"not modified", 304, "", nil, ""},
		{"bad request", 400, `{"Message":"bad filter","HelpLink":"x"}`, nil, "bad filter"},
		{"unauthorized", 401, `{"message":"No API key found in request"}`, client.ErrUnauthorized, "No API key found in request"},
		{"forbidden", 403, `{"error":{"message":"no"}}`, client.ErrForbidden, "no"},
		{"not found", 404, "nothing\n here\x1b[31m\u202e", client.ErrNotFound, "nothing here[31m"},
		{"gone", 410, "", client.ErrNotFound, ""},
		{"too many", 429, "Rate Limit Exceeded", client.ErrTooMany, "Rate Limit Exceeded"},
		{"unavailable", 503, "<html>busy</html>", nil, ""},
		{"unknown status", 522, strings.Repeat("ş", 500), nil, strings.Repeat("ş", 200)},
		{"not implemented", 501, `{"Message":5}`, nil, "5"},
	}
	sentinels := []error{client.ErrUnauthorized, client.ErrForbidden, client.ErrNotFound, client.ErrTooMany, client.ErrShape, client.ErrNotJSON, client.ErrTooLarge}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := connect(t, answering(test.status, test.body)).Article(context.Background(), "40")
			var e *client.Error
			if !errors.As(err, &e) {
				t.Fatalf("%T %v", err, err)
			}
			if e.Op != "GET /v1/articles/40" || e.Status != test.status || e.Message != test.message {
				t.Errorf("op %q, status %d, message %q", e.Op, e.Status, e.Message)
			}
			for _, sentinel := range sentinels {
				if errors.Is(err, sentinel) != (sentinel == test.want) {
					t.Errorf("is %q: %v", sentinel, errors.Is(err, sentinel))
				}
			}
			if !strings.Contains(err.Error(), fmt.Sprintf("GET /v1/articles/40: status %d", test.status)) {
				t.Errorf("text %q", err)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	const now = "Fri, 13 Nov 2026 10:00:00 GMT"
	tests := []struct {
		name   string
		values []string
		want   time.Duration
	}{
		{"seconds", []string{"2"}, 2 * time.Second},
		{"date", []string{"Fri, 13 Nov 2026 10:01:30 GMT"}, 90 * time.Second},
		{"past date", []string{"Fri, 13 Nov 2026 09:00:00 GMT"}, 0},
		{"negative", []string{"-1"}, 0},
		{"exponent", []string{"1e9"}, 0},
		{"huge", []string{"18446744073709551615"}, 1_000_000_000 * time.Second},
		{"garbage", []string{"soon"}, 0},
		{"two", []string{"3", "7"}, 7 * time.Second},
		{"none", nil, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			headers := []string{"Date: " + now}
			for _, value := range test.values {
				headers = append(headers, "Retry-After: "+value)
			}
			var e *client.Error
			if err := list(connect(t, answering(429, "", headers...))); !errors.As(err, &e) || e.RetryAfter != test.want {
				t.Errorf("got %+v, want %v", e, test.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	small := func(config *client.Config) { config.MaxBody = 1000 }
	t.Run("exactly", func(t *testing.T) {
		if err := list(connect(t, answering(200, "["+strings.Repeat(" ", 998)+"]"), small)); err != nil {
			t.Error(err)
		}
	})
	t.Run("one more", func(t *testing.T) {
		err := list(connect(t, answering(200, "["+strings.Repeat(" ", 999)+"]"), small))
		if !errors.Is(err, client.ErrTooLarge) {
			t.Error(err)
		}
	})
	t.Run("endless", func(t *testing.T) {
		sent := make(chan int, 1)
		endless := func(w http.ResponseWriter, r *http.Request) {
			n := 0
			for r.Context().Err() == nil && n < 64<<20 {
				n += 4096
				if _, err := io.WriteString(w, strings.Repeat(" ", 4096)); err != nil {
					break
				}
			}
			sent <- n
		}
		if err := list(connect(t, endless, small)); !errors.Is(err, client.ErrTooLarge) {
			t.Error(err)
		}
		if n := <-sent; n >= 64<<20 {
			t.Errorf("%d bytes were taken", n)
		}
	})
	t.Run("headers", func(t *testing.T) {
		if err := list(connect(t, answering(200, "[]", "X-Big: "+strings.Repeat("x", 128<<10)))); err == nil {
			t.Error("no error")
		}
	})
}

func TestTimeout(t *testing.T) {
	short := func(config *client.Config) { config.Timeout = 50 * time.Millisecond }
	wait := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	tests := []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"no header", wait},
		{"slow body", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "[")
			w.(http.Flusher).Flush()
			wait(w, r)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := list(connect(t, test.handler, short))
			if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "within 50ms") {
				t.Error(err)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := connect(t, wait).List(ctx, client.Articles, client.Query{})
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestBrokenConnections talks to a server below HTTP.
func TestBrokenConnections(t *testing.T) {
	tests := []struct {
		name, answer string
		want         error // nil: any
	}{
		{"nothing", "", nil},
		{"half a body", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n", io.ErrUnexpectedEOF},
		{"length too long", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n[]", io.ErrUnexpectedEOF},
		{"HTTP/1.0, cut", "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n", client.ErrNotJSON},
		{"key in the status line", "HTTP/1.1 " + canary + "\r\n\r\n", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					conn.Read(make([]byte, 4096))
					io.WriteString(conn, test.answer)
					conn.Close()
				}
			}()
			c, err := client.New(client.Config{BaseURL: "http://" + listener.Addr().String(), APIKey: canary, Timeout: 5 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			err = list(c)
			if err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			checkNoKey(t, err)
		})
	}
	t.Run("refused", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listener.Close()
		c, err := client.New(client.Config{BaseURL: "http://" + listener.Addr().String()})
		if err != nil {
			t.Fatal(err)
		}
		var e *net.OpError
		if err := list(c); !errors.As(err, &e) {
			t.Errorf("%T %v", err, err)
		}
	})
}

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(answering(200, "[]"))
	server.Config.ErrorLog = nil
	server.StartTLS()
	defer server.Close()
	c, err := client.New(client.Config{BaseURL: server.URL, APIKey: canary})
	if err != nil {
		t.Fatal(err)
	}
	if err := list(c); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("unknown authority: %v", err)
	}
	c, err = client.New(client.Config{BaseURL: server.URL, APIKey: canary, Transport: server.Client().Transport})
	if err != nil {
		t.Fatal(err)
	}
	if err := list(c); err != nil {
		t.Errorf("own transport: %v", err)
	}
}

func TestGate(t *testing.T) {
	t.Run("each request and hop", func(t *testing.T) {
		var gates, requests int
		c := connect(t, func(w http.ResponseWriter, r *http.Request) {
			requests++
			if r.URL.Path == "/v1/writers" {
				http.Redirect(w, r, "/again?Id=1", http.StatusFound)
				return
			}
			if r.URL.Path != "/again" {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			io.WriteString(w, `{"Id":"1"}`)
		}, func(config *client.Config) {
			config.Gate = func(context.Context) error { gates++; return nil }
		})
		if _, err := c.Writer(context.Background(), "1"); err != nil {
			t.Fatal(err)
		}
		if gates != 3 || requests != 3 {
			t.Errorf("%d gates, %d requests, want 3 and 3", gates, requests)
		}
	})
	t.Run("its error", func(t *testing.T) {
		spent := errors.New("budget spent")
		c := connect(t, func(http.ResponseWriter, *http.Request) { t.Error("a request left") },
			func(config *client.Config) { config.Gate = func(context.Context) error { return spent } })
		if err := list(c); !errors.Is(err, spent) {
			t.Error(err)
		}
	})
	t.Run("its waiting", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c, err := client.New(client.Config{
				BaseURL: "https://haber.example", Timeout: time.Second,
				Gate: func(context.Context) error { time.Sleep(time.Minute); return nil },
				Transport: transport(func(r *http.Request) *http.Response {
					if err := r.Context().Err(); err != nil {
						t.Error(err)
					}
					return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader("[]")), Request: r}
				}),
			})
			if err == nil {
				err = list(c)
			}
			if err != nil {
				t.Error(err)
			}
		})
	})
}

// TestErrorsHideTheKey lets the server repeat the key wherever it can.
