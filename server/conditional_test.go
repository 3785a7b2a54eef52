package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ayna/server"
)

func TestEncodings(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("Körfez'de yağmur bekleniyor. ", 200)
	for _, name := range []string{"a.html", "b.css", "c.jpg", "d.bin"} {
		put(t, filepath.Join(dir, name), long, old)
	}
	put(t, filepath.Join(dir, "short.html"), "kısa", old)
	large := strings.Repeat(long, 200)
	put(t, filepath.Join(dir, "large.txt"), large, old)
	h := preview(t, dir)
	tests := []struct {
		name, path, accept, encoding, body string
	}{
		{"none taken", "/a.html", "", "", long},
		{"none taken by name", "/a.html", "identity", "", long},
		{"zstd is preferred", "/a.html", "gzip, deflate, br, zstd", "zstd", long},
		{"gzip in another case, with quality", "/a.html", "br, GZIP; q=0.5", "gzip", long},
		{"gzip refused", "/a.html", "gzip;q=0", "", long},
		{"style", "/b.css", "gzip", "gzip", long},
		{"too short", "/short.html", "gzip", "", "kısa"},
		{"too large", "/large.txt", "gzip", "", large},
		{"too large, none taken", "/large.txt", "", "", large},
		{"picture", "/c.jpg", "gzip", "", long},
		{"unknown type", "/d.bin", "gzip", "", long},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := get(h, "GET", test.path, "Accept-Encoding", test.accept)
			if encoding := w.Header().Get("Content-Encoding"); w.Code != 200 || encoding != test.encoding {
				t.Errorf("%d, encoding %q", w.Code, encoding)
			}
			if w.Header()["No-Gzip-Compression"] != nil {
				t.Error("a header of the compressor is sent")
			}
			if body := decoded(t, w); body != test.body {
				t.Errorf("%.40q", body)
			}
			if w.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("Vary %q", w.Header().Get("Vary"))
			}
			again := get(h, "GET", test.path, "Accept-Encoding", test.accept, "If-None-Match", w.Header().Get("ETag"))
			if again.Code != 304 || again.Body.Len() > 0 {
				t.Errorf("with its ETag: %d", again.Code)
			}
		})
	}
	// Bytes of a text differ by its encoding, so parts of it cannot be joined by its tag.
	for path, weak := range map[string]bool{"/a.html": true, "/c.jpg": false} {
		if tag := get(h, "GET", path).Header().Get("ETag"); strings.HasPrefix(tag, "W/") != weak {
			t.Errorf("%s: tag %s", path, tag)
		}
	}
	part := get(h, "GET", "/a.html", "Accept-Encoding", "gzip", "Range", "bytes=0-6")
	if part.Code != 206 || part.Body.String() != "Körfez" || part.Header().Get("Content-Encoding") != "" {
		t.Errorf("a part: %d %q", part.Code, part.Body)
	}
	head := get(h, "HEAD", "/a.html", "Accept-Encoding", "gzip")
	if head.Code != 200 || head.Body.Len() > 0 || head.Header().Get("Content-Length") != fmt.Sprint(len(long)) {
		t.Errorf("HEAD: %d %v", head.Code, head.Header())
	}
}

func TestCacheControl(t *testing.T) {
	dir := t.TempDir()
	const digest, forever = "0123456789abcdef0123456789abcdef", "public, max-age=31536000, immutable"
	for name, want := range map[string]string{
		"assets/site.0123456789.css":         forever,
		"assets/serif.bold.0123456789.woff2": forever,
		"media/" + digest + ".jpg":           forever,
		"index.html":                         "no-cache",
		"assets/site.css":                    "no-cache",
		"assets/site.012345678.css":          "no-cache",
		"assets/site.0123456789.css.map":     "no-cache",
		"assets/own/site.0123456789.css":     "no-cache",
		"site.0123456789.css":                "no-cache",
		"media/" + digest + "-320.jpg":       "no-cache", // the digest is that of the large picture
		"media/logo.jpg":                     "no-cache",
		"spor/media/" + digest + ".jpg":      "no-cache",
	} {
		put(t, filepath.Join(dir, name), "x", old)
		if got := get(preview(t, dir), "GET", "/"+name); got.Code != 200 || got.Header().Get("Cache-Control") != want {
			t.Errorf("%s: %d %q, want %q", name, got.Code, got.Header().Get("Cache-Control"), want)
		}
	}
	// A missing asset may be there after the next build.
	if got := get(preview(t, dir), "GET", "/assets/yok.0123456789.css"); got.Code != 404 || got.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("a missing asset: %d %q", got.Code, got.Header().Get("Cache-Control"))
	}
}

// publish puts another tree with one file in the place of dir, as a build and a
// rollback do, and returns where the one before is now.
func publish(t *testing.T, dir, file, content string, modified time.Time) (previous string) {
	t.Helper()
	next, previous := filepath.Join(t.TempDir(), "next"), filepath.Join(t.TempDir(), "previous")
	put(t, filepath.Join(next, file), content, modified)
	if err := os.Rename(dir, previous); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := os.Rename(next, dir); err != nil {
		t.Fatal(err)
	}
	return previous
}

