package fakepaper

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// wrongKeys are as many as Ghost answers before it answers nobody at an address.
const wrongKeys = 99

// content answers a request to the Content API.
func (g *Ghost) content(w http.ResponseWriter, r *http.Request, name string) {
	query := r.URL.Query()
	list, own, isOwn := strings.Cut(name, "/")
	if isOwn = isOwn && (list == "posts" || list == "pages"); isOwn { // the address of one
		name = list
		r.SetPathValue("id", own)
	}
	if ids := filterIDs.FindStringSubmatch(query.Get("filter")); ids != nil {
		r.SetPathValue("id", ids[1])
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	g.Operation(name, func(*http.Request, Call) (int, []byte) {
		g.mu.Lock()
		defer g.mu.Unlock()
		switch {
		case g.wrong >= wrongKeys:
			return ghostError(http.StatusTooManyRequests, "TooManyRequestsError", "Too many attempts.")
		case query.Get("key") == "":
			return ghostError(http.StatusForbidden, "NoPermissionError", "Authorization failed")
		case query.Get("key") != g.Key:
			g.wrong++
			return ghostError(http.StatusUnauthorized, "UnauthorizedError", "Unknown Content API Key")
		}
		switch name {
		case "settings":
			return http.StatusOK, ghostAnswer(map[string]any{"settings": g.settings(), "meta": map[string]any{}})
		case "search-index/posts":
			return g.searchIndex()
		case "posts", "pages":
			if !isOwn {
				return g.postList(query, name)
			}
			query.Set("filter", "id:["+own+"]")
			if status, body := g.postList(query, name); strings.Contains(string(body), `"id":"`+own) {
				return status, body
			}
			return ghostError(http.StatusNotFound, "NotFoundError", "Resource not found error, cannot read post.")
		case "tags":
			return g.tagList(query, name)
		case "authors":
			return ghostList(query, name, g.authors, func(t *GhostTaxonomy) map[string]any { return g.taxonomy(t, "author") })
		}
		return ghostError(http.StatusNotFound, "NotFoundError", "Resource not found")
	})(w, r)
}

func ghostError(status int, kind, message string) (int, []byte) {
	return status, ghostAnswer(map[string]any{"errors": []any{map[string]any{"message": message, "type": kind}}})
}

func ghostAnswer(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // maps of texts and numbers are encoded
	}
	return data
}

func (g *Ghost) settings() map[string]any {
	return map[string]any{
		"title": g.name(), "description": "Kıyının gazetesi & haberleri", "logo": g.Base + "/content/images/logo.png", "icon": g.Base + "/content/images/simge.png", "accent_color": "#FF1A75",
		"lang": "tr", "locale": "tr", "timezone": g.Zone.String(), "site_uuid": g.uuid, "url": g.Base + "/", "version": "6.65",
		"navigation": []any{
			map[string]any{"label": "Spor", "url": "/tag/spor/"}, map[string]any{"label": "Abone ol", "url": "#/portal/signup"},
			map[string]any{"label": "Biz", "url": "/hakkimizda/"}, map[string]any{"label": "Dernek", "url": "https://dernek.example/"},
		},
	}
}

// stamp is a date as Ghost answers with it, in the zone of the site.
func (g *Ghost) stamp(at time.Time) string {
	return at.In(g.Zone).Format("2006-01-02T15:04:05.000-07:00")
}

// public returns the posts or pages that everybody sees.
func (g *Ghost) public(isPage bool) (list []*GhostPost) {
	for _, p := range g.posts {
		if p.IsPage == isPage && !p.IsDraft && !p.Published.After(g.Now()) {
			list = append(list, p)
		}
	}
	return list
}

func (g *Ghost) searchIndex() (int, []byte) {
	const most = 10_000
	list := g.public(false)
	slices.SortStableFunc(list, func(a, b *GhostPost) int { return b.Updated.Compare(a.Updated) })
	shown := []any{}
	for _, p := range list[:min(len(list), most)] {
		shown = append(shown, ghostPick(g.object(p, false), []string{"id", "slug", "title", "excerpt", "url", "updated_at", "visibility"}))
	}
	return http.StatusOK, ghostAnswer(map[string]any{"posts": shown})
}

var (
	filterIDs     = regexp.MustCompile(`^id:\[([0-9a-f,]*)\]$`)
	filterUpdated = regexp.MustCompile(`^updated_at:>='(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)'$`)
	filterWords   = regexp.MustCompile(`^title:~'(.*)',html:~'(.*)'$`)
)

func (g *Ghost) postList(query url.Values, name string) (int, []byte) {
	list := g.public(name == "pages")
	filter := query.Get("filter")
	var holds func(*GhostPost) bool
	switch {
	case filter == "":
		holds = func(*GhostPost) bool { return true }
	case filterIDs.MatchString(filter):
		ids := make(map[string]bool)
		for id := range strings.SplitSeq(filterIDs.FindStringSubmatch(filter)[1], ",") {
			ids[id] = true
		}
		holds = func(p *GhostPost) bool { return ids[p.ID] }
	case filterUpdated.MatchString(filter):
		since, err := time.Parse(time.DateTime, filterUpdated.FindStringSubmatch(filter)[1]) // in UTC
		holds = func(p *GhostPost) bool { return err == nil && !p.Updated.Before(since) }
	case filterWords.MatchString(filter):
		word := filterWords.FindStringSubmatch(filter)[1]
		holds = func(p *GhostPost) bool { return strings.Contains(p.Title+" "+p.HTML, word) }
	default:
		return ghostError(http.StatusBadRequest, "BadRequestError", "Error parsing filter")
	}
	list = slices.DeleteFunc(list, func(p *GhostPost) bool { return !holds(p) })
	slices.SortStableFunc(list, func(a, b *GhostPost) int {
		if query.Get("order") == "id desc" {
			return strings.Compare(b.ID, a.ID)
		}
		return cmp.Or(b.Published.Compare(a.Published), strings.Compare(b.ID, a.ID))
	})
	return ghostList(query, name, list, func(p *GhostPost) map[string]any {
		o := g.object(p, strings.Contains(query.Get("include"), "tags"))
		if fields := query.Get("fields"); fields != "" {
			o = ghostPick(o, strings.Split(fields, ","))
		}
		return o
	})
}

