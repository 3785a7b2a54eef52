package generator

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"ayna/fetch"
	"ayna/generator/config"
	"ayna/generator/story"
	"ayna/picture"
	"ayna/record"
	"ayna/source"
	"ayna/source/ghost"
	"ayna/source/homepage"
	"ayna/source/readapi"
	"ayna/source/wordpress"
)

// openSource returns what opens a source of the configured kind. The key goes to the
// source's origin only.
func openSource(c config.Source) func(source.Connection) (source.Source, error) {
	key := string(c.APIKey)
	return func(with source.Connection) (source.Source, error) {
		switch c.Kind {
		case config.WordPress:
			return wordpress.New(wordpress.Config{BaseURL: c.URL, APIKey: key, Columns: c.Columns, Types: c.Types, Connection: with})
		case config.Ghost:
			return ghost.New(ghost.Config{BaseURL: c.URL, APIKey: key, Connection: with})
		}
		return readapi.New(c.URL, key, with)
	}
}

// syncOptions returns the settings of the synchronisation.
func syncOptions(o Options) fetch.Options {
	c := o.Config
	so := fetch.Options{
		URL: c.Source.URL, Open: openSource(c.Source), Sweep: c.Source.Sweep, Concurrency: c.Source.Concurrency,
		PerSecond: c.Source.PerSecond, PerHour: c.Source.PerHour, Budget: o.Budget,
		PageSize: c.Source.PageSize, MaxRecords: c.Source.MaxRecords, Timeout: c.Source.Timeout, UserAgent: c.Source.UserAgent, Full: o.Full, Moved: o.Moved, AllowDelete: o.AllowDelete,
		Wants: arrangement(&c.Shown).Wants, Pictures: c.Media == "mirror", Dates: readDates(c), Now: o.Now,
		Table: c.Words.Table, Cleaned: story.Cleaned,
		Hosts: o.Hosts, Progress: o.Progress,
	}
	for _, kind := range c.Content.Kinds {
		so.Kinds = append(so.Kinds, record.Kind(kind))
	}
	for _, search := range c.Searches {
		so.Searches = append(so.Searches, search.Query)
	}
	if c.Source.URL == config.Sample {
		so.URL, so.Open, so.PerSecond, so.PerHour = o.SampleURL, openSource(config.Source{URL: o.SampleURL}), 0, 0
	}
	return so
}

// readDates returns how dates of the source are read.
func readDates(c *config.Config) record.Dates {
	return record.Dates{Zone: c.Location, Order: c.Source.Dates}
}

// Greet asks the source for what [fetch.Greeting] holds, and keeps nothing.
func Greet(ctx context.Context, o Options) (fetch.Greeting, error) {
	return fetch.Greet(ctx, syncOptions(o))
}

// Icon returns the icon of a site for the key icon: a PNG.
func Icon(ctx context.Context, o Options, address string) ([]byte, error) {
	const width = 256 // pixels; a PNG of them is below maxLogo
	content, err := fetch.ReadPicture(ctx, syncOptions(o), address)
	if err != nil {
		return nil, err
	}
	return picture.PNG(content, width)
}

// Logo returns the logo of a site for the key logo, and the extension of its file. A small
// picture stays as it is; an SVG may hold scripts and is refused.
func Logo(ctx context.Context, o Options, address string) (content []byte, extension string, err error) {
	const most, width = 1200, 800 // pixels
	content, err = fetch.ReadPicture(ctx, syncOptions(o), address)
	if err != nil {
		return nil, "", err
	}
	info, err := picture.ReadInfo(bytes.NewReader(content))
	if err != nil {
		return nil, "", fmt.Errorf("the answer is %w", err)
	}
	if len(content) <= maxLogo && info.Width <= most && info.Height <= most {
		return content, "." + info.Format, nil
	}
	content, err = picture.PNG(content, width)
	if err == nil && len(content) > maxLogo {
		err = fmt.Errorf("the picture has more than %d bytes", maxLogo)
	}
	return content, ".png", err
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

// A FeedError is the error of [Discover] for the address of a feed.
type FeedError struct{ Home string } // address of the feed's site

func (e *FeedError) Error() string { return "it is a feed of " + e.Home }

// Discover finds the site of WordPress or Ghost at an address, with one request and its
// redirects. Beside an error about a page, the discovery has the page's address.
func Discover(ctx context.Context, o Options, address string) (Discovery, error) {
	page, err := homepage.Reader{UserAgent: o.Config.Source.UserAgent}.Read(ctx, address)
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
