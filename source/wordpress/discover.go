package wordpress

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"ayna/source/get"
	"ayna/source/homepage"
)

// relation is the link relation by which WordPress names its REST API.
const relation = "https://api.w.org/"

// ErrNone is the error of [Discover] for an address that is not of WordPress.
var ErrNone = errors.New("it is no site of WordPress")

// Discover finds the address of the site by the REST API that its home page names in its
// header or its HTML.
func Discover(p homepage.Page) (address string, err error) {
	link := linkIn(p.Header)
	for _, t := range p.Tags {
		if link == "" && t.Atom == atom.Link && t.Attribute("rel") == relation {
			link = t.Attribute("href")
		}
	}
	if link == "" {
		return "", p.Refuse(fmt.Errorf("%s: %w", p.URL.Host, ErrNone))
	}
	return homeOf(p.URL, link)
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
	for _, route := range routes {
		if before, ok := strings.CutSuffix(home, route); ok {
			return before, nil
		}
	}
	if before, ok := strings.CutSuffix(home, "/?rest_route="); ok {
		return before, nil
	}
	return "", fmt.Errorf("the site %s has its REST API at an address of its own, %s, which is not read: %w", page.Host, u.Path, get.ErrShape)
}