// No publication makes the server answer 304 to a client that has other bytes.
func TestPublications(t *testing.T) {
	type step struct {
		content  string
		modified time.Time
	}
	later := old.Add(time.Hour)
	for name, steps := range map[string][]step{
		"build":                {{"one", old}, {"two", later}},
		"rollback":             {{"two", later}, {"one", old}},
		"rollback, undone":     {{"one", old}, {"two", later}, {"one", old}, {"two", later}},
		"another size":         {{"one", old}, {"three", old.Add(time.Millisecond)}},
		"within a second":      {{"one", old}, {"two", old.Add(time.Nanosecond)}},
		"clock in the future":  {{"one", time.Now().Add(time.Hour)}, {"two", time.Now().Add(2 * time.Hour)}},
		"the same file, newer": {{"one", old}, {"one", later}},
	} {
		for _, file := range []string{"a.txt", "a.jpg"} {
			t.Run(name+" of "+file, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "public")
				publish(t, dir, file, "zero", old.Add(-time.Hour))
				h := preview(t, dir)
				seen := make(map[string]string) // content by tag
				for _, s := range steps {
					publish(t, dir, file, s.content, s.modified)
					w := get(h, "GET", "/"+file)
					tag := w.Header().Get("ETag")
					if other, ok := seen[tag]; w.Body.String() != s.content || tag == "" || ok && other != s.content {
						t.Errorf("%q with the tag %s of %q, want %q", w.Body, tag, other, s.content)
					}
					for tag, content := range seen {
						if again := get(h, "GET", "/"+file, "If-None-Match", tag); again.Code == 304 && content != s.content {
							t.Errorf("304 for the tag of %q instead of %q", content, s.content)
						}
					}
					seen[tag] = s.content
					if date := w.Header().Get("Last-Modified"); get(h, "GET", "/"+file, "If-Modified-Since", date).Code != 304 {
						t.Errorf("no 304 for its own date %s", date)
					}
				}
			})
		}
	}
}

// A client that compares dates alone gets the older file after a rollback.
func TestRollbackByDate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, "a.txt", "two", old.Add(time.Hour))
	h := preview(t, dir)
	date := get(h, "GET", "/a.txt").Header().Get("Last-Modified")
	publish(t, dir, "a.txt", "one", old)
	if w := get(h, "GET", "/a.txt", "If-Modified-Since", date); w.Code != 200 || w.Body.String() != "one" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
}

// A download that a publication interrupts ends with the bytes that it began with,
// although their tree is gone by then.
func TestPublicationDuringDownload(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	first, second := strings.Repeat("birinci ", 1<<17), strings.Repeat("ikinci. ", 1<<17)
	publish(t, dir, "a.bin", first, old)
	p, _ := startPipes(t, server.Middleware{}, preview(t, dir))
	client := p.client()
	defer client.CloseIdleConnections()
	download := func() *http.Response {
		response, err := client.Get("http://localhost/a.bin")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	response := download()
	begun := make([]byte, 8)
	if _, err := io.ReadFull(response.Body, begun); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(publish(t, dir, "a.bin", second, old)); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(bufio.NewReader(response.Body))
	if err != nil || string(begun)+string(rest) != first {
		t.Errorf("%d bytes are not those of the first tree: %v", len(begun)+len(rest), err)
	}
	if whole, err := io.ReadAll(download().Body); err != nil || string(whole) != second {
		t.Errorf("the next download: %d bytes, %v", len(whole), err)
	}
}

// Whole directories are exchanged while clients ask for one of two pages with
// the tags that they have: every 304 is for the bytes they hold.
func TestSwap(t *testing.T) {
	public := filepath.Join(t.TempDir(), "public")
	content := func(n int) string { return fmt.Sprintf("yayın %d", n%2) }
	next := func(n int) { publish(t, public, "a.txt", content(n), old.Add(time.Duration(n)*time.Second)) }
	next(0)
	h := preview(t, public)
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			var tag, held string
			for {
				select {
				case <-stop:
					return
				default:
				}
				w := get(h, "GET", "/a.txt", "If-None-Match", tag)
				switch w.Code {
				case 200:
					tag, held = w.Header().Get("ETag"), w.Body.String()
				case 304:
					if got := w.Header().Get("ETag"); got != tag {
						t.Errorf("304 with tag %s for %s", got, tag)
					}
				default:
					t.Errorf("status %d", w.Code)
				}
				if held != content(0) && held != content(1) {
					t.Errorf("half a file: %q", held)
				}
			}
		})
	}
	for n := 1; n <= 40; n++ {
		next(n)
		w := get(h, "GET", "/a.txt")
		if w.Body.String() != content(n) {
			t.Errorf("after publication %d: %q", n, w.Body)
		}
	}
	close(stop)
	clients.Wait()
}

func TestPreviewOutlivesItsDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	put(t, filepath.Join(dir, "a.txt"), "one", old)
	h := preview(t, dir)
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	if w := get(h, "GET", "/a.txt"); w.Code != 200 || h.Err() == nil {
		t.Errorf("%d, trouble %v", w.Code, h.Err())
	}
	put(t, filepath.Join(dir, "a.txt"), "two", old)
	if w := get(h, "GET", "/a.txt"); w.Body.String() != "two" || h.Err() != nil {
		t.Errorf("%q, trouble %v", w.Body, h.Err())
	}
}
