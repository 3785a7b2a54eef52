package wordpress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/client"
	"ayna/client/markup"
)

// relation is the link relation by which WordPress names its REST API.
const relation = "https://api.w.org/"

// ErrNone is the error of [Discover] for an address that is not of WordPress.
var ErrNone = errors.New("it is no site of WordPress")

// A Discovery is what one request to an address shows.
type Discovery struct {
	Address  string // of the home page, after redirects
	Language string // of the page, as in "tr-TR"; "" if it names none
}

const (
	maxPage     = 1 << 20 // bytes read of a page
	maxRedirect = 5
)

// Discover finds the REST API that a page names in its header or its HTML, with one request
// and its redirects. It sends no key. A nil transport is that of [client.NewTransport].
func Discover(ctx context.Context, transport http.RoundTripper, userAgent, address string) (Discovery, error) {
	if transport == nil {
		transport = client.NewTransport()
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return Discovery{}, err
	}
	request.Header.Set("User-Agent", cmp.Or(userAgent, "ayna"))
	request.Header.Set("Accept", "text/html")
	visitor := &http.Client{Transport: transport, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > maxRedirect {
			return fmt.Errorf("%w: more than %d times", client.ErrRedirect, maxRedirect)
		}
		return nil
	}}
	answer, err := visitor.Do(request)
	if err != nil {
		return Discovery{}, err
	}
	defer answer.Body.Close()
	page, err := html.Parse(io.LimitReader(answer.Body, maxPage))
	if err != nil {
		return Discovery{}, fmt.Errorf("read the page: %w", err)
	}
	link, language := linkIn(answer.Header), ""
	for n := range page.Descendants() {
		switch {
		case n.DataAtom == atom.Html:
			language = markup.Attribute(n, "lang")
		case n.DataAtom == atom.Link && link == "" && markup.Attribute(n, "rel") == relation:
			link = markup.Attribute(n, "href")
		}
	}
	switch {
	case link == "" && (answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusServiceUnavailable):
		return Discovery{}, fmt.Errorf("%s answers with status %d: %w", answer.Request.URL.Host, answer.StatusCode, ErrProtected)
	case link == "":
		return Discovery{}, fmt.Errorf("%s: %w", answer.Request.URL.Host, ErrNone)
	}
	d := Discovery{Language: language}
	d.Address, err = homeOf(answer.Request.URL, link)
	return d, err
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
// the page's own host: a key would go there.
func homeOf(page *url.URL, link string) (string, error) {
	u, err := page.Parse(link)
	if err != nil {
		return "", fmt.Errorf("the address of the REST API cannot be read: %w", client.ErrShape)
	}
	if u.Hostname() != page.Hostname() || u.Port() != page.Port() {
		return "", fmt.Errorf("the site %s names its REST API at another host, %q; give that site's address: %w", page.Host, u.Host, client.ErrRedirect)
	}
	u.Scheme = page.Scheme // behind a proxy, WordPress may name http
	home := strings.TrimSuffix(u.String(), "/")
	for _, route := range routes {
		if before, ok := strings.CutSuffix(home, route); ok {
			return before, nil
		}
	}
	if before, ok := strings.CutSuffix(home, "/?rest_route="); ok {
		return before, nil
	}
	return "", fmt.Errorf("the site %s has its REST API at an address of its own, %s, which is not read: %w", page.Host, u.Path, client.ErrShape)
}
