package server

import (
	"bytes"
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

	"ayna/generator/site"
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
	options  PreviewOptions
	versions versions

	mu   sync.Mutex
	root *os.Root // remains the same directory if that is renamed
	info fs.FileInfo
}

// OpenPreview opens the tree at dir. A build publishes by putting another
// directory in its place, which is then served. The caller closes the preview
// after its last request.
func OpenPreview(dir string, o PreviewOptions) (*Preview, error) {
	p := &Preview{dir: dir, options: o}
	p.versions.MaxSize = maxVersions
	if _, err := p.follow(); err != nil {
		return nil, fmt.Errorf("%w; run build first", err)
	}
	return p, nil
}

// Close closes the tree.
func (p *Preview) Close() { p.root.Close() }

// Err returns what is wrong with the directory, or nil.
func (p *Preview) Err() error {
	_, err := p.follow()
	return err
}

// follow returns the tree, and opens the directory if it is another one than
// before. If there is no directory, it returns the previous one with an error.
func (p *Preview) follow() (*os.Root, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	info, err := os.Stat(p.dir)
	if err != nil {
		return p.root, fmt.Errorf("open the site: %w", err)
	}
	if p.root != nil && os.SameFile(info, p.info) {
		return p.root, nil
	}
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return p.root, fmt.Errorf("open the site: %w", err)
	}
	if info, err = root.Stat("."); err != nil {
		return p.root, errors.Join(fmt.Errorf("open the site: %w", err), root.Close())
	}
	// The garbage collector closes the previous root after its last request.
	p.root, p.info = root, info
	return root, nil
}

// Content security policies. Pages run the site's scripts but no inline scripts, and
// show pictures from any origin. Other files, opened by themselves, run nothing.
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
	root, _ := p.follow() // /healthz reports the error
	if p.options.Live && serveLive(w, r, root) {
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if err := p.serve(w, r, root, name); err != nil {
		p.notFound(w, root)
	}
}

func (p *Preview) serve(w http.ResponseWriter, r *http.Request, root *os.Root, name string) error {
	if !fs.ValidPath(name) ||
		strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return fs.ErrNotExist
	}
	f, err := open(root, name)
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
	w.Header().Set("Content-Type", site.ContentType(name))
	if path.Ext(name) != ".html" {
		w.Header().Set("Content-Security-Policy", filePolicy)
	} else if p.options.Live {
		return v.serveLive(w, r, f, published(root))
	}
	if compressible(name) {
		w.Header().Add("Vary", "Accept-Encoding")
		// Ranges are of the plain file.
		if r.Header.Get("Range") == "" && (p.serveSibling(w, r, root, name, v) || v.serveCompressed(w, r, f)) {
			return nil
		}
	}
	v.serve(w, r, f)
	return nil
}

// redirect leads to the page of a folder. It keeps the query, which may be that
// of a search.
func redirect(w http.ResponseWriter, r *http.Request, root *os.Root, name string) error {
	f, err := open(root, path.Join(name, "index.html"))
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

// serveSibling answers with the encoded form of a file that a build made beside
// it, if the client accepts it.
func (p *Preview) serveSibling(w http.ResponseWriter, r *http.Request, root *os.Root, name string, plain version) bool {
	for _, e := range []struct{ encoding, extension string }{{"zstd", ".zst"}, {"gzip", ".gz"}} {
		if !accepts(r, e.encoding) {
			continue
		}
		f, err := open(root, name+e.extension)
		if err != nil {
			continue
		}
		defer f.Close()
		if v, err := p.versions.of(name+e.extension, f); err == nil {
			w.Header().Set("Content-Encoding", e.encoding)
			v.modified = plain.modified
			v.serve(w, r, f)
			return true
		}
	}
	return false
}

func (p *Preview) notFound(w http.ResponseWriter, root *os.Root) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	var page []byte
	f, err := open(root, "404.html")
	if err == nil {
		defer f.Close()
		page, err = io.ReadAll(f)
	}
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", site.ContentType("404.html"))
	w.WriteHeader(http.StatusNotFound)
	if p.options.BaseURL != "" {
		page = bytes.ReplaceAll(page, []byte(p.options.BaseURL), []byte("/"))
	}
	w.Write(page)
}

var errIsFolder = errors.New("is a folder")

// open opens a regular file. It follows no symbolic link in any part of the
// name, and [os.Root] keeps it inside even if the tree changes meanwhile.
func open(root *os.Root, name string) (*os.File, error) {
	for i, c := range name {
		if c != '/' {
			continue
		}
		if info, err := root.Lstat(name[:i]); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, fs.ErrNotExist
		}
	}
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errIsFolder
	case !info.Mode().IsRegular(): // a link, or a pipe that nobody writes to
		return nil, fs.ErrNotExist
	}
	return root.Open(name)
}

// compressible reports whether a file is text.
func compressible(name string) bool {
	t, _, _ := strings.Cut(site.ContentType(name), ";")
	return strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "xml") || strings.HasSuffix(t, "json")
}
