package server_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/server"
)

func TestLive(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "index.html"), `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>a</title></head><p>b`, old)
	put(t, filepath.Join(dir, "bare.html"), `<p>b`, old)
	put(t, filepath.Join(dir, "manifest.sha256"), "1", old)
	const script = `<script src="/.ayna/live.js" async></script>`
	plain := preview(t, dir)
	if w := get(plain, "GET", "/"); strings.Contains(w.Body.String(), "script") || get(plain, "GET", "/.ayna/live.js").Code != 404 {
		t.Errorf("without -live: %s", w.Body)
	}
	p, err := server.OpenPreview(t.Context(), dir, server.PreviewOptions{Live: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for path, want := range map[string]string{
		"/":          `<head><title>a</title>` + script + `</head><p>b`,
		"/bare.html": `<p>b` + script,
	} {
		w := get(p, "GET", path)
		if w.Body.String() != want || w.Header().Get("ETag") == get(plain, "GET", path).Header().Get("ETag") {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	if w := get(p, "GET", "/.ayna/live.js"); w.Code != 200 || !bytes.Contains(w.Body.Bytes(), []byte("EventSource")) || w.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("script: %d %s", w.Code, w.Body)
	}
}

func TestLiveEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		manifest := filepath.Join(dir, "manifest.sha256")
		put(t, manifest, "1", old)
		ctx, cancel := context.WithCancel(t.Context())
		p, err := server.OpenPreview(ctx, dir, server.PreviewOptions{Live: true})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		connections, stop := startPipes(t, server.Frame{}, p)
		client := connections.client()
		listen := func(lastSeen string) *bufio.Scanner {
			r, err := http.NewRequest("GET", "http://localhost/.ayna/events", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Last-Event-ID", lastSeen)
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { response.Body.Close() })
			if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" {
				t.Errorf("type %s", kind)
			}
			return bufio.NewScanner(response.Body)
		}
		next := func(s *bufio.Scanner) (event string) {
			for s.Scan() && s.Text() != "" {
				event += s.Text() + "|"
			}
			return event
		}
		first := fmt.Sprintf("%d-1", old.UnixNano())
		events := listen("")
		if got := next(events); got != "id: "+first+"|" {
			t.Fatalf("at first %q", got)
		}
		put(t, manifest, "22", old.Add(time.Hour))
		second := fmt.Sprintf("%d-2", old.Add(time.Hour).UnixNano())
		want := "event: publish|id: " + second + "|data: {}|"
		if got := next(events); got != want {
			t.Errorf("after a publication %q, want %q", got, want)
		}
		late := listen(first)
		next(late)
		if got := next(late); got != want {
			t.Errorf("to one that was away %q, want %q", got, want)
		}
		cancel()
		if events.Scan() || late.Scan() {
			t.Error("the streams go on")
		}
		client.CloseIdleConnections()
		stop()
	})
}
