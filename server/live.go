package server

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"time"

	"ayna/generator/site"
)

// With [PreviewOptions.Live] each page has a script that reads livePublished once a
// second, and loads the page again when that changes. No file of a site can have
// these addresses, since their names begin with a dot.
const (
	liveScript    = "/.ayna/live.js"
	livePublished = "/.ayna/published"
)

//go:embed live.js
var liveSource string

// serveLive answers requests for liveScript and livePublished, and reports whether
// the request was one of them.
func serveLive(w http.ResponseWriter, r *http.Request, root *os.Root) bool {
	switch r.URL.Path {
	case liveScript:
		w.Header().Set("Content-Type", site.ContentType(liveScript))
		io.WriteString(w, liveSource)
	case livePublished:
		w.Header().Set("Content-Type", textContent)
		io.WriteString(w, published(root))
	default:
		return false
	}
	return true
}

// published identifies the published build: its manifest changes with any file.
func published(root *os.Root) string {
	info, err := root.Stat("manifest.sha256")
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d-%d", info.ModTime().UnixNano(), info.Size())
}

// pageMeta matches the policy in a page itself, which allows no scripts.
var pageMeta = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)

// serveLive answers with a page and adds the script to it.
func (v version) serveLive(w http.ResponseWriter, r *http.Request, f *os.File, published string) error {
	content, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Name(), err)
	}
	content = pageMeta.ReplaceAll(content, nil)
	script := fmt.Appendf(nil, `<script src="%s" data-published="%s" async></script>`, liveScript, published)
	end := []byte("</head>")
	if head, body, found := bytes.Cut(content, end); found {
		content = bytes.Join([][]byte{head, script, end, body}, nil)
	} else {
		content = append(content, script...)
	}
	v.tag += "-" + published
	v.modified = time.Time{} // that of the file does not hold for this answer
	v.serve(w, r, bytes.NewReader(content))
	return nil
}
