package server

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// route is a path below /v1/ and its handler. A segment in braces stands for any
// one segment, which is a value of the path.
type route struct {
	segments []string
	handler  http.HandlerFunc
}

// router finds the handler of a path. [http.ServeMux] would redirect doubled
// slashes, and knows no trailing ones.
type router []route

func (rs *router) add(path string, handler http.HandlerFunc) {
	*rs = append(*rs, route{strings.FieldsFunc(path, isSlash), handler})
}

func isSlash(c rune) bool { return c == '/' }

// ServeHTTP implements [http.Handler].
func (rs router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, refuse(http.StatusMethodNotAllowed, "every operation is a GET"))
		return
	}
	segments := segmentsOf(r.URL)
	for _, route := range rs {
		if route.matches(segments, r) {
			route.handler(w, r)
			return
		}
	}
	fail(w, refuse(http.StatusNotFound, "no such operation; /v1/ lists them"))
}

// matches compares a path with that of the route, and sets the path values of
// the request if they agree.
func (t route) matches(segments []string, r *http.Request) bool {
	if len(segments) != len(t.segments) {
		return false
	}
	for i, want := range t.segments {
		if !strings.HasPrefix(want, "{") && !strings.EqualFold(want, segments[i]) {
			return false
		}
	}
	for i, want := range t.segments {
		if strings.HasPrefix(want, "{") {
			r.SetPathValue(strings.Trim(want, "{}"), segments[i])
		}
	}
	return true
}

// segmentsOf returns the segments of a path, decoded one by one: an encoded slash
// belongs to its segment. Empty segments do not count, so trailing and doubled
// slashes make no difference. OData's articles('41') is articles/41.
func segmentsOf(u *url.URL) []string {
	path := u.RawPath // as it was sent, if that differs from the usual encoding
	if path == "" {
		path = u.EscapedPath()
	}
	var segments []string
	for segment := range strings.FieldsFuncSeq(path, isSlash) {
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

// cutKey takes OData's key from the name of a resource: articles('41'),
// articles(41) or articles(Id='41').
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

// isAPI reports whether a path leads to the API.
func isAPI(path string) bool {
	if !strings.HasPrefix(path, "/") {
		return false
	}
	path = strings.TrimLeft(path, "/")
	return path == "v1" || strings.HasPrefix(path, "v1/")
}

// keywordOf decodes the keyword of a search. Old clients send Turkish letters as
// bytes of Windows-1254, so bytes that are not UTF-8 are read as that.
func keywordOf(r *http.Request) string {
	keyword := r.PathValue("keyword")
	if utf8.ValidString(keyword) {
		return keyword
	}
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
