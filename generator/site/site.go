// Package site is the model of a mirrored site: folders, items, writers, tags
// and saved searches, how they hang together, and where each of them lives in
// the published tree.
//
// It knows neither the service the content comes from nor how anything is
// rendered, and imports no other package of this module. Package arrange fills
// it, packages page and feed read it.
//
// An Item holds only what arranging needs. What a page shows of it (headline,
// spot, pictures, text) is read from the archive when that page is rendered,
// so a site of a million items fits in memory.
package site

import (
	"hash/fnv"
	"strings"
	"time"
)

// Site is one arranged site. It is not changed once package arrange has
// returned it, so any number of renderers may read it at once.
type Site struct {
	Settings

	Home     List      // all items, newest first
	Root     *Folder   // the folder "/"; its list is not published, Home stands in for it
	Folders  []*Folder // all folders but Root: parents before children, siblings in alphabetical order
	Writers  []*Writer // in alphabetical order
	Tags     []*Tag    // in alphabetical order
	Pages    []*Page   // editorial pages, in the service's order
	Searches []*Search // saved searches, in the order of the configuration

	index map[uint64]*Item // by digest of address or id
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
	Markdown    bool           // items are also published as Markdown
}

// Index makes item findable by its address at the source and by its id. The
// first item that claims one keeps it.
func (s *Site) Index(url string, item *Item) {
	if s.index == nil {
		s.index = make(map[uint64]*Item)
	}
	if key, ok := urlKey(url); ok {
		s.claim(key, item)
	}
	s.claim(idKey(item.ID), item)
}

func (s *Site) claim(key uint64, item *Item) {
	if _, taken := s.index[key]; !taken {
		s.index[key] = item
	}
}

// ByURL returns the item whose address at the source is url, or nil. Scheme,
// a leading "www.", a trailing slash, query and fragment make no difference.
func (s *Site) ByURL(url string) *Item {
	key, ok := urlKey(url)
	if !ok {
		return nil
	}
	return s.index[key]
}

// Refer returns the item that a record refers to by its id and its address,
// either of which may be empty, or nil. An address says more: some services
// give the same id to things of different kinds.
func (s *Site) Refer(id, url string) *Item {
	if item := s.ByURL(url); item != nil || id == "" {
		return item
	}
	return s.index[idKey(id)]
}

func idKey(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte{0})
	h.Write([]byte(id))
	return h.Sum64()
}

// urlKey folds an address to what tells one item from another. Addresses
// without a path (a service's home page) stand for no item.
func urlKey(url string) (uint64, bool) {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return 0, false
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	host, path, _ := strings.Cut(rest, "/")
	path = strings.Trim(path, "/")
	if path == "" {
		return 0, false
	}
	h := fnv.New64a()
	h.Write([]byte(strings.TrimPrefix(strings.ToLower(host), "www.")))
	h.Write([]byte{'/'})
	h.Write([]byte(path))
	return h.Sum64(), true
}
