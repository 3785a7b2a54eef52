package ghost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/names"
)

// get reads an address of the Content API, whose answer is an object with a member of that
// name. What a status means is decided here.
func (s *Source) get(ctx context.Context, path, name string, query url.Values) (get.Answer, error) {
	api, key, err := s.open(ctx)
	if err != nil {
		return get.Answer{}, err
	}
	if query == nil {
		query = url.Values{}
	}
	query.Set("key", key)
	a, err := api.GetJSON(ctx, "/ghost/api/content"+path, query, get.ObjectWith(name))
	if e := (*get.Error)(nil); errors.As(err, &e) {
		switch {
		case errors.Is(err, get.ErrRedirect):
			e.Err = fmt.Errorf("the API of this site is at another host, or the site has moved; write that address to source.url: %w", e.Err)
		case errors.Is(err, get.ErrGateway): // it is not Ghost that refuses
		case e.Status == http.StatusUnauthorized && (e.Code != "UnauthorizedError" || slices.Contains(lesserLists, name)):
			e.Err = get.ErrForbidden // Ghost names what it refuses, and refuses a key for all lists
		case e.Status == http.StatusUnauthorized:
			e.Err = s.refuse(key)
		case e.WebPage && (e.Status == http.StatusOK || e.Status == http.StatusForbidden || e.Status == http.StatusServiceUnavailable):
			e.Err = homepage.ErrProtected
		}
	}
	return a, err
}

// lesserLists are those without which posts are mirrored.
var lesserLists = []string{"pages", "tags", "authors"}

// An answer is a part of a list.
type answer struct {
	elements []json.RawMessage
	total    int // of the whole list, -1 if unknown
	pages    int // of it, 0 if unknown
	size     int // in bytes
	date     time.Time
}

// list reads an address whose answer is an object with a list of that name.
func (s *Source) list(ctx context.Context, path, name string, query url.Values) (answer, error) {
	a, err := s.get(ctx, path, name, query)
	if err != nil {
		return answer{}, err
	}
	var elements, others json.RawMessage
	for field, value := range encode.Fields(a.Body) {
		switch field {
		case name:
			elements = value
		case "meta":
			others = value
		}
	}
	list, err := encode.List(elements)
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w: no list of %s: %w", path, get.ErrShape, name, err)
	}
	meta, _ := encode.Read[struct {
		Pagination struct {
			Total *int `json:"total"`
			Pages int  `json:"pages"`
		} `json:"pagination"`
	}](others)
	part := answer{elements: list, total: -1, pages: meta.Pagination.Pages, size: len(a.Body), date: a.Date()}
	if total := meta.Pagination.Total; total != nil {
		part.total = *total
	}
	return part, nil
}

// whole reads a list to its end, page by page.
func (s *Source) whole(ctx context.Context, name string, query url.Values) (all answer, err error) {
	seen := make(map[string]bool) // elements: a site that ignores the page brings the same ones
	bytes := 0
	for page := 1; ; page++ {
		query.Set("limit", strconv.Itoa(perPage))
		query.Set("page", strconv.Itoa(page))
		a, err := s.list(ctx, "/"+name+"/", name, query)
		if err != nil {
			return answer{}, err
		}
		if page == 1 {
			all.date = a.date
		}
		before := len(all.elements)
		for _, raw := range a.elements {
			if id := idOf(raw); !seen[id] {
				seen[id] = true
				all.elements = append(all.elements, raw)
			}
		}
		all.total = a.total
		isShort := len(a.elements) < perPage && (len(all.elements) >= a.total && a.total >= 0 || page == a.pages) // a total may be too low
		if n := len(all.elements); n == before || n == a.total || isShort {
			return all, nil
		}
		bytes += a.size
		if err := names.CheckEnd(len(all.elements), a.total, bytes); err != nil {
			return answer{}, fmt.Errorf("%s: %w", name, err)
		}
		if err := ctx.Err(); err != nil {
			return answer{}, err
		}
	}
}

// idOf returns the id of an element, or the element if it has none.
func idOf(raw json.RawMessage) string {
	if e, err := encode.Read[entry](raw); err == nil && e.ID != "" {
		return e.ID
	}
	return string(raw)
}

// Site describes the paper, with one request once the key is known.
func (s *Source) Site(ctx context.Context) (source.Site, error) {
	a, err := s.get(ctx, "/settings/", "settings", nil)
	if err != nil {
		return source.Site{}, err
	}
	answer, err := encode.Read[struct {
		Settings json.RawMessage `json:"settings"`
	}](a.Body)
	if err != nil || !strings.HasPrefix(string(answer.Settings), "{") {
		return source.Site{}, fmt.Errorf("the settings: %w: no settings", get.ErrShape)
	}
	set, err := encode.Read[settings](answer.Settings)
	if err != nil {
		return source.Site{}, fmt.Errorf("the settings: %w: %w", get.ErrShape, err)
	}
	if paper := host(set.URL); paper != "" { // else it is the one that earlier settings had
		s.note(hostFound, paper)
	}
	site := source.Site{
		ID: set.UUID, Title: oneLine(set.Title), Description: oneLine(set.Description), Zone: set.Zone, Language: set.language(),
		Icon: s.absolute(set.Icon), Logo: s.absolute(set.Logo), Accent: set.accent(), Date: a.Date(),
	}
	for _, link := range set.Navigation {
		if title, address := oneLine(link.Label), s.absolute(link.Address); title != "" && address != "" {
			site.Menu = append(site.Menu, source.MenuItem{Title: title, URL: address})
		}
	}
	return site, nil
}

// absolute returns an address that the settings have below the home page, "" for one that
// is no page, as of the sign-up.
func (s *Source) absolute(address string) string {
	if address == "" || strings.HasPrefix(address, "#") {
		return ""
	}
	base, err := url.Parse(strings.TrimSuffix(s.config.BaseURL, "/") + "/")
	if err != nil {
		return ""
	}
	u, err := base.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.String()
}

// pathOf returns the address of a list.
func pathOf(name string) string { return "/ghost/api/content/" + name + "/" }
