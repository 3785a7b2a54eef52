package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync"
)

// PreviewOptions configures how a site is served.
type PreviewOptions struct {
	// BaseURL is where the site will be published. The links of its 404 page,
	// which must work at any depth, begin with it.
	BaseURL string
	// Live makes open pages reload when a build has published.
	Live bool
}

// Preview serves a published tree: files only, no directory listings, nothing
// whose name begins with a dot, no symbolic links, nothing outside the tree.
type Preview struct {
	dir      string
	opening  sync.Mutex // held during follow
	current  shared[*folder]
	versions *versions
	baseURL  string
	live     *live // nil without PreviewOptions.Live
}

// OpenPreview opens the tree at dir. A build publishes by putting another
// directory in its place, which is then served. The event streams of live pages
// end with ctx. The caller closes the preview after its last request.
func OpenPreview(ctx context.Context, dir string, o PreviewOptions) (*Preview, error) {
	first, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	p := &Preview{dir: dir, versions: newVersions(), baseURL: o.BaseURL}
	p.current.replace(first)
	if o.Live {
		p.live = newLive(ctx, dir)
	}
	return p, nil
}

// Close closes the tree.
func (p *Preview) Close() { p.current.close() }

// Err returns what is wrong with the directory, or nil.
func (p *Preview) Err() error { return p.follow() }

// follow opens the directory if it is another one than before. If there is none,
// the one before remains.
func (p *Preview) follow() error {
	p.opening.Lock()
	defer p.opening.Unlock()
	info, err := os.Stat(p.dir)
	if err != nil {
		return fmt.Errorf("look for the site: %w", err)
	}
	now, done := p.current.use()
	same := os.SameFile(info, now.info)
	done()
	if same {
		return nil
	}
	next, err := openFolder(p.dir)
	if err != nil {
		return err
	}
	p.current.replace(next)
	return nil
}

// Content security policies. Pages may run scripts of the site, but no inline
// scripts; pictures may come from their source. Everything else, opened by
// itself, runs nothing.
const (
	pagePolicy = "default-src 'self'; img-src 'self' http: https: data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	filePolicy = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'self' 'unsafe-inline'; sandbox"
)

// ServeHTTP implements [http.Handler].
func (p *Preview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", pagePolicy)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	if p.live != nil && p.live.serve(w, r) {
		return
	}
	p.follow() // /healthz reports its error
	root, done := p.current.use()
	defer done()
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if err := p.serve(w, r, root, name); err != nil {
		p.notFound(w, root)
	}
}

func (p *Preview) serve(w http.ResponseWriter, r *http.Request, root *folder, name string) error {
	if !fs.ValidPath(name) || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return errNotServed
	}
	f, err := root.open(name)
	if errors.Is(err, errIsFolder) {
		return redirect(w, r, root, name)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	v, err := p.versions.of(name, f)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", contentType(name))
	if path.Ext(name) != ".html" {
		w.Header().Set("Content-Security-Policy", filePolicy)
	} else if p.live != nil {
		return p.live.page(w, r, f, v)
	}
	p.send(w, r, root, name, f, v)
	return nil
}

// redirect leads to the page of a folder. It keeps the query, which may be that
// of a search.
func redirect(w http.ResponseWriter, r *http.Request, root *folder, name string) error {
	f, err := root.open(path.Join(name, "index.html"))
	if err != nil {
		return err
	}
	f.Close()
	// A relative target cannot lead to another host.
	target := url.URL{Path: "./" + path.Base(name) + "/", RawQuery: r.URL.RawQuery}
	w.Header().Set("Location", target.String())
	w.WriteHeader(http.StatusMovedPermanently)
	return nil
}

