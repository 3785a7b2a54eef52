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

// live makes open pages load themselves again when a build has published. Its
// own files lie where no file of a site is served from.
type live struct {
	ctx     context.Context
	dir     string
	streams chan struct{} // one element for each that is open
}

const (
	livePrefix  = "/.ayna/"
	liveScript  = livePrefix + "live.js"
	liveEvents  = livePrefix + "events"
	mostStreams = 64
)

//go:embed live.js
var liveSource string

func newLive(ctx context.Context, dir string) *live {
	return &live{ctx, dir, make(chan struct{}, mostStreams)}
}

// serve answers a request for one of its own files.
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

// events tells of each publication (Server-sent events, HTML standard, section
// 9.2). A browser that was away sends the last mark that it saw.
func (l *live) events(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // nothing more will be read
	send := func(format string, args ...any) error {
		fmt.Fprintf(w, format, args...)
		return control.Flush()
	}
	w.Header().Set("Content-Type", "text/event-stream")
	seen := r.Header.Get("Last-Event-ID")
	if seen == "" {
		seen = l.mark()
	}
	look := time.NewTicker(500 * time.Millisecond)
	defer look.Stop()
	err := send("id: %s\n\n", seen)
	for quiet := 0; err == nil; quiet++ {
		select {
		case <-l.ctx.Done():
			return
		case <-r.Context().Done():
			return
		case <-look.C:
		}
		switch now := l.mark(); {
		case now != seen && now != "":
			seen = now
			err = send("event: publish\nid: %s\ndata: {}\n\n", now)
		case quiet%30 == 29: // finds out whether anyone still listens
			err = send(":\n\n")
		}
	}
}

// mark stands for what is published: the manifest changes with any file of a
// build, and is among the last that it writes.
func (l *live) mark() string {
	info, err := os.Stat(filepath.Join(l.dir, "manifest.sha256"))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d-%d", info.ModTime().UnixNano(), info.Size())
}

var (
	// ownPolicy is what a page says itself of its scripts: that it has none.
	ownPolicy  = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	liveReload = []byte(`<script src="` + liveScript + `" async></script>`)
)

// page answers with a page that has the script.
func (l *live) page(w http.ResponseWriter, r *http.Request, f *os.File, v version) error {
	content, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Name(), err)
	}
	content = ownPolicy.ReplaceAll(content, nil)
	head, rest, found := bytes.Cut(content, []byte("</head>"))
	if found {
		rest = slices.Concat([]byte("</head>"), rest)
	}
	v.tag += "-live"
	v.serve(w, r, bytes.NewReader(slices.Concat(head, liveReload, rest)))
	return nil
}
