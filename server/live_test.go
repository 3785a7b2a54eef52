package server_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/server"
)

func TestLive(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "index.html"), `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>a</title></head><p>b`, old)
	put(t, filepath.Join(dir, "bare.html"), `<p>b`, old)
	put(t, filepath.Join(dir, "manifest.sha256"), "1", old)
	script := func(published string) string {
		return `<script src="/.ayna/live.js" data-published="` + published + `" async></script>`
	}
	first, second := fmt.Sprintf("%d-1", old.UnixNano()), fmt.Sprintf("%d-2", old.Add(time.Hour).UnixNano())
	plain := preview(t, dir)
	if w := get(plain, "GET", "/"); strings.Contains(w.Body.String(), "script") || get(plain, "GET", "/.ayna/live.js").Code != 404 {
		t.Errorf("without --live: %s", w.Body)
	}
	p, err := server.OpenPreview(dir, server.PreviewOptions{Live: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for path, want := range map[string]string{
		"/":          `<head><title>a</title>` + script(first) + `</head><p>b`,
		"/bare.html": `<p>b` + script(first),
	} {
		w := get(p, "GET", path)
		if w.Body.String() != want || w.Header().Get("ETag") == get(plain, "GET", path).Header().Get("ETag") {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	if w := get(p, "GET", "/.ayna/live.js"); w.Code != 200 || !strings.Contains(w.Body.String(), "/.ayna/published") || w.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("script: %d %s", w.Code, w.Body)
	}
	if got := get(p, "GET", "/.ayna/published").Body.String(); got != first {
		t.Errorf("at first %q is published", got)
	}
	page := get(p, "GET", "/").Header()
	put(t, filepath.Join(dir, "manifest.sha256"), "22", old.Add(time.Hour))
	if got := get(p, "GET", "/.ayna/published").Body.String(); got != second {
		t.Errorf("then %q is published", got)
	}
	// A page that is loaded again must not be the one of before.
	w := get(p, "GET", "/", "If-None-Match", page.Get("ETag"), "If-Modified-Since", page.Get("Last-Modified"))
	if w.Code != 200 || !strings.Contains(w.Body.String(), script(second)) {
		t.Errorf("after a publication: %d %s", w.Code, w.Body)
	}
}
