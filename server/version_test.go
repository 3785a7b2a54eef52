package server_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// old is when the files of tests were written: long ago, so that they count as
// settled.
var old = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func TestEncodings(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("Körfez'de yağmur bekleniyor. ", 200)
	put(t, filepath.Join(dir, "a.html"), long, old)
	put(t, filepath.Join(dir, "b.css"), long, old)
	put(t, filepath.Join(dir, "b.css.gz"), "as gzip", old)
	put(t, filepath.Join(dir, "b.css.zst"), "as zstd", old)
	put(t, filepath.Join(dir, "c.jpg"), long, old)
	put(t, filepath.Join(dir, "d.txt"), long, old)
	if err := os.Symlink("a.html", filepath.Join(dir, "d.txt.gz")); err != nil {
		t.Fatal(err)
	}
	h := preview(t, dir)
	tests := []struct {
		name, path, accept, encoding, body string
	}{
		{"none taken", "/a.html", "", "", long},
		{"gzip", "/a.html", "gzip, deflate, br, zstd", "gzip", long},
		{"gzip in another case, with quality", "/a.html", "br, GZIP; q=0.5", "gzip", long},
		{"gzip refused", "/a.html", "gzip;q=0", "", long},
		{"zstd alone, not made", "/a.html", "zstd", "", long},
		{"made before, best", "/b.css", "gzip, zstd", "zstd", "as zstd"},
		{"made before", "/b.css", "gzip", "gzip", "as gzip"},
		{"made before, none taken", "/b.css", "identity", "", long},
		{"no text", "/c.jpg", "gzip", "", long},
		{"V04 a link beside the file", "/d.txt", "gzip", "gzip", long},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := get(h, "GET", test.path, "Accept-Encoding", test.accept)
			body := w.Body.String()
			if test.encoding == "gzip" && test.body == long {
				z, err := gzip.NewReader(w.Body)
				if err != nil {
					t.Fatal(err)
				}
				plain, err := io.ReadAll(z)
				if err != nil {
					t.Fatal(err)
				}
				body = string(plain)
			}
			if w.Code != 200 || w.Header().Get("Content-Encoding") != test.encoding || body != test.body {
				t.Errorf("%d %q %.40q", w.Code, w.Header().Get("Content-Encoding"), body)
			}
			if vary := w.Header().Get("Vary") == "Accept-Encoding"; vary == strings.HasSuffix(test.path, ".jpg") {
				t.Errorf("Vary %q", w.Header().Get("Vary"))
			}
			again := get(h, "GET", test.path, "Accept-Encoding", test.accept, "If-None-Match", w.Header().Get("ETag"))
			if again.Code != 304 || again.Body.Len() > 0 {
				t.Errorf("with its ETag: %d", again.Code)
			}
		})
	}
	tags := make(map[string]bool)
	for _, accept := range []string{"", "gzip", "zstd"} {
		tags[get(h, "GET", "/b.css", "Accept-Encoding", accept).Header().Get("ETag")] = true
	}
	if len(tags) != 3 {
		t.Errorf("three encodings share tags: %v", tags)
	}
	part := get(h, "GET", "/a.html", "Accept-Encoding", "gzip", "Range", "bytes=0-6")
	if part.Code != 206 || part.Body.String() != "Körfez" || part.Header().Get("Content-Encoding") != "" {
		t.Errorf("a part: %d %q", part.Code, part.Body)
	}
}

