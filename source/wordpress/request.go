package wordpress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/markup"
)

// ErrClosed is the error of a paper that does not answer programs.
var ErrClosed = fmt.Errorf("this site closes its REST API; ask its owner for an application password and write user:password to source.api_key: %w",
	get.ErrUnauthorized)

// get reads an address of the REST API. What a status means is decided here.
func (s *Source) get(ctx context.Context, path string, query url.Values, expected get.Expectation) (get.Answer, error) {
	if s.knownRoute() == "" {
		if _, err := s.Site(ctx); err != nil {
			return get.Answer{}, err
		}
	}
	return s.getAt(ctx, s.knownRoute(), path, query, expected)
}

func (s *Source) knownRoute() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.route
}

func (s *Source) getAt(ctx context.Context, route, path string, query url.Values, expected get.Expectation) (get.Answer, error) {
	if before, inQuery := strings.CutSuffix(route, "?rest_route="); inQuery {
		query = maps.Clone(query)
		query.Set("rest_route", path)
		route, path = before, ""
	}
	a, err := s.getter.GetJSON(ctx, route+path, query, expected)
	if e := (*get.Error)(nil); errors.As(err, &e) {
		switch {
		case e.Status == http.StatusUnauthorized:
			e.Err = ErrClosed
		case e.WebPage && (e.Status == http.StatusOK || e.Status == http.StatusForbidden || e.Status == http.StatusServiceUnavailable):
			e.Err = homepage.ErrProtected
		}
	}
	return a, err
}

// isHidden reports whether an error is the answer of a site that hides a list.
func isHidden(err error) bool {
	e := (*get.Error)(nil)
	return errors.As(err, &e) && slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound}, e.Status)
}

// elements are what lists hold. WordPress counts them in a header.
var elements = get.ListOf("id").CountedBy("X-WP-Total")

// records reads an address whose answer is an array.
func (s *Source) records(ctx context.Context, path string, query url.Values) ([]json.RawMessage, get.Answer, error) {
	a, err := s.get(ctx, path, query, elements)
	if err != nil {
		return nil, a, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(a.Body, &list); err != nil {
		return nil, a, fmt.Errorf("%s: %w: no array", path, get.ErrShape)
	}
	return list, a, nil
}

// routes are where WordPress answers its REST API: below its usual prefix, and without permalinks
// or with another prefix by a parameter.
var routes = []string{"/wp-json", "/?rest_route="}

// Tried names the addresses at which [Source.Site] and [Search] look for the REST API.
const Tried = "/wp-json/ and /?rest_route=/"

// Site describes the paper, with one request once the place of its REST API is known.
func (s *Source) Site(ctx context.Context) (source.Site, error) {
	var first error
	candidates := routes
	if known := s.knownRoute(); known != "" { // it is tried first
		others := slices.DeleteFunc(slices.Clone(routes), func(route string) bool { return route == known })
		candidates = append([]string{known}, others...)
	}
	for _, route := range candidates {
		site, err := s.siteAt(ctx, route)
		if err == nil {
			s.note(routeFound, route)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.route, s.title = route, site.Title
			return site, nil
		}
		if first == nil {
			first = err
		}
		if !errors.Is(err, get.ErrNotFound) && !errors.Is(err, get.ErrRedirect) && !errors.Is(err, get.ErrNotJSON) && !errors.Is(err, get.ErrShape) {
			return source.Site{}, err
		}
	}
	if errors.Is(first, get.ErrNotFound) {
		return source.Site{}, fmt.Errorf("no REST API of WordPress is found at %s: %w: %w", Tried, get.ErrShape, first)
	}
	return source.Site{}, fmt.Errorf("the REST API of WordPress was tried at %s: %w", Tried, first)
}

func (s *Source) siteAt(ctx context.Context, route string) (source.Site, error) {
	a, err := s.getAt(ctx, route, "/", url.Values{"_fields": {"name,description,gmt_offset,timezone_string,site_icon_url,namespaces"}}, get.ObjectWith("namespaces"))
	if err != nil {
		return source.Site{}, err
	}
	root, err := encode.Read[struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Zone        string          `json:"timezone_string"`
		Icon        string          `json:"site_icon_url"`
		Offset      json.RawMessage `json:"gmt_offset"`
		Namespaces  []string        `json:"namespaces"`
	}](a.Body)
	if err != nil || !slices.Contains(root.Namespaces, "wp/v2") {
		return source.Site{}, fmt.Errorf("the root of the REST API: %w: it names no wp/v2", get.ErrShape)
	}
	site := source.Site{Title: markup.Plain(root.Name), Description: markup.Plain(root.Description), Zone: root.Zone, Icon: root.Icon, Date: a.Date()}
	if site.Zone == "" {
		site.Zone, site.ZoneNote = zoneOf(root.Offset)
	}
	return site, nil
}
