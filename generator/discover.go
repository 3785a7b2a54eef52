package generator

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"

	"ayna/fetch"
	"ayna/source"
	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/kinds"
)

// A Discovery is a source that is found by its home page.
type Discovery struct {
	Kind     kinds.Name
	Address  string // of the home page, after redirects
	Language string // of the page, as in "tr-TR"; "" if it names none
	NeedsKey error  // why the source needs a key of its owner, nil if it does not
	Tried    string // addresses at the site that were asked in vain for an API, "" if none were
}

// ErrNoSource is the error of [Discover] for a page of no kind that is found by a page.
var ErrNoSource = errors.New("it is neither a site of " + kinds.PapersByPage("nor of"))

// A FeedError is the error of [Discover] for the address of a feed.
type FeedError struct{ Home string } // address of the feed's site

func (e *FeedError) Error() string { return "it is a feed of " + e.Home }

// transportTo returns what discovers a site. Redirects lead to private addresses only from one.
func transportTo(address string) http.RoundTripper {
	u, err := url.Parse(address)
	if err != nil || get.IsPrivate(u.Hostname()) {
		return get.NewTransport()
	}
	return fetch.NewTransport(u)
}

// Discover finds the site of a paper at an address, with one request and its redirects, and with
// those of a kind's Search where the page names no API. Beside an error about a page, the
// discovery has the page's address.
func Discover(ctx context.Context, userAgent, address string) (Discovery, error) {
	with := source.Connection{UserAgent: userAgent, Transport: transportTo(address)}
	page, err := homepage.Reader{UserAgent: with.UserAgent, Transport: with.Transport}.Read(ctx, address)
	if err != nil {
		return Discovery{}, err
	}
	found := Discovery{Address: page.Home(), Language: page.Language}
	var failure error // of a site that cannot be mirrored
	for _, kind := range kinds.ByPage() {
		site, err := kind.Find(page)
		if err == nil && site.Address != "" {
			found.Kind, found.Address, found.NeedsKey = kind.Name, site.Address, site.NeedsKey
			return found, nil
		}
		failure = cmp.Or(failure, err)
	}
	feed := page.FeedHome()
	if feed == "" {
		err := found.search(ctx, page, with)
		if found.Kind != "" {
			return found, nil
		}
		failure = cmp.Or(failure, err)
	} else if failure == nil {
		failure = &FeedError{feed}
	}
	return found, cmp.Or(failure, page.Refuse(ErrNoSource))
}

// search finds a site whose page names no API. Its error is that of a protection of the API, or
// of a password before it.
func (d *Discovery) search(ctx context.Context, page homepage.Page, with source.Connection) error {
	for _, kind := range kinds.ByPage() {
		if kind.Search == nil {
			continue
		}
		site, err := kind.Search(ctx, page, with)
		if err == nil && site.Address != "" {
			d.Kind, d.Address, d.NeedsKey = kind.Name, site.Address, site.NeedsKey
			if page.Status != http.StatusOK {
				d.Language = "" // that of a protection
			}
			return nil
		}
		if err != nil {
			d.Tried = kind.Tried
		}
		if errors.Is(err, homepage.ErrProtected) || errors.Is(err, get.ErrGateway) {
			return err
		}
	}
	return nil
}

// Greet asks the source for what [fetch.Greeting] holds, with a number of texts, and keeps nothing.
func Greet(ctx context.Context, o Options, texts int) (fetch.Greeting, error) {
	options := fetchOptions(o)
	options.Texts = texts
	return fetch.Greet(ctx, options)
}