func ghostPick(object map[string]any, names []string) map[string]any {
	picked := make(map[string]any)
	for _, name := range names {
		if value, ok := object[name]; ok {
			picked[name] = value
		}
	}
	return picked
}

// object is a post as the API shows it to a stranger.
func (g *Ghost) object(p *GhostPost, withNames bool) map[string]any {
	access, text, excerpt := p.Visibility == "public", p.HTML, p.Excerpt
	if !access {
		text = p.Open
	}
	o := map[string]any{
		"id": p.ID, "uuid": p.ID, "slug": p.Slug, "title": p.Title, "html": text, "comment_id": p.ID, "visibility": p.Visibility, "access": access, "featured": false,
		"created_at": g.stamp(p.Published), "updated_at": g.stamp(p.Updated), "published_at": g.stamp(p.Published), "url": g.Base + "/" + p.Slug + "/",
		"excerpt": cmp.Or(excerpt, "Otomatik özet"), "custom_excerpt": nil, "feature_image": nil, "feature_image_alt": nil, "feature_image_caption": nil,
	}
	if access && text == "" {
		o["html"] = nil
	}
	if excerpt != "" {
		o["custom_excerpt"] = excerpt
	}
	if p.Picture != "" {
		o["feature_image"], o["feature_image_alt"], o["feature_image_caption"] = p.Picture, "Kıyı", "Kıyıda sabah &amp; <i>akşam</i>"
	}
	if !withNames {
		return o
	}
	o["tags"], o["authors"], o["primary_tag"], o["primary_author"] = g.taxonomies(g.tags, p.Tags, "tag"), g.taxonomies(g.authors, p.Authors, "author"), nil, nil
	for _, t := range o["tags"].([]map[string]any) {
		if t["visibility"] == "public" && o["primary_tag"] == nil {
			o["primary_tag"] = t
		}
	}
	if authors := o["authors"].([]map[string]any); len(authors) > 0 {
		o["primary_author"] = authors[0]
	}
	return o
}

// tagList answers with the tags that posts have. The total counts all tags, as in Ghost.
func (g *Ghost) tagList(query url.Values, name string) (int, []byte) {
	used := make(map[string]bool)
	for _, p := range slices.Concat(g.public(false), g.public(true)) {
		for _, id := range p.Tags {
			used[id] = true
		}
	}
	list := slices.DeleteFunc(slices.Clone(g.tags), func(t *GhostTaxonomy) bool { return !used[t.ID] })
	return ghostPage(query, name, list, len(g.tags), func(t *GhostTaxonomy) map[string]any { return g.taxonomy(t, "tag") })
}

// taxonomies returns the tags or authors with the ids, in that order.
func (g *Ghost) taxonomies(all []*GhostTaxonomy, ids []string, of string) []map[string]any {
	list := []map[string]any{}
	for _, id := range ids {
		if i := slices.IndexFunc(all, func(t *GhostTaxonomy) bool { return t.ID == id }); i >= 0 {
			list = append(list, g.taxonomy(all[i], of))
		}
	}
	return list
}

// taxonomy returns a tag or an author as the API shows it.
func (g *Ghost) taxonomy(t *GhostTaxonomy, of string) map[string]any {
	o := map[string]any{"id": t.ID, "name": t.Name, "slug": t.Slug, "url": fmt.Sprintf("%s/%s/%s/", g.Base, of, t.Slug)}
	if of == "author" {
		o["bio"], o["profile_image"] = t.Description, nil
		if t.Picture != "" {
			o["profile_image"] = t.Picture
		}
	} else if o["description"], o["visibility"] = t.Description, "public"; strings.HasPrefix(t.Name, "#") {
		o["visibility"], o["url"] = "internal", g.Base+"/404/"
	}
	return o
}

// ghostList answers with a page of a list.
func ghostList[T any](query url.Values, name string, all []T, show func(T) map[string]any) (int, []byte) {
	return ghostPage(query, name, all, len(all), show)
}

// ghostPage is ghostList with a total.
func ghostPage[T any](query url.Values, name string, all []T, total int, show func(T) map[string]any) (int, []byte) {
	const usual, most = 15, 100
	limit, page := ghostNumber(query.Get("limit"), usual), ghostNumber(query.Get("page"), 1)
	limit = min(limit, most)
	pages := max(1, (total+limit-1)/limit)
	first := min((page-1)*limit, len(all))
	shown := []map[string]any{}
	for _, e := range all[first:min(first+limit, len(all))] {
		shown = append(shown, show(e))
	}
	return http.StatusOK, ghostAnswer(map[string]any{
		name:   shown,
		"meta": map[string]any{"pagination": map[string]any{"page": page, "limit": limit, "pages": pages, "total": total, "next": page + 1, "prev": nil}},
	})
}

func ghostNumber(text string, usual int) int {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n
	}
	return usual
}
