package server

import (
	"cmp"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/singleflight"
	"golang.org/x/text/encoding/charmap"

	"ayna/archive"
)

// api is the handler of the operations, for one archive.
type api struct {
	archive *archive.Archive
	options Options
	gate    gate
	cache   listCache
	reading singleflight.Group // of rows
	opened  string             // random, so that no entity tag outlives this api
	damaged sync.Map           // damaged records that were logged, by kind and id
}

func newAPI(a *archive.Archive, o Options) *api {
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &api{archive: a, options: o, gate: newGate(), cache: newCache(), opened: rand.Text()}
}

var (
	errMethod      = &apiError{status: http.StatusMethodNotAllowed, message: "every operation is a GET"}
	errNoOperation = &apiError{status: http.StatusNotFound, message: "no such operation; /v1/ lists them"}
)

// ServeHTTP implements [http.Handler].
func (s *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, errMethod)
		return
	}
	d, err := s.answer(r)
	if err != nil {
		fail(w, err)
		return
	}
	reply(w, r, d)
}

// answer finds the operation of a path. Unlike [http.ServeMux] it takes names in
// any case, ignores superfluous slashes, and never redirects.
func (s *api) answer(r *http.Request) (document, error) {
	// RawPath is set if the path as sent differs from its usual encoding.
	path := segments(cmp.Or(r.URL.RawPath, r.URL.EscapedPath()))
	if len(path) == 0 || len(path) > 3 || !strings.EqualFold(path[0], "v1") {
		return document{}, errNoOperation
	}
	path = append(path, "", "") // no segment is empty
	name, last := strings.ToLower(path[1]), path[2]
	if last == "" && (name == "" || name == "openapi.json") {
		return document{body: openAPI}, nil
	}
	g := groupNamed(name)
	if g == nil && (name != "date" || last != "") && (name != "search" || last == "") {
		return document{}, errNoOperation
	}
	q, err := readQuery(r)
	switch {
	case err != nil:
		return document{}, err
	case name == "date":
		return s.date()
	case name == "search":
		return s.search(r, q, decodeKeyword(last))
	case strings.EqualFold(last, "$count"):
		return s.count(g, r, q)
	}
	if id := cmp.Or(last, q["id"]); id != "" {
		return s.single(r.Context(), g, q, id)
	}
	return s.list(g, r, q)
}

// decodeKeyword reads bytes that are not UTF-8 as Windows-1254: old clients send
// Turkish letters that way.
func decodeKeyword(keyword string) string {
	var b strings.Builder
	for keyword != "" {
		c, size := utf8.DecodeRuneInString(keyword)
		if c == utf8.RuneError && size == 1 {
			c = charmap.Windows1254.DecodeByte(keyword[0])
		}
		b.WriteRune(c)
		keyword = keyword[size:]
	}
	return b.String()
}

// Split sends requests below /v1/ to api, /healthz to health, and all others to
// site. Paths stay as they were sent; [http.ServeMux] would redirect some.
func Split(api, health, site http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch areaOf(r.URL.Path) {
		case "api":
			api.ServeHTTP(w, r)
		case "health":
			health.ServeHTTP(w, r)
		default:
			site.ServeHTTP(w, r)
		}
	})
}

// areaOf returns the part of the server that answers a path.
func areaOf(path string) string {
	switch {
	case isAPI(path):
		return "api"
	case path == "/healthz":
		return "health"
	}
	return "site"
}

func isAPI(path string) bool {
	rest := strings.TrimLeft(path, "/")
	return strings.HasPrefix(path, "/") && (rest == "v1" || strings.HasPrefix(rest, "v1/"))
}

// isDamaged reports whether a record is damaged. It logs each damaged record once.
func (s *api) isDamaged(r *archive.Record) bool {
	if !r.Damaged {
		return false
	}
	if _, logged := s.damaged.LoadOrStore(string(r.Kind)+" "+r.ID, true); !logged {
		s.options.Log.Error("a record of the archive is damaged and left out; run ayna build --check", "kind", string(r.Kind), "id", r.ID)
	}
	return true
}