// No build makes the server answer 304 to a client that has other bytes.
func TestV16Versions(t *testing.T) {
	type step struct {
		name, content string
		modified      time.Time
	}
	later := old.Add(time.Hour)
	for name, steps := range map[string][]step{
		"newer":                    {{"a", "one", old}, {"a", "two", later}},
		"an older one comes back":  {{"a", "two", later}, {"a", "one", old}},
		"same time and size":       {{"a", "one", old}, {"a", "two", old}, {"a", "six", old}},
		"same second":              {{"a", "one", old}, {"a", "two", old.Add(time.Millisecond)}},
		"written now, and again":   {{"a", "one", time.Now()}, {"a", "two", time.Now()}},
		"from the future":          {{"a", "one", time.Now().Add(time.Hour)}, {"a", "two", time.Now().Add(time.Hour)}},
		"there and back and there": {{"a", "one", old}, {"a", "two", later}, {"a", "one", old}, {"a", "two", later}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			h := preview(t, dir)
			seen := make(map[string]string) // content by tag
			var last time.Time
			for _, s := range steps {
				put(t, filepath.Join(dir, "a.txt"), s.content, s.modified)
				w := get(h, "GET", "/a.txt")
				if w.Body.String() != s.content {
					t.Fatalf("%q, want %q", w.Body, s.content)
				}
				tag := w.Header().Get("ETag")
				if other, ok := seen[tag]; tag == "" || (ok && other != s.content) {
					t.Errorf("tag %s stands for %q and %q", tag, other, s.content)
				}
				for tag, content := range seen {
					if got := get(h, "GET", "/a.txt", "If-None-Match", tag).Code; (got == 304) != (content == s.content) {
						t.Errorf("the tag of %q: %d for %q", content, got, s.content)
					}
				}
				seen[tag] = s.content
				modified, err := http.ParseTime(w.Header().Get("Last-Modified"))
				if err != nil || !modified.After(last) || modified.After(time.Now().Add(2*time.Second)) {
					t.Errorf("Last-Modified %v after %v", modified, last)
				}
				if !last.IsZero() && get(h, "GET", "/a.txt", "If-Modified-Since", last.Format(http.TimeFormat)).Code != 200 {
					t.Error("304 for the date of the version before")
				}
				if get(h, "GET", "/a.txt", "If-Modified-Since", w.Header().Get("Last-Modified")).Code != 304 {
					t.Error("no 304 for its own date")
				}
				last = modified
			}
		})
	}
}

// A restarted server does not know the later dates that it sent before.
func TestV16OlderVersionAfterRestart(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a.txt"), "two", old.Add(time.Hour))
	told := get(preview(t, dir), "GET", "/a.txt").Header().Get("Last-Modified")
	put(t, filepath.Join(dir, "a.txt"), "one", old)
	if w := get(preview(t, dir), "GET", "/a.txt", "If-Modified-Since", told); w.Code != 200 || w.Body.String() != "one" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
}

// A file is written in place more often than the system's clock ticks.
func TestV16WrittenInPlace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.txt")
	h := preview(t, filepath.Dir(name))
	tags := make(map[string]string)
	for n := range 200 {
		content := []string{"one", "two"}[n%2]
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		w := get(h, "GET", "/a.txt")
		tag := w.Header().Get("ETag")
		if other, ok := tags[tag]; w.Body.String() != content || (ok && other != content) {
			t.Fatalf("%q with the tag of %q", w.Body, other)
		}
		tags[tag] = content
	}
}

func TestSameBytesKeepTheirDate(t *testing.T) {
	dir := t.TempDir()
	h := preview(t, dir)
	put(t, filepath.Join(dir, "a.txt"), "one", old)
	first := get(h, "GET", "/a.txt").Header().Get("Last-Modified")
	put(t, filepath.Join(dir, "a.txt"), "one", old.Add(time.Hour))
	if second := get(h, "GET", "/a.txt").Header().Get("Last-Modified"); first == "" || second != first {
		t.Errorf("%s, then %s", first, second)
	}
}

// Whole directories are exchanged while clients ask for one of two pages with
// the tags that they have: every 304 is for the bytes they hold.
func TestV16Swap(t *testing.T) {
	top := t.TempDir()
	public := filepath.Join(top, "public")
	content := func(n int) string { return fmt.Sprintf("yayın %d", n%2) }
	publish := func(n int) {
		next := filepath.Join(top, "next")
		put(t, filepath.Join(next, "a.txt"), content(n), old)
		if n > 0 {
			if err := os.Rename(public, filepath.Join(top, fmt.Sprint(n))); err != nil {
				t.Error(err)
			}
		}
		if err := os.Rename(next, public); err != nil {
			t.Error(err)
		}
	}
	publish(0)
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
		publish(n)
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
