package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	model "ayna/generator/site"
	"ayna/server"
)

// site is a published tree that also has files that must not be served.
func site(t testing.TB) http.Handler {
	t.Helper()
	public := filepath.Join(t.TempDir(), "public")
	files := map[string]string{
		"index.html": "<title>ana sayfa</title>", "404.html": "<title>yok</title>", "spor/index.html": "spor",
		"spor/feed.xml": "<rss/>", "spor/atom.xml": "<feed/>", "feed.json": "{}", "opml.xml": "<opml/>",
		"sitemap.xml": "<urlset/>", "manifest.sha256": "0  x", "a.md": "# a", "robots.txt": "x",
		"assets/site.abc.css": "body{}", "assets/s.js": "1", "media/a.jpg": "0123456789", "media/b.webp": "b", "media/c.svg": "<svg/>",
		"veri": "<html>", "sayfa.jpg": "<html>", "veri.bin": "<html>", "arsiv/2026-11.atom.xml": "<feed/>", "arsiv/2026-11.xml": "<rss/>", "spor/feed-own.json": "{}",
		"bos/x.txt": "x", "iki nokta: #?/index.html": "tuhaf",
		".git/config": "secret", "spor/.hidden": "secret", ".manifest": "secret", "../secret.txt": "secret",
	}
	for name, content := range files {
		put(t, filepath.Join(public, name), content, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	}
	for name, target := range map[string]string{"out.txt": "../secret.txt", "in.txt": ".git/config", "dir": ".git", "yan": "spor", "yan.html": "index.html"} {
		if err := os.Symlink(target, filepath.Join(public, name)); err != nil {
			t.Fatal(err)
		}
	}
	return preview(t, public)
}

// old is when the files of tests were written.
var old = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// put writes a file as a build does: whole, in the place of another.
func put(t testing.TB, path, content string, modified time.Time) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".tmp", []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path+".tmp", modified, modified); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		t.Fatal(err)
	}
}

func preview(t testing.TB, dir string) *server.Preview {
	t.Helper()
	p, err := server.OpenPreview(dir, "https://ayna.example/haber/", model.Sources{}, building(t, "tr", nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func TestPreview(t *testing.T) {
	h := site(t)
	const html, notFound = "text/html; charset=utf-8", "<title>yok</title>"
	tests := []struct {
		name, path string
		status     int
		body, kind string
	}{
		{"home", "/", 200, "<title>ana sayfa</title>", html},
		{"home by name", "/index.html", 200, "<title>ana sayfa</title>", html},
		{"folder", "/spor/", 200, "spor", html},
		{"folder by name", "/spor/index.html", 200, "spor", html},
		{"RSS", "/spor/feed.xml", 200, "<rss/>", "text/xml; charset=utf-8"},
		{"Atom", "/spor/atom.xml", 200, "<feed/>", "text/xml; charset=utf-8"},
		{"JSON Feed", "/feed.json", 200, "{}", "application/feed+json; charset=utf-8"},
		{"OPML", "/opml.xml", 200, "<opml/>", "text/x-opml; charset=utf-8"},
		{"sitemap", "/sitemap.xml", 200, "<urlset/>", "text/xml; charset=utf-8"},
		{"manifest", "/manifest.sha256", 200, "0  x", "text/plain; charset=utf-8"},
		{"Markdown", "/a.md", 200, "# a", "text/markdown; charset=utf-8"},
		{"style", "/assets/site.abc.css", 200, "body{}", "text/css; charset=utf-8"},
		{"script", "/assets/s.js", 200, "1", "text/javascript; charset=utf-8"},
		{"picture", "/media/a.jpg", 200, "0123456789", "image/jpeg"},
		{"WebP", "/media/b.webp", 200, "b", "image/webp"},
		{"no extension", "/veri", 200, "<html>", "application/octet-stream"},
		{"SVG", "/media/c.svg", 200, "<svg/>", "image/svg+xml"},
		{"HTML named .jpg", "/sayfa.jpg", 200, "<html>", "image/jpeg"},
		{"unknown extension", "/veri.bin", 200, "<html>", "application/octet-stream"},
		{"Atom of a month", "/arsiv/2026-11.atom.xml", 200, "<feed/>", "text/xml; charset=utf-8"},
		{"RSS of a month", "/arsiv/2026-11.xml", 200, "<rss/>", "text/xml; charset=utf-8"},
		{"JSON Feed of a folder alone", "/spor/feed-own.json", 200, "{}", "application/feed+json; charset=utf-8"},
		{"missing", "/yok.html", 404, notFound, html},
		{"no listing", "/bos/", 404, notFound, html},
		{"no listing without slash", "/bos", 404, notFound, html},
		{"file as a folder", "/a.md/", 404, notFound, html},
		{"dot folder", "/.git/config", 404, notFound, html},
		{"dot file", "/.manifest", 404, notFound, html},
		{"dot file below", "/spor/.hidden", 404, notFound, html},
		{"escaped dot", "/%2egit/config", 404, notFound, html},
		{"up", "/../secret.txt", 404, notFound, html},
		{"up, escaped", "/%2e%2e/secret.txt", 404, notFound, html},
		{"up, slash escaped", "/..%2fsecret.txt", 404, notFound, html},
		{"up from below", "/spor/../../secret.txt", 404, notFound, html},
		{"up inside the tree", "/spor/../a.md", 404, notFound, html},
		{"backslash", "/..%5csecret.txt", 404, notFound, html},
		{"NUL", "/index.html%00", 404, notFound, html},
		{"two slashes", "//secret.txt", 404, notFound, html},
		{"another host", "//evil.example/%2e%2e", 404, notFound, html},
		{"64 KiB", "/" + strings.Repeat("a", 64<<10), 404, notFound, html},
		{"link out of the tree", "/out.txt", 404, notFound, html},
		{"link inside", "/in.txt", 404, notFound, html},
		{"linked folder", "/dir", 404, notFound, html},
		{"file in a linked folder", "/dir/config", 404, notFound, html},
		{"page in a linked folder that is served itself", "/yan/index.html", 404, notFound, html},
		{"index of a linked folder", "/yan/", 404, notFound, html},
		{"link to a page that is served itself", "/yan.html", 404, notFound, html},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := get(h, "GET", "http://127.0.0.1"+test.path)
			if w.Code != test.status || w.Body.String() != test.body || w.Header().Get("Content-Type") != test.kind {
				t.Errorf("%.80s: %d %s %q; want %d %s %q", test.path, w.Code, w.Header().Get("Content-Type"), w.Body, test.status, test.kind, test.body)
			}
			if w.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Error("no nosniff")
			}
			policy := w.Header().Get("Content-Security-Policy")
			if sandboxed := strings.Contains(policy, "sandbox"); sandboxed == (test.kind == html) || !strings.Contains(policy, "default-src") {
				t.Errorf("policy %q", policy)
			}
		})
	}
}

