package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"ayna/server"
)

func TestHosts(t *testing.T) {
	ok := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	strict := server.Middleware{Hosts: []string{"localhost", "ayna.example"}}.Wrap(ok)
	open := server.Middleware{}.Wrap(ok)
	for host, status := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST": 200, "localhost.": 200, "127.0.0.1:8080": 200, "127.9.9.9": 200,
		"[::1]:8080": 200, "[::1]": 200, "ayna.example": 200,
		"evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421,
		"192.168.1.5": 421, "0.0.0.0:8080": 421, "2130706433": 421, "": 200, // nobody's browser leaves it out
	} {
		for _, path := range []string{"/", "/v1/date"} {
			r := httptest.NewRequest("GET", path, nil)
			r.Host = host
			w := httptest.NewRecorder()
			strict.ServeHTTP(w, r)
			if w.Code != status || (path != "/" && status != 200 && !json.Valid(w.Body.Bytes())) {
				t.Errorf("%q %s: %d %s, want %d", host, path, w.Code, w.Body, status)
			}
			w = httptest.NewRecorder()
			if open.ServeHTTP(w, r); w.Code != 200 {
				t.Errorf("%q: %d where every host is allowed", host, w.Code)
			}
		}
	}
}

// journal is a log and its text.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func (j *journal) log() *slog.Logger { return slog.New(slog.NewJSONHandler(j, nil)) }

func TestPanic(t *testing.T) {
	var j journal
	h := server.Middleware{Log: j.log(), InFlight: 1}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/begun":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "half")
			http.NewResponseController(w).Flush()
			panic("after the beginning")
		case "/fine":
			io.WriteString(w, "fine")
		default:
			w.Header().Set("Content-Encoding", "gzip")
			panic("secret detail")
		}
	}))
	live := httptest.NewServer(h)
	defer live.Close()
	live.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	for range 3 { // a slot that a panic kept would be missed
		for path, status := range map[string]int{"/": 500, "/v1/articles": 500, "/fine": 200} {
			response, err := http.Get(live.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil || response.StatusCode != status || strings.Contains(string(body), "goroutine") || strings.Contains(string(body), "secret") {
				t.Errorf("%s: %d %s, %v", path, response.StatusCode, body, err)
			}
			if path == "/v1/articles" && !json.Valid(body) {
				t.Errorf("no JSON: %s", body)
			}
		}
		response, err := http.Get(live.URL + "/begun")
		if err == nil {
			_, err = io.ReadAll(response.Body)
			response.Body.Close()
		}
		if err == nil {
			t.Error("half an answer passes for a whole one")
		}
	}
	if text := j.String(); !strings.Contains(text, "secret detail") || !strings.Contains(text, "middleware_test.go") {
		t.Errorf("the log does not tell where: %s", text)
	}
}

func TestAccessLog(t *testing.T) {
	const key = "gizli-anahtar"
	var j journal
	h := server.Middleware{Log: j.log()}.Wrap(server.New(openSmall(t), server.Options{APIKey: key}))
	tests := []struct {
		target, path, query string
		status              int
		bytes               int
	}{
		{target: "/v1/date", path: "/v1/date", status: 200, bytes: 40},
		{target: "/v1/date?apikey=" + key, path: "/v1/date", query: "apikey=hidden", status: 200, bytes: 40},
		{target: "/v1/date?%61PI%4bey=" + key + "&$top=5", path: "/v1/date", query: "%24top=5&aPIKey=hidden", status: 200, bytes: 40},
		{target: "/v1/date?a=b;apikey=" + key, path: "/v1/date", query: "unreadable", status: 400, bytes: -1},
		{target: "/v1/date?apikey=" + key + "&x=%zz", path: "/v1/date", query: "unreadable", status: 400, bytes: -1},
		{target: "/v1/%0aGET%20%1b[31m", path: "/v1/\nGET \x1b[31m", status: 404, bytes: -1},
	}
	for _, test := range tests {
		before := len(j.String())
		get(h, "GET", test.target, "apikey", key)
		line := j.String()[before:]
		if strings.Contains(line, key) {
			t.Errorf("the key is in the log: %s", line)
		}
		if strings.Count(line, "\n") != 1 || strings.Contains(line, "\x1b") {
			t.Errorf("more than a line of text: %q", line)
		}
		var told struct {
			Method, Path, Query, From string
			Status, Bytes             int
			Took                      *int64
		}
		if err := json.Unmarshal([]byte(line), &told); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if told.Method != "GET" || told.Path != test.path || told.Query != test.query || told.Status != test.status || told.From == "" || told.Took == nil ||
			(test.bytes > 0 && told.Bytes != test.bytes) {
			t.Errorf("%s: %+v", test.target, told)
		}
	}
}

func TestMetrics(t *testing.T) {
	m := server.NewMetrics()
	mux := http.NewServeMux()
	mux.Handle("/v1/", server.New(openSmall(t), server.Options{}))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "page") })
	h := server.Middleware{Metrics: m}.Wrap(mux)
	for _, path := range []string{"/v1/date", "/v1/date", "/v1/articles/9", "/", "/" + strings.Repeat("x", 1000), "/healthz"} {
		get(h, "GET", path)
	}
	text := get(m, "GET", "/metrics").Body.String()
	for _, want := range []string{
		`ayna_requests_total{area="api",status="200"} 2`, `ayna_requests_total{area="api",status="404"} 1`,
		`ayna_requests_total{area="site",status="200"} 2`, `ayna_requests_total{area="health",status="200"} 1`,
		`ayna_sent_bytes_total{area="site"} 8`,
		`ayna_request_seconds_bucket{area="api",le="+Inf"} 3`, `ayna_request_seconds_count{area="api"} 3`,
		"# TYPE go_goroutines gauge", "process_resident_memory_bytes ",
	} {
		if !strings.Contains(text, want+"\n") && !strings.Contains(text, "\n"+want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "xxx") {
		t.Error("a client's text is among the figures")
	}
}

func TestHealth(t *testing.T) {
	var told []string
	h := server.Health(map[string]server.Component{"archive": component{nil}, "site": component{io.ErrUnexpectedEOF}}, func(name string, err error) {
		told = append(told, name+": "+err.Error())
	})
	w := get(h, "GET", "/healthz")
	if w.Code != 200 || w.Body.String() != `{"archive":"ok","site":"degraded","status":"degraded"}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if strings.Join(told, "|") != "site: unexpected EOF" {
		t.Errorf("told %q", told)
	}
	if w = get(server.Health(nil, nil), "GET", "/healthz"); w.Body.String() != `{"status":"ok"}` {
		t.Errorf("%s", w.Body)
	}
}

type component struct{ err error }

func (c component) Err() error { return c.err }
