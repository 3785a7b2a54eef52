package wordpress_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"ayna/source"
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
		"a password":            {guarded(http.StatusUnauthorized), "", get.ErrGateway},
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

// A REST API that no page names is looked for at two addresses, once each, where a page is one of
// WordPress or is refused.
func TestSearch(t *testing.T) {
	for name, test := range map[string]struct {
		options  fakepaper.Options
		page     string // below the site
		requests int    // after that for the page
		err      error
	}{
		"no link":              {fakepaper.Options{NoLink: true}, "/", 1, nil},
		"no link, a path":      {fakepaper.Options{NoLink: true, Prefix: "/blog"}, "/haber-49000000/", 1, nil},
		"plain permalinks":     {fakepaper.Options{NoLink: true, PlainPermalinks: true}, "/", 2, nil},
		"a prefix":             {fakepaper.Options{RESTPrefix: "api"}, "/hakkimizda/", 2, nil},
		"a prefix, a path":     {fakepaper.Options{RESTPrefix: "api", Prefix: "/blog"}, "/", 2, nil},
		"a prefix, no link":    {fakepaper.Options{RESTPrefix: "api", NoLink: true}, "/", 2, nil},
		"forbidden":            {fakepaper.Options{HomeForbidden: true}, "/", 1, nil},
		"forbidden, a prefix":  {fakepaper.Options{HomeForbidden: true, RESTPrefix: "api"}, "/", 2, nil},
		"a key":                {fakepaper.Options{NoLink: true, Key: "ayse:gizli"}, "/", 1, nil},
		"forbidden, a key":     {fakepaper.Options{HomeForbidden: true, Key: "ayse:gizli"}, "/", 1, wordpress.ErrClosed},
		"closed":               {fakepaper.Options{RESTClosed: true}, "/", 3, get.ErrShape},
		"closed and forbidden": {fakepaper.Options{RESTClosed: true, HomeForbidden: true}, "/", 2, homepage.ErrProtected},
	} {
		test.options.Items = 3
		p := fakepaper.ListenWordPress(t, test.options)
		page, err := homepage.Reader{}.Read(t.Context(), p.Base+p.Prefix+test.page)
		if err != nil {
			t.Fatal(name, err)
		}
		p.ClearLog()
		found, err := wordpress.Search(t.Context(), page, source.Connection{})
		if !errors.Is(err, test.err) || err == nil && found != p.Base+p.Prefix {
			t.Errorf("%s: %s, %v", name, found, err)
		}
		if n := len(p.Requests()); n != test.requests {
			t.Errorf("%s: %d requests, want %d", name, n, test.requests)
		}
	}
	for name, page := range map[string]http.HandlerFunc{
		"another site": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>Kıyı") },
		"a busy site": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<html>wp-content/", http.StatusTooManyRequests)
		},
		"an API elsewhere": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `<link rel="https://api.w.org/" href="https://b.example/wp-json/"><p>wp-content/`)
		},
	} {
		requests := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { requests++; page(w, r) }))
		t.Cleanup(server.Close)
		read, err := homepage.Reader{}.Read(t.Context(), server.URL)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := wordpress.Search(t.Context(), read, source.Connection{}); !errors.Is(err, wordpress.ErrNone) || requests != 1 {
			t.Errorf("%s: %v after %d requests", name, err, requests)
		}
	}
}
