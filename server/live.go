package server

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// live makes open pages reload when a build has published. Its own files have
// addresses that no file of a site can have.
type live struct {
	ctx     context.Context
	dir     string
	streams chan struct{} // one element for each open stream
}

const (
	livePrefix = "/.ayna/"
	liveScript = livePrefix + "live.js"
	liveEvents = livePrefix + "events"
	maxStreams = 64
)

//go:embed live.js
var liveSource string

func newLive(ctx context.Context, dir string) *live {
	return &live{ctx, dir, make(chan struct{}, maxStreams)}
}

// serve answers a request for one of its own files, and reports whether it is one.
func (l *live) serve(w http.ResponseWriter, r *http.Request) bool {
	switch r.URL.Path {
	case liveScript:
		w.Header().Set("Content-Type", contentType(liveScript))
		io.WriteString(w, liveSource)
	case liveEvents:
		select {
		case l.streams <- struct{}{}:
			defer func() { <-l.streams }()
			l.events(w, r)
		default:
			w.Header().Set("Retry-After", "10")
			http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		}
	default:
		return false
	}
	return true
}

// events sends an event for each publication (HTML standard, section 9.2,
// server-sent events). A browser that reconnects sends the last mark it saw.
func (l *live) events(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // the stream has no end
	send := func(format string, args ...any) error {
		fmt.Fprintf(w, format, args...)
		return control.Flush()
	}
	w.Header().Set("Content-Type", "text/event-stream")
	seen := r.Header.Get("Last-Event-ID")
	if seen == "" {
		seen = l.mark()
	}
	ticker := time.NewTicker(500 * time.Millisecond)
	defer ticker.Stop()
	err := send("id: %s\n\n", seen)
	for quiet := 0; err == nil; quiet++ {
		select {
		case <-l.ctx.Done():
			return
		case <-r.Context().Done():
			return
		case <-ticker.C:
		}
		switch now := l.mark(); {
		case now != seen && now != "":
			seen = now
			err = send("event: publish\nid: %s\ndata: {}\n\n", now)
		case quiet%30 == 29: // fails if the client has left
			err = send(":\n\n")
		}
	}
}

// mark identifies what is published: the manifest changes with any file of a
// build, and is among the last files that it writes.
func (l *live) mark() string {
	info, err := os.Stat(filepath.Join(l.dir, "manifest.sha256"))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d-%d", info.ModTime().UnixNano(), info.Size())
}

var (
	// pageMeta is the policy in a page itself, which allows no scripts.
	pageMeta   = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	liveReload = []byte(`<script src="` + liveScript + `" async></script>`)
)

// page answers with a page and adds the script to it.
func (l *live) page(w http.ResponseWriter, r *http.Request, f *os.File, v version) error {
	content, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Name(), err)
	}
	content = pageMeta.ReplaceAll(content, nil)
	i := bytes.Index(content, []byte("</head>"))
	if i < 0 {
		i = len(content)
	}
	v.tag += "-live"
	v.serve(w, r, bytes.NewReader(slices.Insert(content, i, liveReload...)))
	return nil
}
