package fakepaper

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// postList answers with public posts of a type.
func (p *WordPress) postList(r *wpRequest, name string) (int, []byte) {
	switch {
	case r.Get("context") == "edit":
		return refusal(http.StatusUnauthorized, "rest_forbidden_context", "Sorry, you are not allowed to edit posts in this post type.")
	case r.Has("status") && r.Get("status") != "publish":
		return invalid("status", "Status is forbidden.")
	case r.Has("order") && r.Get("order") != "asc" && r.Get("order") != "desc":
		return invalid("order", "order is not one of asc, desc.")
	}
	order, ok := orders[cmp.Or(r.Get("orderby"), "date")]
	if !ok {
		return invalid("orderby", "orderby is not one of author, date, id, include, modified, parent, relevance, slug, include_slugs, title.")
	}
	conditions, wrong := p.conditions(r)
	if wrong != "" {
		return invalid(wrong, "Invalid date.")
	}
	found := p.matching(p.candidates(r, name), conditions)
	switch include := r.ids("include"); {
	case r.Get("orderby") == "include":
		slices.SortStableFunc(found, func(a, b *Post) int {
			return cmp.Compare(slices.Index(include, a.ID), slices.Index(include, b.ID))
		})
	case order != nil || r.Get("order") == "asc":
		direction := -1
		if r.Get("order") == "asc" {
			direction = 1
		}
		slices.SortFunc(found, func(a, b *Post) int {
			if order == nil {
				return direction * cmp.Or(a.localDate.Compare(b.localDate), a.ID-b.ID)
			}
			return cmp.Or(direction*order(a, b), a.ID-b.ID)
		})
	}
	return list(r, p.postColumns(name, r.Get("context") == "embed"), found, true)
}

// candidates returns the posts of a type in the order of lists, or those of them that a
// request includes.
func (p *WordPress) candidates(r *wpRequest, name string) []*Post {
	ids := r.ids("include")
	if ids == nil {
		return p.posts[name]
	}
	slices.Sort(ids)
	var some []*Post
	for _, id := range slices.Compact(ids) {
		if post := p.byID[id]; post != nil && post.Type == name {
			some = append(some, post)
		}
	}
	slices.SortFunc(some, newestFirst)
	return some
}

// matching returns the public posts that fulfil all conditions.
func (p *WordPress) matching(posts []*Post, conditions []func(*Post) bool) []*Post {
	now := p.Now()
	found := make([]*Post, 0, len(posts))
	for _, post := range posts {
		if post.isPublic(now) && !slices.ContainsFunc(conditions, func(holds func(*Post) bool) bool { return !holds(post) }) {
			found = append(found, post)
		}
	}
	return found
}

// orders are what lists may be sorted by; nil is the order of dates.
var orders = map[string]func(a, b *Post) int{
	"date": nil, "include": nil, "include_slugs": nil, "relevance": nil,
	"author":   func(a, b *Post) int { return a.Author - b.Author },
	"id":       func(a, b *Post) int { return a.ID - b.ID },
	"modified": func(a, b *Post) int { return a.localModified.Compare(b.localModified) },
	"parent":   func(a, b *Post) int { return a.Parent - b.Parent },
	"slug":     func(a, b *Post) int { return strings.Compare(a.Slug, b.Slug) },
	"title":    func(a, b *Post) int { return strings.Compare(a.Title, b.Title) },
}

// conditions returns what the posts of a list must fulfil, or the name of a parameter that
// is no date. Unknown parameters are ignored.
func (p *WordPress) conditions(r *wpRequest) (all []func(*Post) bool, wrong string) {
	// Dates are exclusive, and compared with what the site's clock showed.
	for name, holds := range map[string]func(post *Post, at time.Time) bool{
		"after":           func(post *Post, at time.Time) bool { return post.localDate.After(at) },
		"before":          func(post *Post, at time.Time) bool { return post.localDate.Before(at) },
		"modified_after":  func(post *Post, at time.Time) bool { return post.localModified.After(at) },
		"modified_before": func(post *Post, at time.Time) bool { return post.localModified.Before(at) },
	} {
		if !r.Has(name) {
			continue
		}
		at, err := time.Parse("2006-01-02T15:04:05", r.Get(name)) // without an offset it is local
		if err != nil {
			if at, err = time.Parse(time.RFC3339, r.Get(name)); err != nil {
				return nil, name
			}
			at = p.local(at)
		}
		all = append(all, func(post *Post) bool { return holds(post, at) })
	}
	for name, of := range map[string]func(*Post) []int{
		"author":     func(post *Post) []int { return []int{post.Author} },
		"parent":     func(post *Post) []int { return []int{post.Parent} },
		"categories": func(post *Post) []int { return post.Categories },
		"tags":       func(post *Post) []int { return post.Tags },
	} {
		if ids := r.ids(name); ids != nil {
			all = append(all, func(post *Post) bool { return intersects(of(post), ids) })
		}
	}
	if ids := r.ids("exclude"); ids != nil {
		all = append(all, func(post *Post) bool { return !slices.Contains(ids, post.ID) })
	}
	if ids := r.ids("categories_exclude"); ids != nil {
		all = append(all, func(post *Post) bool { return !intersects(post.Categories, ids) })
	}
	if slug := r.Get("slug"); slug != "" {
		all = append(all, func(post *Post) bool { return post.Slug == slug })
	}
	if r.Has("sticky") {
		all = append(all, func(post *Post) bool { return post.Sticky == (r.Get("sticky") == "true") })
	}
	if word := r.Get("search"); word != "" {
		all = append(all, func(post *Post) bool { return strings.Contains(post.Title+" "+post.Excerpt+" "+post.Text, word) })
	}
	return all, ""
}

