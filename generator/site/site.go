// Package site is the model of a mirrored site: folders, items, writers, tags
// and saved searches, how they hang together, and where each of them lives in
// the published tree.
//
// It knows neither the service the content comes from nor how anything is
// rendered, and imports no other package of this module. Package arrange fills
// it, packages page and feed read it.
//
// Of an item only what arranging needs is held. What a page shows of it
// (headline, spot, pictures, text) is read from the archive when that page is
// rendered, so a site of a million items fits in memory.
package site

import (
	"iter"
	"strings"
	"time"
)

// Site is one arranged site. It is not changed once package arrange has
// returned it, so any number of renderers may read it at once.
type Site struct {
	Settings
	Collection // of all items

	Home     List      // all items, newest first
	Root     *Folder   // the folder "/"; its list is not published, Home stands in for it
	Folders  []*Folder // all folders but Root: parents before children, siblings in alphabetical order
	Writers  []*Writer // in alphabetical order
	Tags     []*Tag    // in alphabetical order
	Pages    []*Page   // editorial pages, in the service's order
	Searches []*Search // saved searches, in the order of the configuration
	Kinds    []*KindList
	Mixes    []*Mix // in the order of the configuration

	// Emptied holds lists that were published and have lost their last item. They
	// keep their pages and feeds, and no page leads to them.
	Emptied []*List

	// Corrections holds items whose words changed after they were published,
	// the last change first.
	Corrections CorrectionList

	// Forgotten is how many records were taken out for good. What mentioned them
	// in earlier versions of items went too.
	Forgotten int
}

// Lists yields every list, in the order of [Sorts].
func (s *Site) Lists() iter.Seq[*List] {
	return func(yield func(*List) bool) {
		_ = yield(&s.Home) && each(s.Folders, yield) && each(s.Writers, yield) && each(s.Tags, yield) && each(s.Kinds, yield) &&
			each(s.Pages, yield) && each(s.Searches, yield) && yield(&s.Corrections.List) && each(s.Mixes, yield)
	}
}

// each yields the lists that things of one sort are, until yield wants no more.
func each[T interface{ list() *List }](things []T, yield func(*List) bool) bool {
	for _, thing := range things {
		if !yield(thing.list()) {
			return false
		}
	}
	return true
}

// Settings is what the configuration says about the site as a whole.
type Settings struct {
	Title       string
	Description string
	BaseURL     string // absolute, ends with a slash; where the site will be served
	Language    string // "tr" or "en"
	Words       Words
	Location    *time.Location // zone in which dates are shown
	SourceName  string         // how pages name the mirrored service
	SourceHome  string         // its home page, may be empty
	SourceHost  string         // the host that its items are at, without www.
	Canonical   string         // "source" or "mirror": what an item page names as its canonical address
	Robots      string         // "allow" or "deny"
	Formats     []Format       // feeds to write
	FeedsOf     []Sort         // lists that have feeds; nil is all of them
	Markdown    bool           // items are also published as Markdown
}

// Ref is what a record is found by: digests of its address at the source and of
// its id, each 0 where there is none.
type Ref struct{ url, id uint64 }

// RefTo returns the reference to a record. Of the address neither scheme, a
// leading "www.", a trailing slash, query nor fragment makes a difference;
// either may be empty.
func RefTo(id, url string) Ref {
	r := Ref{url: urlKey(url)}
	if id != "" {
		r.id = fnv1a(fnv1a(fnvOffset, "\x00"), id) &^ withQuery
	}
	return r
}

// withQuery marks the key of an address with a query.
const withQuery = 1

// urlKey folds an address to what tells one item from another, as a rule: its
// mark says that there is a query, which may be what does. Addresses without a
// path (a service's home page) stand for no item.
func urlKey(url string) uint64 {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return 0
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, query := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	path = strings.Trim(path, "/")
	if path == "" {
		return 0
	}
	key := fnv1a(fnvOffset, strings.TrimPrefix(strings.ToLower(host), "www."))
	key = fnv1a(fnv1a(key, "/"), path) &^ withQuery
	if query {
		key |= withQuery
	}
	return key
}

// fnv1a is the FNV-1a hash of text, going on from h.
func fnv1a(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

const fnvOffset = 14695981039346656037
