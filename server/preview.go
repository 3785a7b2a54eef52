package server

import (
	"bytes"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
)

// Preview serves a published tree: files only, no directory listings, nothing
// whose name begins with a dot, nothing outside the tree. baseURL is where the
// tree will be published; the links of its 404 page, which must work at any
// depth, begin with it.
func Preview(root *os.Root, baseURL string) http.Handler { return &preview{root, baseURL} }

type preview struct {
	root    *os.Root
	baseURL string
}

// contentTypes are those of the files a site has, whatever the machine's own
// table says.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".md": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".json": "application/json",
	".svg": "image/svg+xml", ".jpg": "image/jpeg", ".png": "image/png", ".gif": "image/gif", ".webp": "image/webp",
	".sha256": "text/plain; charset=utf-8", ".webmanifest": "application/manifest+json",
}

// feedTypes are those of files whose extension does not say enough.
var feedTypes = map[string]string{
	"feed.xml": "application/rss+xml; charset=utf-8", "atom.xml": "application/atom+xml; charset=utf-8",
	"feed.json": "application/feed+json; charset=utf-8", "opml.xml": "text/x-opml; charset=utf-8",
	"sitemap.xml": "application/xml; charset=utf-8",
}

// ServeHTTP implements [http.Handler].
func (p *preview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if err := p.serve(w, r, name); err != nil {
		p.notFound(w)
	}
}

var errNotServed = errors.New("not served")

func (p *preview) serve(w http.ResponseWriter, r *http.Request, name string) error {
	if !fs.ValidPath(name) || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return errNotServed
	}
	info, err := p.root.Lstat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if _, err := p.root.Stat(path.Join(name, "index.html")); err != nil {
			return err
		}
		// A relative target cannot lead to another host.
		target := url.URL{Path: "./" + path.Base(name) + "/"}
		w.Header().Set("Location", target.String())
		w.WriteHeader(http.StatusMovedPermanently)
		return nil
	}
	if !info.Mode().IsRegular() { // a link, or a pipe that nobody writes to
		return errNotServed
	}
	f, err := p.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return err
	}
	w.Header().Set("Content-Type", contentType(name))
	http.ServeContent(w, r, "", info.ModTime(), f)
	return nil
}

func contentType(name string) string {
	if t, ok := feedTypes[path.Base(name)]; ok {
		return t
	}
	if t, ok := contentTypes[path.Ext(name)]; ok {
		return t
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

func (p *preview) notFound(w http.ResponseWriter) {
	page, err := p.root.ReadFile("404.html")
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", contentTypes[".html"])
	w.WriteHeader(http.StatusNotFound)
	if p.baseURL != "" {
		page = bytes.ReplaceAll(page, []byte(p.baseURL), []byte("/"))
	}
	w.Write(page)
}
