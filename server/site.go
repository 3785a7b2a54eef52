package server

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"ayna/generator/site"
)

// Preview serves a published tree.
type Preview struct {
	http.Handler
	dir     string
	baseURL string
	policy  string       // the Content-Security-Policy of pages
	before  http.Handler // answers until a site is published

	mu   sync.Mutex
	root *os.Root // remains the same directory if that is renamed; nil before there is one
	info fs.FileInfo
}

// OpenPreview opens the tree at dir. A build publishes by putting another
// directory in its place, which is then served. The site will be published at
// baseURL, with whose path the links of its 404 page begin. Its pages may also load what allowed
// names. Until there is a site, before answers. The caller closes the preview after its last
// request.
func OpenPreview(dir, baseURL string, allowed site.Sources, before http.Handler) (*Preview, error) {
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(minCompressed), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.ContentTypeFilter(isText))
	if err != nil {
		return nil, err
	}
	p := &Preview{dir: dir, baseURL: baseURL, policy: pagePolicy, before: before}
	for directive, sources := range allowed.All() {
		if len(sources) > 0 {
			p.policy = allow(p.policy, directive, sources)
		}
	}
	p.Handler = compress(http.HandlerFunc(p.answer))
	if _, err := p.follow(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return p, nil
}

// Close closes the tree.
func (p *Preview) Close() {
	if p.root != nil {
		p.root.Close()
	}
}

// Err returns what is wrong with the directory, or nil.
func (p *Preview) Err() error {
	_, err := p.follow()
	return err
}

// follow returns the tree, and opens the directory if it is another one than
// before. If there is no directory, it returns the previous one, or nil, with an error.
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
	pagePolicy = "default-src 'self'; img-src 'self' http: https: data:; media-src 'self' http: https:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	filePolicy = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'self' 'unsafe-inline'; sandbox"
	// Chromium shows no PDF that is sandboxed.
	attachedPolicy = "frame-ancestors 'none'"
)

// allow returns a policy in which a directive has further sources.
func allow(policy, directive string, sources []string) string {
	more := " " + strings.Join(sources, " ")
	if before, after, ok := strings.Cut(policy, directive+" 'self'"); ok {
		return before + directive + " 'self'" + more + after
	}
	return policy + "; " + directive + " 'self'" + more
}

// answer answers a request from the tree that is published when it begins.
func (p *Preview) answer(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", p.policy)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	root, _ := p.follow() // /healthz reports the error
	if root == nil {
		p.before.ServeHTTP(w, r)
		return
	}
	files := publicFiles{root}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
		p.notFound(w, r, files)
	case info.IsDir():
		// Unlike that of FileServerFS this target is escaped, so that it cannot lead
		// to another host.
		target := url.URL{Path: "./" + path.Base(name) + "/", RawQuery: r.URL.RawQuery}
		h.Set("Location", target.String())
		w.WriteHeader(http.StatusMovedPermanently)
	default:
		describe(h, name, info)
		http.FileServerFS(files).ServeHTTP(w, fileRequest(r, name, info))
	}
}

// digested matches names that contain a digest of the file.
var digested = regexp.MustCompile(`^(assets/[^/]+\.[0-9a-f]{10}|media/[0-9a-f]{32}(/[^/]+)?)\.[a-z0-9]+$`)

// attached matches names of attachments, none of which is a page that runs anything.
var attached = regexp.MustCompile(`^media/[0-9a-f]{32}/`)

// maxCompressed is the size in bytes up to which a file is compressed for each
// request. A slow reader of a larger one would hold an encoder.
const maxCompressed = 1 << 20

// describe sets the headers of a file.
func describe(h http.Header, name string, info fs.FileInfo) {
	contentType := site.ContentType(name)
	h.Set("Content-Type", contentType)
	switch {
	case attached.MatchString(name):
		h.Set("Content-Security-Policy", attachedPolicy)
	case path.Ext(name) != ".html":
		h.Set("Content-Security-Policy", filePolicy)
	}
	if digested.MatchString(name) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	tag := fmt.Sprintf(`"%x-%x"`, info.Size(), info.ModTime().UnixNano())
	if isText(contentType) {
		tag = "W/" + tag // the compressed file has it as well
	}
	h.Set("ETag", tag)
	if info.Size() > maxCompressed {
		h.Set(gzhttp.HeaderNoCompression, "") // gzhttp removes it
	}
}

// maxRanges is how many ranges of a file are sent in one answer. A request for
// more gets the whole file.
const maxRanges = 10

// fileRequest returns the request that [http.FileServerFS] gets for a file.
func fileRequest(r *http.Request, name string, info fs.FileInfo) *http.Request {
	r = r.Clone(r.Context())
	r.URL.Path = "/" + name
	if folder, is := strings.CutSuffix(r.URL.Path, "/index.html"); is {
		r.URL.Path = folder + "/" // FileServerFS redirects from index.html to this
	}
	if strings.Count(r.Header.Get("Range"), ",") >= maxRanges {
		r.Header.Del("Range")
	}
	// After a rollback a file may be older than the client's: only its own date counts.
	if since, err := http.ParseTime(r.Header.Get("If-Modified-Since")); err != nil || !since.Equal(info.ModTime().Truncate(time.Second)) {
		r.Header.Del("If-Modified-Since")
	}
	return r
}

func (p *Preview) notFound(w http.ResponseWriter, r *http.Request, files fs.FS) {
	page, err := fs.ReadFile(files, "404.html")
	if err != nil {
		if _, err := fs.Stat(files, "index.html"); err != nil { // the owner made the directory before the first build
			p.before.ServeHTTP(w, r)
			return
		}
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", site.ContentType("404.html"))
	w.WriteHeader(http.StatusNotFound)
	if base, err := url.Parse(p.baseURL); err == nil && len(base.Path) > len("/") { // the preview is at the root
		for _, before := range []string{`"`, " "} { // of an attribute, and of a second address in it
			page = bytes.ReplaceAll(page, []byte(before+base.EscapedPath()), []byte(before+"/"))
		}
	}
	w.Write(page)
}

// isText reports whether files of a content type are worth compressing.
func isText(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "xml") || strings.HasSuffix(t, "json")
}
