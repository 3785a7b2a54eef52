package wordpress_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// The REST API is found below a path, with plain permalinks, in a page's HTML and behind
// redirects, and on the page's own host only.
func TestDiscover(t *testing.T) {
	pretty := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 3})
	plain := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 3, PlainPermalinks: true, Prefix: "/blog"})
	answer := func(header, body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/loop" {
				http.Redirect(w, r, "/loop", http.StatusFound)
				return
			}
			if header != "" {
				w.Header().Add("Link", `<https://a.example/>; rel="preload"`)
				w.Header().Add("Link", strings.ReplaceAll(header, "HOST", r.Host))
			}
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, strings.ReplaceAll(body, "HOST", r.Host))
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	moved := httptest.NewServer(http.RedirectHandler(pretty.Base+"/", http.StatusMovedPermanently))
	t.Cleanup(moved.Close)
	guarded := func(status int) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>", status) }))
		t.Cleanup(server.Close)
		return server.URL
	}
	api := `<http://HOST/wp-json/>; rel="https://api.w.org/"`
	for name, test := range map[string]struct {
		address, want string // want is the address found, "" is that itself
		err           error
	}{
		"pretty":                {pretty.Base, "", nil},
		"a page":                {pretty.Base + "/haber/", pretty.Base, nil},
		"plain, below a path":   {plain.Base + "/blog", "", nil},
		"moved":                 {moved.URL, pretty.Base, nil},
		"in HTML":               {answer("", `<html lang="de"><link rel="https://api.w.org/" href="/blog/wp-json/">`), "/blog", nil},
		"deeply nested":         {answer("", strings.Repeat("<div>", 600)+`<link rel="https://api.w.org/" href="/wp-json/">`), "", nil},
		"in a header, 404":      {answer(api, ""), "", nil},
		"among other links":     {answer(`<https://b.example/x>; rel=shortlink, `+api, ""), "", nil},
		"another host":          {answer(`<https://other.example/wp-json/>; rel="https://api.w.org/"`, ""), "", get.ErrRedirect},
		"an address of its own": {answer(`<http://HOST/api/>; rel="https://api.w.org/"`, ""), "", get.ErrShape},
		"no WordPress":          {answer("", "<p>wp-json"), "", wordpress.ErrNone},
		"a protection":          {guarded(http.StatusForbidden), "", homepage.ErrProtected},
		"maintenance":           {guarded(http.StatusServiceUnavailable), "", homepage.ErrProtected},
		"a loop":                {answer(api, "") + "/loop", "", get.ErrRedirect},
	} {
		found := ""
		page, err := homepage.Reader{}.Read(t.Context(), test.address)
		if err == nil {
			found, err = wordpress.Discover(page)
		}
		want := test.want
		switch {
		case want == "":
			want = test.address
		case want[0] == '/':
			want = test.address + want
		}
		if !errors.Is(err, test.err) || err == nil && found != want {
			t.Errorf("%s: %s, %v", name, found, err)
		}
	}
}

// A page may name its REST API with or without www.
func TestDiscoverWWW(t *testing.T) {
	for _, hosts := range [][2]string{{"kiyi.example", "www.kiyi.example"}, {"www.kiyi.example", "kiyi.example"}} {
		page := homepage.Page{URL: &url.URL{Scheme: "https", Host: hosts[0], Path: "/"}, Status: http.StatusOK, Header: http.Header{"Link": {`<http://` + hosts[1] + `/wp-json/>; rel="https://api.w.org/"`}}}
		if found, err := wordpress.Discover(page); err != nil || found != "https://"+hosts[1] {
			t.Errorf("%q: %s, %v", hosts, found, err)
		}
	}
}
