package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A front is a proxy of a real source, under whose address the source answers. One of its
// lists may be out of order.
type front struct {
	*httptest.Server
	listOf func(path string) string // the name of the list that a path asks for, "" for none

	mu     sync.Mutex
	list   string
	status int
	body   string
	met    int // requests for that list
}

// newFront puts a proxy in front of an address until the test ends.
func newFront(t *testing.T, address string, listOf func(path string) string) *front {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	f := &front{listOf: listOf}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Header.Del("Accept-Encoding") // compressed addresses cannot be replaced
		},
		Transport:      &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		ModifyResponse: func(r *http.Response) error { return f.edit(r, to.Host) },
	}
	f.Server = httptest.NewServer(proxy)
	t.Cleanup(f.Close)
	return f
}

// edit replaces the source's own address, and the answer of a list that is out of order.
func (f *front) edit(r *http.Response, host string) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body.Close()
	own := strings.TrimPrefix(f.URL, "http://")
	body = bytes.ReplaceAll(body, []byte(host), []byte(own))
	for _, values := range r.Header {
		for i := range values {
			values[i] = strings.ReplaceAll(values[i], host, own)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.list != "" && f.listOf(r.Request.URL.Path) == f.list {
		f.met++
		r.StatusCode, r.Status, body = f.status, "", []byte(f.body)
		for _, total := range []string{"X-Wp-Total", "X-Wp-Totalpages"} {
			if r.Header.Del(total); f.status == http.StatusOK {
				r.Header.Set(total, "0")
			}
		}
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Content-Length", fmt.Sprint(len(body)))
	return nil
}

// fail has a list answer otherwise until it is called again; "" is no list. It returns how
// many requests have met the former fault.
func (f *front) fail(list string, status int, body string) (met int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	met, f.met = f.met, 0
	f.list, f.status, f.body = list, status, body
	return met
}

// outages has each list answer with nothing, a refusal and an error while a mirror reads all
// lists again. No file of the site may change, then and afterwards, and a run that is not
// complete has to say why.
func (f *front) outages(t *testing.T, p *workdir, lists []string, empty func(list string) string) {
	before := p.tree(t, "public")
	for _, list := range lists {
		for _, answer := range []struct {
			name   string
			status int
			body   string
		}{{"[]", http.StatusOK, empty(list)}, {"403", http.StatusForbidden, `{"message":"no"}`}, {"500", http.StatusInternalServerError, `{"message":"no"}`}} {
			t.Run(list+" "+answer.name, func(t *testing.T) {
				p := p.copy(t)
				f.fail(list, answer.status, answer.body)
				p.env = append(p.env, "AHEAD=7h")
				c := p.startCommand(t, "ayna", "build", "--full")
				code := c.wait(t, 2*time.Minute)
				met := f.fail("", 0, "")
				changed := changedFiles(before, p.tree(t, "public"))
				t.Logf("%d requests, exit code %d, %d files changed\n%s%s", met, code, len(changed), messages(c.out), messages(c.err))
				switch {
				case met == 0:
					t.Error("nobody asked for the list")
				case len(changed) > 0:
					t.Errorf("%d files of the site have changed: %.500q", len(changed), changed)
				case code == 1 || code != exitOK && messages(c.err) == "" || answer.status != http.StatusOK && messages(c.out)+messages(c.err) == "":
					t.Errorf("exit code %d: %s", code, c.err)
				}
				p.env = append(p.env, "AHEAD=14h")
				c = p.startCommand(t, "ayna", "build", "--full")
				if code, changed := c.wait(t, 2*time.Minute), changedFiles(before, p.tree(t, "public")); code != exitOK || len(changed) > 0 {
					t.Errorf("afterwards: exit code %d, %d files have changed: %.500q\n%s", code, len(changed), changed, c.err)
				}
			})
		}
	}
}

// messages returns the lines that say more than how far a run is.
func messages(printed fmt.Stringer) (lines string) {
	for line := range strings.Lines(printed.String()) {
		if strings.HasPrefix(line, "build: ") || strings.Contains(line, "warning") {
			lines += line
		}
	}
	return lines
}

// changedFiles returns the names of files in which two trees differ.
func changedFiles(a, b map[string]string) (names []string) {
	for name := range a {
		if b[name] != a[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, was := a[name]; !was {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Lists of a real WordPress that are out of order change nothing in the mirror.
func TestWordPressOutages(t *testing.T) {
	w := openWordPress(t)
	f := newFront(t, w.address, func(path string) string {
		route, isAPI := strings.CutPrefix(path, "/wp-json/wp/v2/")
		if list, _, _ := strings.Cut(route, "/"); isAPI {
			return list
		}
		return ""
	})
	w = &wordPress{w.dir, f.URL}
	p := w.mirror(t)
	w.build(t, p)
	f.outages(t, p, []string{"posts", "etkinlikler", "pages", "categories", "users", "tags", "media", "taxonomies"}, func(list string) string {
		if list == "taxonomies" {
			return "{}"
		}
		return "[]"
	})
}

// Lists of a real Ghost that are out of order change nothing in the mirror.
func TestRealGhostOutages(t *testing.T) {
	g := openRealGhost(t)
	f := newFront(t, g.address, func(path string) string {
		route, isAPI := strings.CutPrefix(path, "/ghost/api/content/")
		if list, _, _ := strings.Cut(strings.TrimPrefix(route, "search-index/"), "/"); isAPI {
			return list
		}
		return ""
	})
	g = &realGhost{g.dir, f.URL}
	p := g.mirror(t)
	g.build(t, p)
	f.outages(t, p, []string{"posts", "pages", "tags", "authors", "settings"}, func(list string) string {
		if list == "settings" {
			return `{"settings":{},"meta":{}}`
		}
		return fmt.Sprintf(`{%q:[],"meta":{"pagination":{"page":1,"limit":100,"pages":1,"total":0,"next":null,"prev":null}}}`, list)
	})
}
