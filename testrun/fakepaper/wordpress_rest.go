package fakepaper

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// serve answers every request but those for pictures.
func (p *WordPress) serve(w http.ResponseWriter, r *http.Request) {
	path, inside := strings.CutPrefix(r.URL.Path, p.Prefix)
	if !inside {
		http.NotFound(w, r)
		return
	}
	query := r.URL.Query()
	route := query.Get("rest_route")
	if below, ok := strings.CutPrefix(path, "/"+p.prefix()); ok && route == "" {
		if p.PlainPermalinks && !strings.HasSuffix(path, "/") {
			http.Redirect(w, r, p.Prefix+path+"/", http.StatusMovedPermanently)
			return
		}
		if !p.PlainPermalinks {
			route = cmp.Or(below, "/")
		}
	}
	if p.RESTClosed {
		route = ""
	}
	h := w.Header()
	h.Set("Date", p.Now().UTC().Format(http.TimeFormat))
	if !p.NoLink && !p.RESTClosed && !p.HomeForbidden {
		h.Set("Link", "<"+p.root()+`>; rel="https://api.w.org/"`)
	}
	if p.Feed && query.Get("feed") == "atom" {
		r.SetPathValue("id", query.Get("p"))
		p.Operation("feed", func(*http.Request, Call) (int, []byte) { return p.feed(h, r, path, query) })(w, r)
		return
	}
	if route == "" {
		h.Set("Content-Type", "text/html; charset=UTF-8")
		p.Operation("page", func(*http.Request, Call) (int, []byte) { return p.page(path, query) })(w, r)
		return
	}
	name, id, _ := strings.Cut(strings.TrimPrefix(strings.Trim(route, "/"), "wp/v2/"), "/")
	r.SetPathValue("id", cmp.Or(id, query.Get("include"), query.Get("search")))
	h.Set("Content-Type", "application/json; charset=UTF-8")
	p.Operation(cmp.Or(name, "root"), func(*http.Request, Call) (int, []byte) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.rest(&wpRequest{Values: query, header: h, address: p.Base + r.URL.Path, authorization: r.Header.Get("Authorization")}, name, id)
	})(w, r)
}

// A wpRequest is a request for the REST API.
type wpRequest struct {
	url.Values
	header        http.Header // of the answer
	address       string      // without the query
	authorization string
}

// root is the address of the REST API.
func (p *WordPress) root() string {
	if p.PlainPermalinks {
		return p.home() + "/index.php?rest_route=/"
	}
	return p.home() + "/" + p.prefix() + "/"
}

// prefix is the first part of paths of the REST API.
func (p *WordPress) prefix() string { return cmp.Or(p.RESTPrefix, "wp-json") }

// refusal is an error of the REST API.
func refusal(status int, code, message string) (int, []byte) {
	return status, fmt.Appendf(nil, `{"code":%q,"message":%q,"data":{"status":%d}}`, code, message, status)
}

// invalid is the refusal of a parameter.
func invalid(parameter, message string) (int, []byte) {
	return http.StatusBadRequest, fmt.Appendf(nil, `{"code":"rest_invalid_param","message":"Invalid parameter(s): %s","data":{"status":400,"params":{%q:%q}}}`, parameter, parameter, message)
}

func noRoute() (int, []byte) {
	return refusal(http.StatusNotFound, "rest_no_route", "No route was found matching the URL and request method.")
}

