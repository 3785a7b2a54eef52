package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"ayna/server"
	"ayna/testrun/attack"
	"ayna/testrun/fakepaper"
)

// FuzzAPI: the answer to any request is JSON, a number, or a redirect to
// another path of this host, and never status 500.
func FuzzAPI(f *testing.F) {
	for _, seed := range [][2]string{
		{"/v1/articles", "$top=1&$skip=2"}, {"/v1/articles/41000001", ""}, {"/v1/search/kar", "$orderby=x"}, {"/v1/", ""}, {"/v1/openapi.json", ""}, {"/v1/date", ""},
		{"/v1/articles", "$filter=Path eq '/spor/'&$select=Id,Title&$orderby=Id desc"}, {"/v1/writers", "Id=65aa"}, {"/v1/../x", "%"}, {"/v1/columns/\x00", "$top=-1"}, {"/v1/paths//", "$skip=99999999999999999999"},
		{"//v1//articles('41000001')/", "$select=*"}, {"/v1/articles/$count", "$filter=Id gt '1'"}, {"/v1/search/k\xf6rfez/", "s=1"},
	} {
		f.Add(seed[0], seed[1])
	}
	for _, text := range slices.Concat(attack.For(attack.ID), attack.For(attack.Path), attack.For(attack.Address)) {
		f.Add("/v1/articles/"+text, "$filter="+text)
		f.Add("/v1/search/"+text, "Id="+url.QueryEscape(text))
	}
	h := server.New(fakepaper.Archive(f, small...), server.Options{})
	f.Fuzz(func(t *testing.T, path, query string) {
		if !strings.HasPrefix(strings.TrimLeft(path, "/"), "v1/") {
			path = "/v1/" + path
		}
		w := ask(h, path, query)
		kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
		to := w.Header().Get("Location")
		switch {
		case to != "":
			if len(to) < 2 || to[0] != '/' || strings.ContainsRune(`/\`, rune(to[1])) {
				t.Errorf("%q?%q leads to %q", path, query, to)
			}
		case w.Code >= 500, w.Code < 200, w.Code >= 300 && w.Code < 400:
			t.Errorf("%q?%q: %d %s", path, query, w.Code, w.Body)
		case w.Header().Get("X-Content-Type-Options") != "nosniff", w.Header().Get("Content-Security-Policy") == "":
			t.Errorf("%q?%q: %v", path, query, w.Header())
		case kind == "application/json" && !json.Valid(w.Body.Bytes()):
			t.Errorf("%q?%q: %s", path, query, w.Body)
		case kind != "application/json" && (w.Code != 200 || kind != "text/plain"):
			t.Errorf("%q?%q: %d %s", path, query, w.Code, kind)
		}
	})
}

// FuzzPreview: no path leads out of the published tree, or to what it hides.
func FuzzPreview(f *testing.F) {
	for _, path := range []string{"/", "/spor", "/spor/../../secret.txt", "/.git/config", "/./.git/config", "/spor//.hidden", "/dir/config", "/out.txt", "/\\..\\secret.txt", "/index.html/", "//e.example/..", "/index.html\x00"} {
		f.Add(path)
	}
	for _, path := range append(attack.For(attack.Path), attack.Traversals()...) {
		f.Add("/" + path + "/secret.txt")
	}
	h := site(f)
	f.Fuzz(func(t *testing.T, path string) {
		w := ask(h, path, "")
		if w.Code >= 500 || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%q: %d %s", path, w.Code, w.Body)
		}
		if to := w.Header().Get("Location"); to != "" && !strings.HasPrefix(to, "./") {
			t.Errorf("%q leads to %q", path, to)
		}
	})
}

// ask sends a request whose path and query need not be valid.
func ask(h http.Handler, path, query string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "/", nil)
	r.URL = &url.URL{Path: path, RawQuery: query}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