func TestPreviewRedirectsFolders(t *testing.T) {
	h := site(t)
	for path, want := range map[string]string{
		"/spor":                   "./spor/",
		"/spor?q=deniz+k%C3%BC&a": "./spor/?q=deniz+k%C3%BC&a",
		"//spor":                  "",
		"/iki%20nokta:%20%23%3F":  "./iki%20nokta:%20%23%3F/",
	} {
		w := get(h, "GET", "http://127.0.0.1"+path)
		if got := w.Header().Get("Location"); got != want || (want != "" && w.Code != 301) {
			t.Errorf("%s: %d to %q, want %q", path, w.Code, got, want)
		}
	}
}

func TestPreviewMethodsAndConditions(t *testing.T) {
	h := site(t)
	tests := []struct {
		name, method string
		header       []string
		status       int
		body         string
	}{
		{name: "HEAD", method: "HEAD", status: 200},
		{name: "POST", method: "POST", status: 405, body: "method not allowed\n"},
		{name: "TRACE", method: "TRACE", status: 405, body: "method not allowed\n"},
		{name: "range", method: "GET", header: []string{"Range", "bytes=2-4"}, status: 206, body: "234"},
		{name: "last bytes", method: "GET", header: []string{"Range", "bytes=-3"}, status: 206, body: "789"},
		{name: "beyond the end", method: "GET", header: []string{"Range", "bytes=99-"}, status: 416},
		{name: "not modified", method: "GET", header: []string{"If-Modified-Since", "Sun, 01 Nov 2026 00:00:00 GMT"}, status: 304},
		{name: "modified", method: "GET", header: []string{"If-Modified-Since", "Sat, 31 Oct 2026 23:59:59 GMT"}, status: 200, body: "0123456789"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := get(h, test.method, "http://127.0.0.1/media/a.jpg", test.header...)
			if w.Code != test.status || (test.status != 416 && w.Body.String() != test.body) {
				t.Errorf("%d %q, want %d %q", w.Code, w.Body, test.status, test.body)
			}
			if test.status == 405 && w.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("Allow %q", w.Header().Get("Allow"))
			}
		})
	}
}

func TestPreviewWithoutNotFoundPage(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "index.html"), "ana sayfa", old)
	if w := get(preview(t, dir), "GET", "/yok.html"); w.Code != 404 || w.Body.String() != "not found\n" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
}

func TestRanges(t *testing.T) {
	dir := t.TempDir()
	content := strings.Repeat("0123456789", 1000)
	put(t, filepath.Join(dir, "a.bin"), content, old)
	h := preview(t, dir)
	for name, test := range map[string]struct {
		ranges string
		status int
	}{
		"ten":             {strings.Repeat("0-0,", 9) + "9-9", 206},
		"eleven":          {strings.Repeat("0-0,", 10) + "9-9", 200},
		"a thousand":      {strings.Repeat("0-0,", 999) + "9-9", 200},
		"more than whole": {"0-9000,0-9000", 200},
		"beyond the end":  {"10000-", 416},
		"no numbers":      {"a-b", 416},
	} {
		w := get(h, "GET", "/a.bin", "Range", "bytes="+test.ranges)
		if w.Code != test.status || (w.Code == 200 && w.Body.String() != content) {
			t.Errorf("%s: %d, want %d", name, w.Code, test.status)
		}
	}
	// A film of 300 MB, as a browser seeks in it: the answer takes no memory for the rest.
	film := "media/" + strings.Repeat("0a", 16) + "/film.mp4"
	put(t, filepath.Join(dir, film), "", old)
	if err := os.Truncate(filepath.Join(dir, film), 300_000_000); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := get(h, "GET", "/"+film, "Range", "bytes=299000000-")
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 8<<20 {
		t.Errorf("%d bytes are allocated", after.TotalAlloc-before.TotalAlloc)
	}
	got := w.Header()
	if w.Code != 206 || w.Body.Len() != 1_000_000 || got.Get("Content-Range") != "bytes 299000000-299999999/300000000" || got.Get("Content-Type") != "video/mp4" ||
		got.Get("Content-Security-Policy") != "frame-ancestors 'none'" || !strings.Contains(got.Get("Cache-Control"), "immutable") {
		t.Errorf("film: %d, %d bytes, %v", w.Code, w.Body.Len(), got)
	}
}