func intersects(a, b []int) bool {
	return slices.ContainsFunc(a, func(n int) bool { return slices.Contains(b, n) })
}

func (p *WordPress) postSingle(r *wpRequest, name, id string) (int, []byte) {
	if strings.Contains(id, "/") { // revisions
		return refusal(http.StatusUnauthorized, "rest_cannot_read", "Sorry, you are not allowed to view revisions of this post.")
	}
	n, _ := strconv.Atoi(id)
	post := p.byID[n]
	switch {
	case post == nil || post.Type != name:
		return refusal(http.StatusNotFound, "rest_post_invalid_id", "Invalid post ID.")
	case !post.isPublic(p.Now()):
		return refusal(http.StatusUnauthorized, "rest_forbidden", "Sorry, you are not allowed to do that.")
	}
	return http.StatusOK, encode(object(p.postColumns(name, false), post, fieldsOf(r.Values)))
}

// elements answers with a list that is not of posts, or with one of it.
func elements[T any](r *wpRequest, id string, columns []column[T], all []T, number func(T) int) (int, []byte) {
	n, _ := strconv.Atoi(id)
	if ids := append(r.ids("include"), n); len(ids) > 1 || id != "" {
		all = slices.DeleteFunc(all, func(e T) bool { return !slices.Contains(ids, number(e)) })
	}
	if id == "" {
		return list(r, columns, all, false)
	}
	if len(all) == 0 {
		return refusal(http.StatusNotFound, "rest_term_invalid", "Term does not exist.")
	}
	return http.StatusOK, encode(object(columns, all[0], fieldsOf(r.Values)))
}

func termNumber(t *Term) int { return t.ID }

// termList answers with categories or tags, by their names if nothing else is asked for.
func (p *WordPress) termList(r *wpRequest, id, taxonomy string, all map[int]*Term, of func(*Post) []int) (int, []byte) {
	counts, now := make(map[int]int), p.Now()
	for _, post := range p.posts["posts"] {
		if post.isPublic(now) {
			for _, term := range of(post) {
				counts[term]++
			}
		}
	}
	order := map[string]func(a, b *Term) int{
		"name":  func(a, b *Term) int { return strings.Compare(a.Name, b.Name) },
		"slug":  func(a, b *Term) int { return strings.Compare(a.Slug, b.Slug) },
		"id":    func(a, b *Term) int { return a.ID - b.ID },
		"count": func(a, b *Term) int { return counts[a.ID] - counts[b.ID] },
	}[cmp.Or(r.Get("orderby"), "name")]
	if order == nil {
		return invalid("orderby", "orderby is not one of id, include, name, slug, include_slugs, term_group, description, count.")
	}
	terms := inOrder(all)
	slices.SortStableFunc(terms, func(a, b *Term) int {
		if r.Get("order") == "desc" {
			return order(b, a)
		}
		return order(a, b)
	})
	count := column[*Term]{"count", func(t *Term) any { return counts[t.ID] }}
	return elements(r, id, append(p.termColumns(taxonomy), count), terms, termNumber)
}

// termColumns are the fields of a category or a tag.
func (p *WordPress) termColumns(taxonomy string) []column[*Term] {
	name := map[string]string{"category": "categories", "post_tag": "tags"}[taxonomy]
	base := map[string]string{"category": "/category", "post_tag": "/tag"}[taxonomy]
	columns := append(p.namedColumns(name), []column[*Term]{
		{"taxonomy", func(*Term) any { return taxonomy }},
		{"link", func(t *Term) any {
			if p.PlainPermalinks {
				return fmt.Sprintf("%s/?%s=%d", p.home(), map[string]string{"category": "cat", "post_tag": "tag_id"}[taxonomy], t.ID)
			}
			if taxonomy == "category" {
				return p.home() + base + p.folderPath(t.ID)
			}
			return p.home() + base + "/" + t.Slug + "/"
		}},
	}...)
	if taxonomy == "category" {
		columns = append(columns, column[*Term]{"parent", func(t *Term) any { return t.Parent }})
	}
	return columns
}