// rest answers a request below /wp/v2/. The caller holds the lock.
func (p *WordPress) rest(r *wpRequest, name, id string) (int, []byte) {
	password := "Basic " + base64.StdEncoding.EncodeToString([]byte(p.Key))
	switch isPosts := p.posts[name] != nil; {
	case p.Key != "" && r.authorization != password:
		return refusal(http.StatusUnauthorized, "rest_not_logged_in", "You are not currently logged in.")
	case name == "":
		return http.StatusOK, encode(pick(p.siteFields(), fieldsOf(r.Values)))
	case isPosts && id == "":
		return p.postList(r, name)
	case isPosts:
		return p.postSingle(r, name, id)
	case name == "categories":
		return p.termList(r, id, "category", p.categories, func(post *Post) []int { return post.Categories })
	case name == "tags":
		return p.termList(r, id, "post_tag", p.tags, func(post *Post) []int { return post.Tags })
	case name == "users" && !p.HiddenUsers:
		return p.userList(r, id)
	case name == "media":
		return p.mediaList(r, id)
	case name == "comments" && id == "":
		return p.commentList(r)
	case name == "taxonomies" && id == "":
		return http.StatusOK, encode(map[string]any{
			"category": map[string]any{"slug": "category", "rest_base": "categories"}, "post_tag": map[string]any{"slug": "post_tag", "rest_base": "tags"},
			"sehir": map[string]any{"slug": "sehir", "rest_base": "sehirler"}, "odd": map[string]any{"slug": "odd", "rest_base": "a,b&c"},
		})
	case name == "settings":
		return refusal(http.StatusUnauthorized, "rest_forbidden", "Sorry, you are not allowed to do that.")
	}
	return noRoute()
}

// siteFields are what the root of the REST API has of the site.
func (p *WordPress) siteFields() map[string]any {
	_, seconds := p.Now().In(p.Zone).Zone()
	zone, hours := p.Zone.String(), float64(seconds)/3600
	fields := map[string]any{
		"name": cmp.Or(p.title, "Kıyı Postası"), "description": "Kıyının gazetesi &amp; haberleri", "url": p.home(), "home": p.home(), "gmt_offset": hours,
		"timezone_string": zone, "namespaces": []string{"oembed/1.0", "wp/v2"}, "authentication": []string{}, "site_logo": 0,
	}
	if zone == "" { // a manual offset is text
		fields["gmt_offset"] = strconv.FormatFloat(hours, 'f', -1, 64)
	}
	if m := p.media[firstMedium]; m != nil {
		fields["site_icon"], fields["site_icon_url"] = m.ID, m.Address
	}
	return fields
}

// typeName is the name of a type in its posts.
func typeName(rest string) string {
	return cmp.Or(map[string]string{"posts": "post", "pages": "page"}[rest], rest)
}

// A column is a field of an answer. A nil value is left out.
type column[T any] struct {
	name  string
	value func(T) any
}

// fields are those that an answer is limited to; nil is all of them.
type fields map[string]fields

// fieldsOf reads the parameter _fields.
func fieldsOf(query url.Values) fields {
	if query.Get("_fields") == "" {
		return nil
	}
	all := make(fields)
	for path := range strings.SplitSeq(query.Get("_fields"), ",") {
		at := all
		names := strings.Split(strings.TrimSpace(path), ".")
		for i, name := range names {
			below, known := at[name]
			switch {
			case i == len(names)-1:
				at[name] = nil
			case known && below == nil: // all of it is wanted
				at = make(fields)
			case !known:
				at[name] = make(fields)
				at = at[name]
			default:
				at = below
			}
		}
	}
	return all
}

// pick returns the wanted fields of a value. What is a function is called if it is wanted.
func pick(value any, wanted fields) any {
	if text, ok := value.(func() string); ok {
		return text()
	}
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	picked := make(map[string]any)
	for name, value := range object {
		if below, isWanted := wanted[name]; isWanted || wanted == nil {
			picked[name] = pick(value, below)
		}
	}
	return picked
}

// object returns an element with its wanted fields.
func object[T any](columns []column[T], element T, wanted fields) map[string]any {
	all := make(map[string]any, len(columns))
	for _, c := range columns {
		below, isWanted := wanted[c.name]
		if wanted != nil && !isWanted {
			continue
		}
		if value := c.value(element); value != nil {
			all[c.name] = pick(value, below)
		}
	}
	return all
}

