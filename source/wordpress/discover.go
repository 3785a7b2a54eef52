package wordpress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/names"
)

// relation is the link relation by which WordPress names its REST API.
const relation = "https://api.w.org/"

// ErrNone is the error of [Discover] for an address that is not of WordPress.
var ErrNone = errors.New("it is no site of WordPress")

// Discover finds the address of the site by the REST API that its home page names in its
// header or its HTML.
func Discover(p homepage.Page) (address string, err error) {
	link := linkOf(p)
	if link == "" {
		return "", p.Refuse(fmt.Errorf("%s: %w", p.URL.Host, ErrNone))
	}
	return homeOf(p.URL, link)
}

// linkOf returns the address of the REST API that a page names, "" if it names none.
func linkOf(p homepage.Page) string {
	link := linkIn(p.Header)
	for _, t := range p.Tags {
		if link == "" && t.Atom == atom.Link && t.Attribute("rel") == relation {
			link = t.Attribute("href")
		}
	}
	return link
}

// linkIn returns the address of the REST API in a Link header (RFC 8288).
func linkIn(h http.Header) string {
	for _, value := range h.Values("Link") {
		for _, link := range strings.Split(value, ",") {
			target, parameters, _ := strings.Cut(strings.TrimSpace(link), ">")
			isAPI := slices.ContainsFunc(strings.Split(parameters, ";"), func(parameter string) bool {
				name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
				return strings.EqualFold(name, "rel") && strings.Trim(value, `"`) == relation
			})
			if isAPI && strings.HasPrefix(target, "<") {
				return target[1:]
			}
		}
	}
	return ""
}

// homeOf returns the address of the home page by that of the REST API, which must be on
// the page's own host, with or without www.: a key would go there.
func homeOf(page *url.URL, link string) (string, error) {
	u, err := page.Parse(link)
	if err != nil {
		return "", fmt.Errorf("the address of the REST API cannot be read: %w", get.ErrShape)
	}
	if u.Scheme = page.Scheme; !get.IsSameSite(page, u) { // behind a proxy, WordPress may name http
		return "", fmt.Errorf("the site %s names its REST API at another host, %q; give that site's address: %w", page.Host, u.Host, get.ErrRedirect)
	}
	home := strings.TrimSuffix(u.String(), "/")
	for _, route := range append([]string{"/index.php?rest_route="}, routes...) {
		if before, ok := strings.CutSuffix(home, route); ok {
			return before, nil
		}
	}
	return "", fmt.Errorf("the site %s has its REST API at an address of its own, %s, and does not answer at /?rest_route=/: %w", page.Host, u.Path, get.ErrShape)
}

// Search looks for the REST API of a site whose home page names none, or one with another prefix,
// at the usual addresses. It asks if the page is by its files one of WordPress, or is refused.
func Search(ctx context.Context, p homepage.Page, with source.Connection) (address string, err error) {
	home, isWordPress := homeByFiles(p)
	if link := linkOf(p); link != "" {
		u, err := p.URL.Parse(link)
		if err != nil {
			return "", ErrNone
		}
		if u.Scheme = p.URL.Scheme; !get.IsSameSite(p.URL, u) {
			return "", ErrNone
		}
		u.Path, u.RawPath, u.RawQuery, isWordPress = path.Dir(strings.TrimSuffix(u.Path, "/")), "", "", true
		home = strings.TrimSuffix(u.String(), "/")
	}
	isDown := p.Status == http.StatusTooManyRequests || p.Status >= 500
	if isDown || !isWordPress && p.Status != http.StatusForbidden {
		return "", ErrNone
	}
	s, err := New(Config{BaseURL: home, Connection: with})
	if err != nil {
		return "", err
	}
	_, err = s.Site(ctx)
	if isWordPress && names.IsClosed(err) && !errors.Is(err, ErrClosed) { // it may have a feed
		s.isFeed.Store(true)
		if _, feedErr := s.feedSite(ctx); feedErr == nil || errors.Is(feedErr, source.ErrSummaries) {
			err = nil
		}
	}
	if err == nil || isWordPress && errors.Is(err, ErrClosed) {
		return home, nil
	}
	return "", err
}

// files is in the addresses of the files of every theme.
const files = "wp-content/"

// homeByFiles returns the address of the site whose files a page shows, and whether they are
// those of WordPress.
func homeByFiles(p homepage.Page) (home string, isWordPress bool) {
	home = p.Home()
	for _, t := range p.Tags {
		u, err := p.URL.Parse(cmp.Or(t.Attribute("href"), t.Attribute("src")))
		if err != nil || !get.IsSameSite(p.URL, u) {
			continue
		}
		u.RawQuery, u.Fragment = "", ""
		if before, _, ok := strings.Cut(u.String(), "/"+files); ok && strings.HasPrefix(home, before+"/") {
			return before, true
		}
	}
	return home, p.Contains(files) || p.Contains(`wp-content\/`)
}