// namedColumns are the fields that terms and users share. Names have entities.
func (p *WordPress) namedColumns(name string) []column[*Term] {
	return []column[*Term]{
		{"id", func(t *Term) any { return t.ID }},
		{"name", func(t *Term) any { return strings.ReplaceAll(t.Name, "&", "&amp;") }},
		{"slug", func(t *Term) any { return t.Slug }},
		{"description", func(t *Term) any { return t.Description }},
		{"_links", func(t *Term) any { return p.links(name, t.ID) }},
	}
}

// folderPath is the path of a category: the slugs of its parents and its own.
func (p *WordPress) folderPath(id int) string {
	path := "/"
	for seen := 0; p.categories[id] != nil && seen < 10; seen++ {
		path, id = "/"+p.categories[id].Slug+path, p.categories[id].Parent
	}
	return path
}

// userList answers with the users who have a public post, or with all to a request with the
// password that does not limit them.
func (p *WordPress) userList(r *wpRequest, id string) (int, []byte) {
	now, writes := p.Now(), make(map[int]bool)
	if p.Key != "" && r.Get("has_published_posts") != "true" {
		for id := range p.users {
			writes[id] = true
		}
	}
	for _, posts := range p.posts {
		for _, post := range posts {
			if !writes[post.Author] && post.isPublic(now) {
				writes[post.Author] = true
			}
		}
	}
	if n, _ := strconv.Atoi(id); p.users[n] != nil && !writes[n] {
		return refusal(http.StatusUnauthorized, "rest_user_cannot_view", "Sorry, you are not allowed to list users.")
	}
	columns := append(p.namedColumns("users"), []column[*Term]{
		{"url", func(*Term) any { return "" }},
		{"link", func(t *Term) any {
			if p.PlainPermalinks {
				return fmt.Sprintf("%s/?author=%d", p.home(), t.ID)
			}
			return p.home() + "/author/" + t.Slug + "/"
		}},
		{"avatar_urls", func(t *Term) any {
			return map[string]any{"24": fmt.Sprintf("https://gravatar.example/avatar/%032x", t.ID)}
		}},
	}...)
	return elements(r, id, columns, slices.DeleteFunc(inOrder(p.users), func(t *Term) bool { return !writes[t.ID] }), termNumber)
}

// mediaList answers with pictures.
func (p *WordPress) mediaList(r *wpRequest, id string) (int, []byte) {
	wanted := fieldsOf(r.Values)
	columns := []column[*Medium]{
		{"id", func(m *Medium) any { return m.ID }},
		{"date_gmt", func(m *Medium) any { return m.Date.UTC().Format(wpDate) }},
		{"type", func(*Medium) any { return "attachment" }},
		{"link", func(m *Medium) any { return fmt.Sprintf("%s/?attachment_id=%d", p.home(), m.ID) }},
		{"post", func(m *Medium) any { return m.Post }},
		{"alt_text", func(m *Medium) any { return m.Alt }},
		{"caption", func(m *Medium) any {
			if len(wanted["caption"]) > 0 { // as in caption.rendered, which WordPress leaves out
				return nil
			}
			return map[string]any{"rendered": "<p>" + strings.ReplaceAll(m.Caption, "&", "&#038;") + "</p>\n"}
		}},
		{"media_type", func(*Medium) any { return "image" }},
		{"source_url", func(m *Medium) any { return m.Address }},
		{"media_details", func(m *Medium) any {
			sizes := make(map[string]any)
			for _, s := range m.sizes() {
				sizes[s.name] = map[string]any{"width": s.width, "height": s.height, "source_url": s.address}
			}
			return map[string]any{"width": 1600, "height": 1067, "sizes": sizes}
		}},
		{"_links", func(m *Medium) any { return p.links("media", m.ID) }},
	}
	var all []*Medium
	if ids := r.ids("include"); ids != nil { // a map of many
		for _, id := range ids {
			if m := p.media[id]; m != nil {
				all = append(all, m)
			}
		}
	} else {
		all = inOrder(p.media)
	}
	if parents := r.ids("parent"); parents != nil {
		all = slices.DeleteFunc(all, func(m *Medium) bool { return !slices.Contains(parents, m.Post) })
	}
	return elements(r, id, columns, all, func(m *Medium) int { return m.ID })
}