// send answers with a file, encoded as the client accepts it: in the encoded
// form beside it if a build made one, or else compressed while it is sent.
func (p *Preview) send(w http.ResponseWriter, r *http.Request, root *folder, name string, f *os.File, v version) {
	if !compressible(name) {
		v.serve(w, r, f)
		return
	}
	w.Header().Add("Vary", "Accept-Encoding")
	if r.Header.Get("Range") != "" { // ranges are of the plain file
		v.serve(w, r, f)
		return
	}
	for _, e := range []struct{ name, extension string }{{"zstd", ".zst"}, {"gzip", ".gz"}} {
		if !accepts(r, e.name) {
			continue
		}
		sibling, err := root.open(name + e.extension)
		if err != nil {
			continue
		}
		defer sibling.Close()
		if encoded, err := p.versions.of(name+e.extension, sibling); err == nil {
			w.Header().Set("Content-Encoding", e.name)
			encoded.modified = v.modified
			encoded.serve(w, r, sibling)
			return
		}
	}
	v.serveCompressed(w, r, f)
}

func (p *Preview) notFound(w http.ResponseWriter, root *folder) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	var page []byte
	f, err := root.open("404.html")
	if err == nil {
		defer f.Close()
		page, err = io.ReadAll(f)
	}
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", contentType("404.html"))
	w.WriteHeader(http.StatusNotFound)
	if p.baseURL != "" {
		page = bytes.ReplaceAll(page, []byte(p.baseURL), []byte("/"))
	}
	w.Write(page)
}

// folder is an open directory. It stays the same one when it is renamed.
type folder struct {
	*os.Root
	info fs.FileInfo
}

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the site: %w; run build first", err)
	}
	info, err := root.Stat(".")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the site: %w", err), root.Close())
	}
	return &folder{root, info}, nil
}

var (
	errIsFolder  = errors.New("is a folder")
	errNotServed = errors.New("not served")
)

// open opens a regular file. It follows no symbolic link in any part of the
// name, and [os.Root] keeps it inside even if the tree changes meanwhile.
func (d *folder) open(name string) (*os.File, error) {
	for i, c := range name {
		if c != '/' {
			continue
		}
		if info, err := d.Lstat(name[:i]); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, errNotServed
		}
	}
	info, err := d.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errIsFolder
	case !info.Mode().IsRegular(): // a link, or a pipe that nobody writes to
		return nil, errNotServed
	}
	return d.Open(name)
}

// contentTypes has the types of the files of a site, the same on every machine.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".md": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".json": "application/json",
	".xml": "application/xml; charset=utf-8", ".xsl": "application/xslt+xml; charset=utf-8",
	".svg": "image/svg+xml", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".jfif": "image/jpeg", ".png": "image/png",
	".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".ico": "image/x-icon",
	".mp4": "video/mp4", ".webm": "video/webm", ".mp3": "audio/mpeg", ".woff2": "font/woff2", ".pdf": "application/pdf",
	".sha256": "text/plain; charset=utf-8", ".webmanifest": "application/manifest+json",
	".gz": "application/gzip", ".zst": "application/zstd", ".zip": "application/zip",
}

const (
	rssType  = "application/rss+xml; charset=utf-8"
	atomType = "application/atom+xml; charset=utf-8"
	jsonType = "application/feed+json; charset=utf-8"
)

// feedTypes has the types of files whose extension is ambiguous.
var feedTypes = map[string]string{
	"feed.xml": rssType, "feed-own.xml": rssType,
	"atom.xml": atomType, "atom-own.xml": atomType,
	"feed.json": jsonType, "feed-own.json": jsonType,
	"opml.xml": "text/x-opml; charset=utf-8",
}

// contentType returns the type of a file by its name. No browser shows an unknown
// one as a page.
func contentType(name string) string {
	base := path.Base(name)
	if t, ok := feedTypes[base]; ok {
		return t
	}
	if strings.HasSuffix(base, ".atom.xml") { // of a month's archive
		return atomType
	}
	if t, ok := contentTypes[path.Ext(base)]; ok {
		return t
	}
	return "application/octet-stream"
}

// compressible reports whether a file is text.
func compressible(name string) bool {
	t, _, _ := strings.Cut(contentType(name), ";")
	return strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "xml") || strings.HasSuffix(t, "json")
}
