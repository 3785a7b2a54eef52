package server

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

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
	case path == liveEvents:
		return "live"
	}
	return "site"
}

func isAPI(path string) bool {
	rest := strings.TrimLeft(path, "/")
	return strings.HasPrefix(path, "/") && (rest == "v1" || strings.HasPrefix(rest, "v1/"))
}

// router maps paths to handlers: their segments in lower case, with "*" for any
// last segment. Unlike [http.ServeMux] it ignores case and superfluous slashes.
type router map[[3]string]http.HandlerFunc

// lastSegment is the path value that holds the third segment: an id or a keyword.
const lastSegment = "last"

func (s *api) routes() http.Handler {
	rt := router{
		{"v1"}:                  s.reference,
		{"v1", "openapi.json"}:  s.openAPI(),
		{"v1", "reference.css"}: sendFile("text/css; charset=utf-8", referenceStyle),
	}
	for _, g := range groups {
		rt[[3]string{"v1", g.name, "$count"}] = s.handle(g, (*api).count)
	}
	for _, o := range operations {
		var key [3]string
		copy(key[:], segmentsOf(o.path))
		if strings.HasPrefix(key[2], "{") {
			key[2] = "*"
		}
		rt[key] = s.handle(o.group, o.answer)
	}
	return rt
}

// ServeHTTP implements [http.Handler].
func (rt router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, &apiError{status: http.StatusMethodNotAllowed, message: "every operation is a GET"})
		return
	}
	if h := rt.find(r); h != nil {
		h(w, r)
		return
	}
	fail(w, &apiError{status: http.StatusNotFound, message: "no such operation; /v1/ lists them"})
}

func (rt router) find(r *http.Request) http.HandlerFunc {
	// RawPath is set if the path as sent differs from its usual encoding.
	segments := segmentsOf(cmp.Or(r.URL.RawPath, r.URL.EscapedPath()))
	var key [3]string
	if len(segments) > len(key) {
		return nil
	}
	for i, segment := range segments {
		key[i] = strings.ToLower(segment)
	}
	if len(segments) < len(key) {
		return rt[key]
	}
	r.SetPathValue(lastSegment, segments[2])
	if h := rt[key]; h != nil {
		return h
	}
	key[2] = "*"
	return rt[key]
}

// segmentsOf splits an escaped path and decodes each segment: an escaped slash
// is part of its segment. Empty segments are ignored. OData's articles('41') is
// articles/41.
func segmentsOf(path string) []string {
	var segments []string
	for segment := range strings.FieldsFuncSeq(path, func(c rune) bool { return c == '/' }) {
		if decoded, err := url.PathUnescape(segment); err == nil {
			segment = decoded
		}
		segments = append(segments, segment)
	}
	if len(segments) == 2 {
		if name, id, found := cutKey(segments[1]); found {
			segments = []string{segments[0], name, id}
		}
	}
	return segments
}

// cutKey splits a resource name with an OData key: articles('41'), articles(41)
// or articles(Id='41').
func cutKey(segment string) (name, id string, found bool) {
	name, key, found := strings.Cut(segment, "(")
	if !found || !strings.HasSuffix(key, ")") {
		return "", "", false
	}
	key = strings.TrimSpace(strings.TrimSuffix(key, ")"))
	if property, value, named := strings.Cut(key, "="); named && strings.EqualFold(strings.TrimSpace(property), "Id") {
		key = strings.TrimSpace(value)
	}
	if len(key) >= 2 && key[0] == '\'' && key[len(key)-1] == '\'' {
		key = strings.ReplaceAll(key[1:len(key)-1], "''", "'")
	}
	return name, key, key != ""
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
