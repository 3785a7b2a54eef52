package client_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"ayna/client"
)

// canary is the API key of all tests.
const canary = "c4n4ry-0123456789abcdef"

// connect returns a client for a server with the handler.
func connect(t testing.TB, handler http.HandlerFunc, change ...func(*client.Config)) *client.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	config := client.Config{BaseURL: server.URL, APIKey: canary}
	for _, f := range change {
		f(&config)
	}
	c, err := client.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answering returns a handler that always gives this answer. Headers are "Name: value".
func answering(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for _, header := range headers {
			name, value, _ := strings.Cut(header, ": ")
			w.Header().Add(name, value)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func testdata(t testing.TB, name string) string {
	t.Helper()
	body, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestNewRefuses(t *testing.T) {
	tests := []struct{ name, base, key, want string }{
		{"no address", "", "", "not a full"},
		{"no scheme", "haber.example", "", "not a full"},
		{"file", "file:///etc/passwd", "", "not a full"},
		{"unreadable", "http://u:hunter2@[", "", "not a full"},
		{"user information", "https://u:hunter2@haber.example", "", "user name"},
		{"key in the query", "https://haber.example/?apikey=hunter2", "", "query"},
		{"fragment", "https://haber.example/#x", "", "fragment"},
		{"version in the address", "https://haber.example/v1/", "", "/v1"},
		{"key in clear", "http://haber.example", "hunter2", "https"},
		{"inner newline", "https://haber.example", "hunter2\nx", "blank"},
		{"not ASCII", "https://haber.example", "hunter2ş", "ASCII"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := client.New(client.Config{BaseURL: test.base, APIKey: test.key})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want an error with %q", err, test.want)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error prints the secret: %v", err)
			}
		})
	}
}

func TestNewAccepts(t *testing.T) {
	for _, base := range []string{
		"https://haber.example", "https://haber.example/", "https://haber.example:8443/api/", "http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1",
	} {
		if _, err := client.New(client.Config{BaseURL: base, APIKey: canary}); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
	if _, err := client.New(client.Config{BaseURL: "http://haber.example"}); err != nil {
		t.Errorf("without key: %v", err)
	}
}

func TestHeaders(t *testing.T) {
	tests := []struct{ name, key, want string }{
		{"as it is", canary, canary},
		{"trimmed", "\ufeff " + canary + " \r\n", canary},
		{"none", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := connect(t, func(w http.ResponseWriter, r *http.Request) {
				if got := r.Header.Get("apikey"); got != test.want {
					t.Errorf("apikey %q, want %q", got, test.want)
				}
				if _, sent := r.Header["Apikey"]; sent != (test.want != "") {
					t.Errorf("apikey sent: %v", sent)
				}
				if got := r.Header.Get("Accept"); got != "application/json" {
					t.Errorf("accept %q", got)
				}
				if got := r.Header.Get("User-Agent"); got != "deneme/1" {
					t.Errorf("user agent %q", got)
				}
				if strings.Contains(r.URL.String(), canary) {
					t.Errorf("the key is in the address %s", r.URL)
				}
				io.WriteString(w, "[]")
			}, func(config *client.Config) { config.APIKey, config.UserAgent = test.key, "deneme/1" })
			if _, err := c.List(context.Background(), client.Articles, client.Query{}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestBaseWithPath(t *testing.T) {
	c := connect(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != "/a%2Fb/haber/v1/articles" {
			t.Errorf("path %s", r.URL.EscapedPath())
		}
		io.WriteString(w, "[]")
	}, func(config *client.Config) { config.BaseURL += "/a%2Fb/haber/" })
	if _, err := c.List(context.Background(), client.Articles, client.Query{}); err != nil {
		t.Fatal(err)
	}
}

func TestPrintingHidesTheKey(t *testing.T) {
	config := client.Config{BaseURL: "https://haber.example", APIKey: canary}
	c, err := client.New(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		for _, value := range []any{config, &config, c, []any{config, c}, struct{ C *client.Client }{c}} {
			got := fmt.Sprintf(verb, value)
			if strings.Contains(got, canary) || strings.Contains(got, fmt.Sprintf("%x", canary)) {
				t.Errorf("%s of %T: %s", verb, value, got)
			}
		}
	}
	if got := fmt.Sprint(config); !strings.Contains(got, "haber.example") {
		t.Errorf("%s does not name the service", got)
	}
}

func TestConcurrentUse(t *testing.T) { // for the race detector
	c := connect(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/writers/") {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprintf(w, `{"Id":%q}`, r.URL.Query().Get("Id"))
	})
	done := make(chan error)
	for i := range 16 {
		go func() {
			writer, err := c.Writer(context.Background(), fmt.Sprint("w", i))
			if err == nil && writer.ID != fmt.Sprint("w", i) {
				err = fmt.Errorf("got %s", writer.ID)
			}
			done <- err
		}()
	}
	for range 16 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// transport answers without a network.
type transport func(*http.Request) *http.Response

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

func FuzzAnswer(f *testing.F) {
	for _, body := range []string{"[]", "null", `{"value":[{"Id":1}]}`, `{"d":{"results":[],"__count":"3"}}`, `{"a":[],"b":[]}`, `[{"Id":"1"},null]`, "\ufeff[]", "{\"\":[]}", `{"error":{"message":"x"}}`} {
		f.Add([]byte(body), "application/json; charset=windows-1254", 200)
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string, status int) {
		c, err := client.New(client.Config{BaseURL: "https://haber.example", APIKey: canary, Transport: transport(func(r *http.Request) *http.Response {
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(bytes.NewReader(body)), Request: r}
		})})
		if err != nil {
			t.Fatal(err)
		}
		batch, err := c.List(context.Background(), client.Articles, client.Query{})
		if err == nil && (status != 200 || len(bytes.TrimSpace(body)) < 2) {
			t.Errorf("a list of %d from status %d and %q", len(batch.Records), status, body)
		}
		for _, record := range batch.Records {
			if record[0] != '{' {
				t.Errorf("record %q", record)
			}
		}
		c.Single(context.Background(), client.Writers, "1")
		c.Date(context.Background())
	})
}
