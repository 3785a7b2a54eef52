package arrange

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/collate"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
)

// A standingPage is a page and its record.
type standingPage struct {
	site.StandingPage
	record *archive.Record
}

// scanStanding reads the standing pages that the site shows.
func (b *builder) scanStanding(ctx context.Context, a *archive.Archive) error {
	for r, err := range a.Catalog.StandingPages(ctx) {
		if err != nil {
			return err
		}
		if b.options.wantsKind(site.Kind(record.Page)) && (!b.options.DropGone || r.GoneAt.IsZero()) {
			b.standing[r.Row] = &standingPage{site.StandingPage{Title: cmp.Or(r.Title, r.ID)}, r}
		}
	}
	return nil
}

// divide gives home all items but those of standing pages.
func (b *builder) divide() {
	home := site.Items{}
	all := b.site.Collection.Items()
	for item := range all.All() {
		if page := b.standing[item.Row()]; page != nil {
			page.Item = item
		} else if len(b.standing) > 0 {
			home.Append(item)
		}
	}
	if len(b.standing) == 0 {
		home = all
	}
	b.site.All, b.site.Home.Items = all, home
}

// plantStanding makes a tree of the standing pages.
func (b *builder) plantStanding(sorter *collate.Collator) {
	pages := slices.Collect(maps.Values(b.standing))
	slices.SortFunc(pages, func(x, y *standingPage) int {
		return cmp.Or(cmp.Compare(x.record.Ordinal, y.record.Ordinal), sorter.CompareString(x.Title, y.Title), strings.Compare(x.record.ID, y.record.ID))
	})
	byID := make(map[string]*standingPage)
	for _, page := range pages {
		byID[page.record.ID] = page
	}
	for _, page := range pages {
		if parent := byID[page.record.Parent]; parent != nil && isRooted(parent, byID) {
			page.Parent = &parent.StandingPage
			parent.Pages = append(parent.Pages, &page.StandingPage)
		}
	}
	var add func(page *site.StandingPage)
	add = func(page *site.StandingPage) {
		b.site.Standing = append(b.site.Standing, page)
		for _, below := range page.Pages {
			add(below)
		}
	}
	for _, page := range pages {
		if page.Parent == nil {
			add(&page.StandingPage)
		}
	}
}

// isRooted reports whether a page is below one at the top. Pages in a circle are not, nor
// those of more levels than a directory has.
func isRooted(page *standingPage, byID map[string]*standingPage) bool {
	const most = 12
	for range most {
		if page = byID[page.record.Parent]; page == nil {
			return true
		}
	}
	return false
}

// addressStanding assigns directories to standing pages: each has one for its place in the
// tree, so that a page that moves back is where it was.
func (b *builder) addressStanding() {
	for _, page := range b.site.Standing {
		above := ""
		if page.Parent != nil {
			above = page.Parent.Dir
		}
		wanted := site.FolderDir(b.site.Words, above, b.segment(page), b.site.Language)
		page.Dir = b.directories.assign(directoryKey{standingSpace, standingName(page.ID()) + wanted}, func() string { return wanted })
		b.site.SetAddress(page.Item, page.Index())
	}
}

// findFormer lists the former addresses of standing pages, and of articles that were one: the
// source may make a page of a post, and a post of a page.
func (b *builder) findFormer() {
	given := b.directories.given[standingSpace]
	if len(given) == 0 {
		return
	}
	owners := make(map[string]site.Item) // by the name of an item that has or had a directory
	for name := range given {
		owners[ownerOf(name)] = site.Item{}
	}
	for item := range b.site.All.All() {
		if name := standingName(item.ID()); item.Kind() == site.Article {
			if _, ok := owners[name]; ok {
				owners[name] = item
			}
		}
	}
	for _, page := range b.site.Standing {
		if address := b.asArticle[page.Row()]; address != "" && !b.sharedAddress {
			b.site.Former = append(b.site.Former, site.Former{Address: address, Item: page.Item})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		address := path.Join(given[name], "index.html")
		if item := owners[ownerOf(name)]; item.Exists() && item.Address() != address {
			b.site.Former = append(b.site.Former, site.Former{Address: address, Item: item})
		}
	}
}

// standingName begins the names of a page's directories.
func standingName(id string) string { return url.PathEscape(id) + " " }

// ownerOf returns what [standingName] returned of the page whose directory has a name.
func ownerOf(name string) string {
	id, _, _ := strings.Cut(name, " ")
	return id + " "
}

// segment returns the last part of a page's address at the source, or else its title.
func (b *builder) segment(page *site.StandingPage) string {
	u, err := url.Parse(b.standing[page.Row()].record.URL)
	if err != nil || strings.Trim(u.Path, "/") == "" {
		return page.Title
	}
	return path.Base(u.Path)
}
