package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ayna/server"
)

func TestKey(t *testing.T) {
	const key = "gizli-anahtar"
	open, closed := newSmall(t, server.Options{}), newSmall(t, server.Options{APIKey: key})
	tests := []struct {
		name    string
		handler http.Handler
		target  string
		header  []string
		status  int
	}{
		{name: "none asked", handler: open, target: "/v1/date", status: 200},
		{name: "none asked, one given", handler: open, target: "/v1/date", header: []string{"apikey", "x"}, status: 200},
		{name: "missing", handler: closed, target: "/v1/date", status: 401},
		{name: "header", handler: closed, target: "/v1/date", header: []string{"apikey", key}, status: 200},
		{name: "header in another case", handler: closed, target: "/v1/date", header: []string{"APIKEY", key}, status: 200},
		{name: "wrong header", handler: closed, target: "/v1/date", header: []string{"apikey", key + "x"}, status: 401},
		{name: "wrong header, right query", handler: closed, target: "/v1/date?apikey=" + key, header: []string{"apikey", "x"}, status: 401},
		{name: "query", handler: closed, target: "/v1/date?apikey=" + key, status: 200},
		{name: "query in another case", handler: closed, target: "/v1/articles?ApiKey=" + key + "&$top=1", status: 200},
		{name: "wrong query", handler: closed, target: "/v1/date?apikey=x", status: 401},
		{name: "before anything else is told", handler: closed, target: "/v1/nothing", status: 401},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := get(test.handler, "GET", test.target, test.header...)
			if w.Code != test.status || !json.Valid(w.Body.Bytes()) || strings.Contains(w.Body.String(), key) {
				t.Errorf("got %d %s, want %d", w.Code, w.Body, test.status)
			}
		})
	}
}

func TestMethods(t *testing.T) {
	h := newSmall(t, server.Options{})
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"} {
		if w := get(h, method, "/v1/articles"); w.Code != 405 || !strings.Contains(w.Header().Get("Allow"), "GET") {
			t.Errorf("%s: %d, Allow %q", method, w.Code, w.Header().Get("Allow"))
		}
	}
	live := httptest.NewServer(h)
	defer live.Close()
	response, err := http.Head(live.URL + "/v1/articles/41000001")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 200 || response.ContentLength != int64(len(string(small[0].Single))) {
		t.Errorf("HEAD: %d, length %d", response.StatusCode, response.ContentLength)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": ""} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestUnreadableArchive(t *testing.T) {
	a := openSmall(t)
	a.Close()
	w := get(server.New(a, server.Options{}), "GET", "/v1/articles")
	if w.Code != 500 || w.Body.String() != `{"Message":"the archive cannot be read","HelpLink":"/v1/"}` {
		t.Errorf("a closed archive: %d %s", w.Code, w.Body)
	}
}

func TestNothingInHeaders(t *testing.T) {
	h := newSmall(t, server.Options{})
	for _, target := range []string{
		"/v1/articles/%0d%0aEvil:%201", "/v1/search/%0d%0aEvil:%201", "/v1/articles?$filter=%0d%0aEvil:%201", "/v1/articles?%0d%0aEvil=1&%0d%0aEvil=1",
		"/v1/articles?$select=%0d%0aEvil:%201", "/v1/articles?$count=%0d%0aEvil:1", "/v1/articles?Id=%0d%0aEvil:%201", "/v1/%0d%0aEvil:%201", "/v1/?$x=%0d%0aEvil:%201",
		"/v1//evil.example/%2e%2e", "/v1/..%2f..%2fevil.example",
	} {
		w := get(h, "GET", target)
		for name, values := range w.Header() {
			if strings.ContainsAny(name+strings.Join(values, ""), "\r\n") || strings.Contains(name+strings.Join(values, ""), "Evil") {
				t.Errorf("%s: header %q: %q", target, name, values)
			}
		}
		if location := w.Header().Get("Location"); strings.HasPrefix(location, "//") || strings.Contains(location, "://") {
			t.Errorf("%s leads to %s", target, location)
		}
	}
}
