package generator

import (
	"context"
	"errors"

	"ayna/fetch"
	"ayna/generator/config"
	"ayna/source/ghost"
	"ayna/source/homepage"
	"ayna/source/wordpress"
)

// A Discovery is a source that is found by its home page.
type Discovery struct {
	Kind     config.SourceKind
	Address  string // of the home page, after redirects
	Language string // of the page, as in "tr-TR"; "" if it names none
	NeedsKey error  // why the source needs a key of its owner, nil if it does not
}

// ErrNoSource is the error of [Discover] for a page of neither WordPress nor Ghost.
var ErrNoSource = errors.New("it is neither a site of WordPress nor of Ghost")

// A FeedError is the error of [Discover] for the address of a feed.
type FeedError struct{ Home string } // address of the feed's site

func (e *FeedError) Error() string { return "it is a feed of " + e.Home }

// Discover finds the site of WordPress or Ghost at an address, with one request and its
// redirects. Beside an error about a page, the discovery has the page's address.
func Discover(ctx context.Context, userAgent, address string) (Discovery, error) {
	page, err := homepage.Reader{UserAgent: userAgent}.Read(ctx, address)
	if err != nil {
		return Discovery{}, err
	}
	found := Discovery{Address: page.Home(), Language: page.Language}
	site, err := ghost.Discover(page)
	if site.Address != "" {
		found.Kind, found.Address, found.NeedsKey = config.Ghost, site.Address, err
		return found, nil
	}
	home, err := wordpress.Discover(page)
	switch feed := page.FeedHome(); {
	case err == nil:
		found.Kind, found.Address = config.WordPress, home
	case errors.Is(err, wordpress.ErrNone) && feed != "":
		err = &FeedError{feed}
	case errors.Is(err, wordpress.ErrNone):
		err = page.Refuse(ErrNoSource)
	}
	return found, err
}

// Greet asks the source for what [fetch.Greeting] holds, and keeps nothing.
func Greet(ctx context.Context, o Options) (fetch.Greeting, error) {
	return fetch.Greet(ctx, fetchOptions(o))
}
