package generator

import (
	"context"
	"errors"

	"ayna/client"
	"ayna/client/ghost"
	"ayna/client/homepage"
	"ayna/client/wordpress"
	"ayna/generator/config"
	"ayna/generator/sync"
)

// openSource returns what opens a source of the configured kind. The key goes to the
// source's origin only.
func openSource(c config.Source) func(sync.Connection) (sync.Source, error) {
	if c.Kind == config.WordPress {
		return func(with sync.Connection) (sync.Source, error) {
			return wordpress.New(wordpress.Config{
				BaseURL: c.URL, APIKey: string(c.APIKey), Columns: c.Columns, Types: c.Types,
				Timeout: with.Timeout, UserAgent: with.UserAgent, Transport: with.Transport, Gate: with.Gate, Found: with.Found,
			})
		}
	}
	if c.Kind == config.Ghost {
		return func(with sync.Connection) (sync.Source, error) {
			return ghost.New(ghost.Config{
				BaseURL: c.URL, APIKey: string(c.APIKey),
				Timeout: with.Timeout, UserAgent: with.UserAgent, Transport: with.Transport, Gate: with.Gate, Found: with.Found,
			})
		}
	}
	return func(with sync.Connection) (sync.Source, error) {
		return client.New(client.Config{
			BaseURL: c.URL, APIKey: string(c.APIKey), Places: client.PlacesIn(with.Found),
			Timeout: with.Timeout, UserAgent: with.UserAgent, Transport: with.Transport, Gate: with.Gate,
		})
	}
}

// A Discovery is a source that is found by its home page.
type Discovery struct {
	Kind     config.SourceKind
	Address  string // of the home page, after redirects
	Language string // of the page, as in "tr-TR"; "" if it names none
	NeedsKey error  // why the source needs a key of its owner, nil if it does not
}

// ErrNoSource is the error of [Discover] for a page of neither WordPress nor Ghost.
var ErrNoSource = errors.New("it is neither a site of WordPress nor of Ghost")

// Discover finds the site of WordPress or Ghost at an address, with one request and its
// redirects.
func Discover(ctx context.Context, o Options, address string) (Discovery, error) {
	page, err := homepage.Reader{UserAgent: o.Config.Source.UserAgent}.Read(ctx, address)
	if err != nil {
		return Discovery{}, err
	}
	found := Discovery{Kind: config.Ghost, Language: page.Language}
	site, err := ghost.Discover(page)
	if found.Address = site.Address; found.Address != "" {
		found.NeedsKey = err
		return found, nil
	}
	found.Kind = config.WordPress
	if found.Address, err = wordpress.Discover(page); errors.Is(err, wordpress.ErrNone) {
		err = page.Refuse(ErrNoSource)
	}
	return found, err
}
