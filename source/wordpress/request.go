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
	"strconv"
	"strings"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/markup"
)

// ErrClosed is the error of a paper that does not answer programs.
var ErrClosed = fmt.Errorf("this site closes its REST API; ask its owner for an application password and write user:password to source.api_key, or mirror its feed with source.feed: true: %w",
	get.ErrUnauthorized)

// errPassword is the error of a paper that refuses the password of this mirror.
var errPassword = fmt.Errorf("this site refuses the application password of source.api_key: %w", get.ErrUnauthorized)

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
		case e.Status == http.StatusUnauthorized && !errors.Is(err, get.ErrGateway):
			e.Err = errRefused
		case e.WebPage && (e.Status == http.StatusOK || e.Status == http.StatusForbidden || e.Status == http.StatusServiceUnavailable):
			e.Err = homepage.ErrProtected
		}
	}
	return a, err
}

// errRefused is the cause of a 401, which by itself is about one address.
var errRefused = errors.New("the site does not show this")

// needed returns the error of an address without which nothing is read: a 401 there means
// that the paper is closed, or refuses the password.
func (s *Source) needed(err error) error {
	if e := (*get.Error)(nil); errors.As(err, &e) && errors.Is(e.Err, errRefused) {
		if e.Err = ErrClosed; s.hasKey {
			e.Err = errPassword
		}
	}
	return err
}

// elements are what lists hold. WordPress counts them in a header.
var elements = get.ListOf("id").CountedBy("X-WP-Total")

// records reads an address whose answer is an array.
func (s *Source) records(ctx context.Context, path string, query url.Values) ([]json.RawMessage, get.Answer, error) {
	a, err := s.get(ctx, path, query, elements)
	if err != nil {
		return nil, a, err
	}
	list, err := encode.List(a.Body)
	if err != nil {
		return nil, a, fmt.Errorf("%s: %w: %w", path, get.ErrShape, err)
	}
	return list, a, nil
}

// fewest is the number of records in an answer below which a site that refuses is not asked.
const fewest = 10

// part reads a part of a list: so many records as the site gives at most. asked is how many
// these were. A site that refuses a number is asked for half of it from then on.
func (s *Source) part(ctx context.Context, path string, query url.Values, most int) (list []json.RawMessage, a get.Answer, asked int, err error) {
	before := s.mostRecords()
	for {
		asked = min(most, s.mostRecords())
		query.Set("per_page", strconv.Itoa(asked))
		list, a, err = s.records(ctx, path, query)
		e := (*get.Error)(nil)
		switch isRefused := errors.As(err, &e) && e.Code == "rest_invalid_param"; {
		case isRefused && asked > fewest:
			s.limit(max(fewest, asked/2))
			continue
		case isRefused: // for another reason
			s.limit(before)
		}
		return list, a, asked, err
	}
}

// mostRecords returns how many records the site gives in one answer.
func (s *Source) mostRecords() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

func (s *Source) limit(most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.most = most; most < perPage {
		s.found[mostFound] = strconv.Itoa(most)
	} else {
		delete(s.found, mostFound)
	}
}

// optional reads an address without which the mirror is poorer, and no more: a failure of the
// site is tried once more at once.
func (s *Source) optional(ctx context.Context, path string, query url.Values, expected get.Expectation) (get.Answer, error) {
	a, err := s.get(ctx, path, query, expected)
	if isFailure(err) {
		a, err = s.get(ctx, path, query, expected)
	}
	return a, err
}

// isFailure reports whether an error is the answer of a site that may recover at once.
func isFailure(err error) bool {
	e := (*get.Error)(nil)
	return errors.As(err, &e) && e.Status >= http.StatusInternalServerError
}

// total returns the number of all records of a list, -1 if the answer does not say it.
func total(a get.Answer) int {
	n, err := strconv.Atoi(a.Header.Get("X-WP-Total"))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// routes are where WordPress answers its REST API: below its usual prefix, and without permalinks
// or with another prefix by a parameter.
var routes = []string{"/wp-json", "/?rest_route="}

// Tried names the addresses at which [Search] looks for the REST API.
const Tried = "/wp-json/ and /?rest_route=/"

// restSite describes the paper by its REST API, with one request once its place is known.
func (s *Source) restSite(ctx context.Context) (source.Site, error) {
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
		return source.Site{}, s.needed(err)
	}
	root, err := encode.Read[struct {
		Name        string                 `json:"name"`
		Description string                 `json:"description"`
		Zone        string                 `json:"timezone_string"`
		Icon        string                 `json:"site_icon_url"`
		Offset      json.RawMessage        `json:"gmt_offset"`
		Namespaces  encode.Bounded[string] `json:"namespaces"`
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
