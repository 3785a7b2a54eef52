package server

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
)

// PreviewOptions says how a site is shown.
type PreviewOptions struct {
	// BaseURL is where the site will be published. The links of its 404 page,
	// which must work at any depth, begin with it.
	BaseURL string
	// Live makes open pages load themselves again when a build has published.
	Live bool
}

// Preview shows a published tree: files only, no directory listings, nothing
// whose name begins with a dot, no symbolic links, nothing outside the tree.
type Preview struct {
	tree     *tree
	versions versions
	baseURL  string
	live     *live // nil if it is not wanted
}

// OpenPreview opens the tree at dir. If another directory takes its place,
// that one is shown. The event streams of live pages end with ctx. The caller
// closes the preview after its last request.
func OpenPreview(ctx context.Context, dir string, o PreviewOptions) (*Preview, error) {
	t, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	p := &Preview{tree: t, baseURL: o.BaseURL}
	if o.Live {
		p.live = newLive(ctx, dir)
	}
	return p, nil
}

// Close closes the tree.
func (p *Preview) Close() { p.tree.current.close() }

// Trouble returns what is wrong with the tree's place, nil if nothing is.
func (p *Preview) Trouble() error { return p.tree.follow() }

// What the parts of a site may do in a browser. Pages run scripts of the site
// only, and none that stand in them; everything else, opened by itself, runs
// nothing. Pictures may be linked to at their source.
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
	p.tree.follow() // what is wrong, /healthz tells
	root, done := p.tree.current.use()
	defer done()
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if err := p.serve(w, r, root, name); err != nil {
		p.notFound(w, root)
	}
}

var errNotServed = errors.New("not served")

func (p *Preview) serve(w http.ResponseWriter, r *http.Request, root *folder, name string) error {
	if !fs.ValidPath(name) || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return errNotServed
	}
	f, err := root.open(name)
	if errors.Is(err, errFolder) {
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
	if !isPage(name) {
		w.Header().Set("Content-Security-Policy", filePolicy)
	} else if p.live != nil {
		return p.live.page(w, r, f, v)
	}
	p.send(w, r, root, name, f, v)
	return nil
}

func isPage(name string) bool { return path.Ext(name) == ".html" }

// redirect leads to a folder's page, with the query: a search is one.
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

// send answers with a file, in an encoding that the client takes.
func (p *Preview) send(w http.ResponseWriter, r *http.Request, root *folder, name string, f *os.File, v version) {
	if !compressible(name) {
		v.serve(w, r, f)
		return
	}
	w.Header().Add("Vary", "Accept-Encoding")
	if r.Header.Get("Range") != "" { // parts are of the file as it is
		v.serve(w, r, f)
		return
	}
	for _, e := range encodings {
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
	page, err := root.read("404.html")
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