// list answers with a part of a list.
func list[T any](r *wpRequest, columns []column[T], elements []T, isOfPosts bool) (int, []byte) {
	n, size, page := len(elements), r.number("per_page", 10), r.number("page", 1)
	if size < 1 || size > 100 {
		return invalid("per_page", "per_page must be between 1 (inclusive) and 100 (inclusive)")
	}
	if page < 1 {
		return invalid("page", "page must be greater than or equal to 1")
	}
	offset := (page - 1) * size
	if r.Get("offset") != "" {
		if offset = r.number("offset", 0); offset < 0 {
			return invalid("offset", "offset must be greater than or equal to 0")
		}
	}
	if isOfPosts && offset >= n && offset > 0 {
		if r.Get("offset") == "" {
			return refusal(http.StatusBadRequest, "rest_post_invalid_page_number", "The page number requested is larger than the number of pages available.")
		}
		n = 0
	}
	pages := (n + size - 1) / size
	r.header.Set("X-WP-Total", strconv.Itoa(n))
	r.header.Set("X-WP-TotalPages", strconv.Itoa(pages))
	for _, link := range []struct {
		rel  string
		page int
	}{{"prev", page - 1}, {"next", page + 1}} {
		if link.page >= 1 && link.page <= pages {
			query := maps.Clone(r.Values)
			query.Set("page", strconv.Itoa(link.page))
			r.header.Add("Link", fmt.Sprintf(`<%s?%s>; rel=%q`, r.address, query.Encode(), link.rel))
		}
	}
	shown := []map[string]any{}
	wanted := fieldsOf(r.Values)
	for _, e := range elements[min(offset, len(elements)):min(offset+size, len(elements))] {
		if columns[0].value(e) == nil { // left out after it was counted
			continue
		}
		shown = append(shown, object(columns, e, wanted))
	}
	return http.StatusOK, encode(shown)
}

// number returns a parameter; -1 is what is no number.
func (r *wpRequest) number(name string, none int) int {
	if !r.Has(name) {
		return none
	}
	n, err := strconv.Atoi(r.Get(name))
	if err != nil {
		return -1
	}
	return n
}

// ids returns the numbers of a parameter, nil if it is missing.
func (r *wpRequest) ids(name string) []int {
	var list []int
	for _, value := range append(r.Values[name], r.Values[name+"[]"]...) {
		for text := range strings.SplitSeq(value, ",") {
			n, _ := strconv.Atoi(text)
			list = append(list, n)
		}
	}
	return list
}

// page answers with a page of the site: home, a public post, or the page of an error.
func (p *WordPress) page(path string, query url.Values) (int, []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := cmp.Or(query.Get("p"), query.Get("page_id"))
	status, title := http.StatusNotFound, "Sayfa bulunamadı"
	if (path == "/" || path == "") && id == "" {
		status, title = http.StatusOK, cmp.Or(p.title, "Kıyı Postası")
	}
	for _, post := range p.byID {
		if status == http.StatusNotFound && post.isPublic(p.Now()) && (id == strconv.Itoa(post.ID) || p.home()+path == p.link(post)) {
			status, title = http.StatusOK, texturized(post.Title)
		}
	}
	if p.HomeForbidden {
		return http.StatusForbidden, []byte(`<!DOCTYPE html><html lang="en-US"><head><title>Forbidden</title></head></html>`)
	}
	head := fmt.Sprintf(`<link rel="stylesheet" href="%s/wp-content/themes/kiyi/style.css">`, p.home())
	if !p.NoLink && !p.RESTClosed {
		head += fmt.Sprintf(`<link rel="https://api.w.org/" href=%q><meta name="generator" content="WordPress 6.5.5">`, html.EscapeString(p.root()))
	}
	return status, fmt.Appendf(nil, `<!DOCTYPE html><html lang=%q><head><title>%s</title>%s</head><body><h1>%[2]s</h1></body></html>`,
		cmp.Or(p.Language, "tr-TR"), title, head)
}

// inOrder returns the elements of a map by their ids.
func inOrder[T any](all map[int]T) (list []T) {
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[id])
	}
	return list
}

// links are the _links of an element, which no answer has that is limited to other fields.
func (p *WordPress) links(name string, id int) any {
	self := strings.TrimSuffix(p.root(), "/") + "/wp/v2/" + name
	return map[string]any{"self": []any{map[string]any{"href": self + "/" + strconv.Itoa(id)}}, "collection": []any{map[string]any{"href": self}}}
}
