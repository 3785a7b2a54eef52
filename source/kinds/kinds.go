// Package kinds registers the kinds of sources: source.kind in site.yaml is the name of one.
// What the program knows of a kind before it asks a source stands in [All], and nowhere else.
package kinds

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"ayna/source"
	"ayna/source/ghost"
	"ayna/source/homepage"
	"ayna/source/readapi"
	"ayna/source/wordpress"
)

// A Name is a value of source.kind.
type Name string

// ReadAPI is the default, and the kind of an address whose page is of no other kind.
const ReadAPI Name = "read-api"

// FeedKey is the key of site.yaml of kinds whose sources may be read by their feeds.
const FeedKey = "source.feed"

// A Kind is an interface of sources. All fields but Name, Title, Open and
// Key.Wanted may be empty.
type Kind struct {
	Name  Name
	Title string // as people write it
	Open  func(Settings) (source.Source, error)
	// Find finds a site of the kind by its home page. It returns the zero Found for a page of
	// another kind, and an error for a site that cannot be mirrored.
	Find func(homepage.Page) (Found, error)
	// Search looks with requests for the API of a site whose page names none. It returns the
	// zero Found without a request if the page is not of the kind.
	Search func(context.Context, homepage.Page, source.Connection) (Found, error)
	Tried  string // the addresses that Search asks

	Key  Key
	Keys []string // of site.yaml, that are of this kind alone
	// Lines are lines of the group source of a new site.yaml. @columns@ stands for a comment
	// with folders that look like columns.
	Lines string
}

// A Key describes the keys of a kind: without Form, a key of any form.
type Key struct {
	Form   *regexp.Regexp
	Wrong  string // what is wrong with a key of another form
	Blanks bool   // it may have some
	Sample string // as a shell writes it
	Wanted string // what a source says that answers nobody without a key
	// OnPage says, in a comment of site.yaml, that the source's own pages show the key.
	OnPage string
}

// Found is a site that was found by its home page.
type Found struct {
	Address  string // of the home page
	NeedsKey error  // why it needs a key of its owner; nil if it does not
}

// Settings are what a source is opened with: values of the group source in site.yaml.
type Settings struct {
	URL, Key       string
	Columns, Types []string
	Feed           bool // read the feed while the API is closed
	source.Connection
}

// All are the kinds of sources, [ReadAPI] first. Of other kinds, sources are papers: they need
// no key, and what is gone there goes from a new mirror, too.
var All = []Kind{
	{
		Name: ReadAPI, Title: "Read API",
		Open: func(s Settings) (source.Source, error) { return readapi.New(s.URL, s.Key, s.Connection) },
		Key:  Key{Wanted: "asks for an API key"},
	},
	{
		Name: "wordpress", Title: "WordPress",
		Open: func(s Settings) (source.Source, error) {
			return wordpress.New(wordpress.Config{BaseURL: s.URL, APIKey: s.Key, Columns: s.Columns, Types: s.Types, Feed: s.Feed, Connection: s.Connection})
		},
		Find: func(page homepage.Page) (Found, error) {
			address, err := wordpress.Discover(page)
			if errors.Is(err, wordpress.ErrNone) {
				return Found{}, nil
			}
			return Found{Address: address}, err
		},
		Search: func(ctx context.Context, page homepage.Page, with source.Connection) (Found, error) {
			address, err := wordpress.Search(ctx, page, with)
			if errors.Is(err, wordpress.ErrNone) {
				return Found{}, nil
			}
			return Found{Address: address}, err
		},
		Tried: wordpress.Tried,
		Key: Key{
			Form: regexp.MustCompile(`^[^:]+:.`), Wrong: "has another form than user:application password",
			Blanks: true, // WordPress shows passwords in groups of letters
			Sample: "'user:application password'",
			Wanted: "closes its REST API; ask its owner for an application password, and give it as user:password",
		},
		Keys: []string{"source.columns", "source.types", FeedKey, "comments"},
		Lines: "  # Categories and tags whose posts are columns, by their slugs.\n  columns: []@columns@\n" +
			"  # Custom types that are mirrored beside posts, by their names in /wp-json/wp/v2/types.\n  types: []\n",
	},
	{
		Name: "ghost", Title: "Ghost",
		Open: func(s Settings) (source.Source, error) {
			return ghost.New(ghost.Config{BaseURL: s.URL, APIKey: s.Key, Connection: s.Connection})
		},
		Find: func(page homepage.Page) (Found, error) {
			site, err := ghost.Discover(page)
			if site.Address == "" {
				return Found{}, nil
			}
			return Found{site.Address, err}, nil
		},
		Key: Key{
			Form: regexp.MustCompile(`^[0-9a-f]{26}$`), Wrong: "is no content API key, which has 26 hexadecimal digits",
			Wanted: "shows no key of its Content API; ask its owner for a content API key",
			OnPage: "The content API key stands on the site's own pages. Each build reads it there.",
		},
	},
}

// Of returns the kind with a name, and the zero Kind for any other name.
func Of(name Name) Kind {
	if i := slices.IndexFunc(All, func(k Kind) bool { return k.Name == name }); i >= 0 {
		return All[i]
	}
	return Kind{}
}

// Names returns the names of all kinds.
func Names() (names []Name) {
	for _, kind := range All {
		names = append(names, kind.Name)
	}
	return names
}

// Papers joins the titles of all kinds but [ReadAPI], for people.
func Papers(word string) string { return titles(All[1:], word) }

// ByPage returns the kinds whose sites are found by their home pages.
func ByPage() []Kind {
	return slices.DeleteFunc(slices.Clone(All), func(k Kind) bool { return k.Find == nil })
}

// PapersByPage joins the titles of the kinds of [ByPage].
func PapersByPage(word string) string { return titles(ByPage(), word) }

func titles(of []Kind, word string) string {
	var all []string
	for _, kind := range of {
		all = append(all, kind.Title)
	}
	return strings.Join(all, " "+word+" ")
}
