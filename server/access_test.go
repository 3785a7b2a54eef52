package server_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ayna/server"
)

// clock is a time that a test moves.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// spelled returns a header whose name is spelled just so.
func spelled(w *httptest.ResponseRecorder, name string) string {
	return strings.Join(w.Header()[name], "|")
}

func TestQuota(t *testing.T) {
	const key = "gizli-anahtar"
	c := &clock{time.Date(2026, 11, 20, 9, 59, 58, 900e6, time.UTC)}
	h := server.New(openSmall(t), server.Options{APIKey: key, PerSecond: 2, PerHour: 5, Now: c.Now})
	steps := []struct {
		name                   string
		after                  time.Duration
		status                 int
		second, hour, retryGap string
	}{
		{name: "first", status: 200, second: "1", hour: "4"},
		{name: "second", after: 50 * time.Millisecond, status: 200, second: "0", hour: "3"},
		{name: "one too many", status: 429, second: "0", hour: "3", retryGap: "1"},
		{name: "refused does not count", status: 429, second: "0", hour: "3", retryGap: "1"},
		{name: "next second", after: 100 * time.Millisecond, status: 200, second: "1", hour: "2"},
		{name: "next hour", after: time.Second, status: 200, second: "1", hour: "4"},
		{name: "hour goes on", after: time.Second, status: 200, second: "1", hour: "3"},
		{name: "hour goes on", after: time.Second, status: 200, second: "1", hour: "2"},
		{name: "hour goes on", after: time.Second, status: 200, second: "1", hour: "1"},
		{name: "hour goes on", after: time.Second, status: 200, second: "1", hour: "0"},
		{name: "hour used up", after: time.Second, status: 429, second: "2", hour: "0", retryGap: "3595"},
		{name: "clock goes back", after: -2 * time.Hour, status: 200, second: "1", hour: "4"},
	}
	for _, s := range steps {
		c.now = c.now.Add(s.after)
		w := get(h, "GET", "/v1/date", "apikey", key)
		header := func(name string) string { return spelled(w, name) }
		if w.Code != s.status || header("X-RateLimit-Limit-second") != "2" || header("X-RateLimit-Limit-hour") != "5" ||
			header("X-RateLimit-Remaining-second") != s.second || header("X-RateLimit-Remaining-hour") != s.hour || header("Retry-After") != s.retryGap {
			t.Errorf("%s: %d %v, want %d with %s and %s left", s.name, w.Code, w.Header(), s.status, s.second, s.hour)
		}
		if s.status == 429 && (w.Body.String() != "Rate Limit Exceeded\n" || header("Content-Type") != "text/plain; charset=utf-8") {
			t.Errorf("%s: %s %q", s.name, header("Content-Type"), w.Body)
		}
		if wrong := get(h, "GET", "/v1/date", "apikey", "x"); wrong.Code != 401 || spelled(wrong, "X-RateLimit-Limit-hour") != "5" || spelled(wrong, "X-RateLimit-Remaining-hour") != "5" {
			t.Errorf("%s: a wrong key: %d %v", s.name, wrong.Code, wrong.Header())
		}
	}
}

func TestQuotaOfHoursAlone(t *testing.T) {
	w := get(server.New(openSmall(t), server.Options{PerHour: 5}), "GET", "/v1/date")
	if spelled(w, "X-RateLimit-Remaining-hour") != "4" || spelled(w, "X-RateLimit-Limit-second") != "1000000000" {
		t.Errorf("%v", w.Header())
	}
}

func TestOrigins(t *testing.T) {
	const key, friend = "gizli-anahtar", "https://arkadas.example"
	off := server.New(openSmall(t), server.Options{APIKey: key})
	on := server.New(openSmall(t), server.Options{APIKey: key, PerHour: 1, Origins: []string{"http://localhost:3000", friend}})
	preflight := []string{"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "apikey"}
	tests := []struct {
		name   string
		on     bool
		method string
		header []string
		status int
		origin string
	}{
		{name: "off by default", method: "GET", header: []string{"Origin", friend, "apikey", key}, status: 200},
		{name: "off by default, preflight", method: "OPTIONS", header: append([]string{"Origin", friend}, preflight...), status: 401},
		{name: "preflight needs no key", on: true, method: "OPTIONS", header: append([]string{"Origin", friend}, preflight...), status: 204, origin: friend},
		{name: "preflight of a stranger", on: true, method: "OPTIONS", header: append([]string{"Origin", "https://evil.example"}, preflight...), status: 401},
		{name: "OPTIONS that is no preflight", on: true, method: "OPTIONS", header: []string{"Origin", friend}, status: 401, origin: friend},
		{name: "friend", on: true, method: "GET", header: []string{"Origin", friend, "apikey", key}, status: 200, origin: friend},
		{name: "friend reads why not", on: true, method: "GET", header: []string{"Origin", friend, "apikey", key}, status: 429, origin: friend},
		{name: "friend without a key", on: true, method: "GET", header: []string{"Origin", friend}, status: 401, origin: friend},
		{name: "stranger", on: true, method: "GET", header: []string{"Origin", friend + ".evil.example"}, status: 401},
		{name: "null", on: true, method: "GET", header: []string{"Origin", "null"}, status: 401},
		{name: "no origin", on: true, method: "GET", status: 401},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := off
			if test.on {
				h = on
			}
			w := get(h, test.method, "/v1/date", test.header...)
			if w.Code != test.status || w.Header().Get("Access-Control-Allow-Origin") != test.origin {
				t.Errorf("%d for %q, want %d for %q", w.Code, w.Header().Get("Access-Control-Allow-Origin"), test.status, test.origin)
			}
			if (w.Header().Get("Vary") == "Origin") != test.on {
				t.Errorf("Vary %q", w.Header().Get("Vary"))
			}
			if test.status == 204 && (w.Header().Get("Access-Control-Allow-Headers") != "apikey" || w.Header().Get("Access-Control-Allow-Methods") != "GET, HEAD") {
				t.Errorf("%v", w.Header())
			}
			if exposes := strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "X-RateLimit-Remaining-hour"); exposes != (test.origin != "" && test.status != 204) {
				t.Errorf("%v", w.Header())
			}
		})
	}
}

// On the wire, too, the names of the quota's headers are those of the service.
func TestQuotaHeadersOnTheWire(t *testing.T) {
	live := httptest.NewServer(server.New(openSmall(t), server.Options{PerSecond: 5, PerHour: 500}))
	defer live.Close()
	answer := exchange(t, live.Listener.Addr().String(), "GET /v1/date HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	for _, want := range []string{"\r\nX-RateLimit-Limit-second: 5\r\n", "\r\nX-RateLimit-Remaining-second: 4\r\n", "\r\nX-RateLimit-Limit-hour: 500\r\n", "\r\nX-RateLimit-Remaining-hour: 499\r\n"} {
		if !strings.Contains(answer, want) {
			t.Errorf("%q is not in\n%s", want, answer)
		}
	}
}
