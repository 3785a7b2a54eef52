// Package arrange turns an archive into a site: it hangs every item in its
// folder, links writers, tags, related items and neighbours, and gives each of
// them the address it keeps.
//
// It reads the archive's light metadata in one scan. Nothing in the result
// depends on the order of arrival or on the clock.
package arrange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/site"
)

// Options says what of the archive belongs to the site.
type Options struct {
	Settings site.Settings
	Include  []string // folders, with their sub-folders; none means all
	Exclude  []string
	Kinds    []site.Kind // none means all
	DropGone bool        // leave out records that are gone from the source
	Searches []Search
}

// Search is a saved search.
type Search struct {
	Title string
	Query string
}

// Wants reports whether items of a folder belong to the site.
func (o *Options) Wants(folder string) bool {
	folder = folderKey(folder)
	under := func(dirs []string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(folder, folderKey(dir)) })
	}
	return (len(o.Include) == 0 || under(o.Include)) && !under(o.Exclude)
}

// Arrange reads the archive and returns the site. Addresses given out for the
// first time are kept in the archive.
func Arrange(ctx context.Context, a *archive.Archive, options Options) (*site.Site, error) {
	b := newBuilder(options)
	for r, err := range a.Scan(ctx) {
		if err != nil {
			return nil, fmt.Errorf("arrange the site: %w", err)
		}
		b.add(r)
	}
	b.order()
	for _, step := range []func(context.Context, *archive.Archive) error{b.search, b.address} {
		if err := step(ctx, a); err != nil {
			return nil, fmt.Errorf("arrange the site: %w", err)
		}
	}
	b.link()
	return b.site, nil
}

// builder collects what the scan yields, in which anything may come before
// what it refers to.
type builder struct {
	options Options
	site    *site.Site
	pending []pending // per item, in the order of the scan
	names   site.Names
	named   map[string]*archive.Record // folders' own records, by key
	folders map[string]*site.Folder
	people  people
	tags    map[string]*tag
	pages   []pageRecord
}

// pending is an item with what is not linked yet.
type pending struct {
	*site.Item
	record *archive.Record
}

// subject tells an item from every other one.
func (p pending) subject() string { return string(p.Kind) + "/" + p.ID }

type pageRecord struct {
	*site.Page
	record *archive.Record
}

func newBuilder(options Options) *builder {
	root := &site.Folder{Path: "/"}
	return &builder{
		options: options,
		site:    &site.Site{Settings: options.Settings, Root: root},
		named:   make(map[string]*archive.Record),
		folders: map[string]*site.Folder{"/": root},
		people:  newPeople(),
		tags:    make(map[string]*tag),
	}
}

func (b *builder) add(r *archive.Record) {
	if r.Address != "" {
		b.names.Restore(r.Address) // also of what is left out: it may come back
	}
	if !b.wants(r) {
		return
	}
	switch r.Kind {
	case archive.Folder:
		b.name(r)
	case archive.Writer:
		b.people.record(r)
	case archive.Page:
		page := &site.Page{ID: r.ID, URL: r.URL, Version: version(r)}
		page.Title = cmp.Or(r.Title, r.ID)
		b.pages = append(b.pages, pageRecord{page, r})
	default:
		b.addItem(r)
	}
}

// wants reports whether a record belongs to the site. Folders and writers
// always do: they are shown where items name them. Editorial pages have no
// folder.
func (b *builder) wants(r *archive.Record) bool {
	kinds := b.options.Kinds
	switch {
	case b.options.DropGone && !r.Vanished.IsZero():
		return false
	case r.Kind == archive.Folder || r.Kind == archive.Writer:
		return true
	case len(kinds) > 0 && !slices.Contains(kinds, site.Kind(r.Kind)):
		return false
	}
	return r.Kind == archive.Page || b.options.Wants(r.Path)
}

func (b *builder) addItem(r *archive.Record) {
	item := &site.Item{
		Row: r.Row, Kind: site.Kind(r.Kind), ID: r.ID, Address: r.Address, Version: version(r),
		Order: order(r), Published: millis(r.Published), Modified: modified(r),
	}
	b.pending = append(b.pending, pending{item, r})
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// order returns an item's place in time. A date that lies in the future when
// the record is first seen is not believed: it would stay on top for ever.
func order(r *archive.Record) int64 {
	if r.Published.After(r.Seen.Add(tolerance)) {
		return millis(r.Seen)
	}
	return millis(r.Published)
}

// modified returns when a record was last changed, 0 if it was not. A change
// later than the record's last arrival is not believed either.
func modified(r *archive.Record) int64 {
	arrived := r.Seen
	for _, t := range []time.Time{r.Changed, r.Fetched} {
		if t.After(arrived) {
			arrived = t
		}
	}
	if !r.Modified.After(r.Published) || r.Modified.After(arrived.Add(tolerance)) {
		return 0
	}
	return millis(r.Modified)
}

// tolerance is how far the source's clock may be ahead.
const tolerance = 5 * time.Minute

// version is a digest of all that can be shown of a record.
func version(r *archive.Record) uint64 {
	h := sha256.New()
	h.Write(r.Hash[:])
	h.Write([]byte{byte(len(r.Pictures))})
	h.Write(r.Pictures)
	if !r.Vanished.IsZero() {
		h.Write([]byte("gone"))
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// order sorts the items, drops those that two operations list, and fills
// every list.
func (b *builder) order() {
	b.pending = dropDoubles(b.pending)
	slices.SortFunc(b.pending, func(x, y pending) int { return site.Compare(x.Item, y.Item) })
	for _, p := range b.pending {
		item := p.Item
		b.site.Home.Items = append(b.site.Home.Items, item)
		item.Folder = b.folder(folderKey(p.record.Path))
		for f := item.Folder; f != nil; f = f.Parent {
			f.Items = append(f.Items, item)
		}
		for _, person := range p.record.Writers {
			if w := b.people.find(person); w != nil && !slices.Contains(item.Writers, w) {
				w.Items = append(w.Items, item)
				item.Writers = append(item.Writers, w)
			}
		}
		for _, name := range p.record.Tags {
			if t := b.tag(name); !slices.Contains(item.Tags, &t.Tag) {
				t.Items = append(t.Items, item)
				item.Tags = append(item.Tags, &t.Tag)
			}
		}
	}
	b.site.Home.Title = b.site.Title
	host := b.sourceHost()
	b.site.SourceName = cmp.Or(b.site.SourceName, host, b.site.Title)
	b.site.SourceHost = host
	if home, err := url.Parse(b.site.SourceHome); err == nil && home.Hostname() != "" {
		b.site.SourceHost = bareHost(home)
	}
}

// dropDoubles removes articles that are listed again by the operation of their
// own kind, which says more of them. What was published as the article stays at
// its address.
func dropDoubles(all []pending) []pending {
	kinds := map[string]archive.Kind{"Column": archive.Column, "NewsPhotoGallery": archive.Gallery, "NewsVideo": archive.Video}
	suspects := make(map[string]archive.Kind)
	for _, p := range all {
		if kind, ok := kinds[p.record.Type]; ok && p.record.Kind == archive.Article {
			suspects[p.ID] = kind
		}
	}
	if len(suspects) == 0 {
		return all
	}
	doubles := make(map[string]*site.Item)
	for _, p := range all {
		if kind, ok := suspects[p.ID]; ok && p.record.Kind == kind {
			doubles[p.ID] = p.Item
		}
	}
	return slices.DeleteFunc(all, func(p pending) bool {
		double := doubles[p.ID]
		if p.record.Kind != archive.Article || double == nil {
			return false
		}
		double.Address = cmp.Or(double.Address, p.Address)
		return true
	})
}

// sourceHost returns the host that most items are at, "" if none says where it
// is. It stands on every page, so it must not change with each new item.
func (b *builder) sourceHost() string {
	items := make(map[string]int)
	for _, p := range b.pending {
		u, err := url.Parse(p.record.URL)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" {
			items[bareHost(u)]++
		}
	}
	name := ""
	for host, n := range items {
		if n > items[name] || (n == items[name] && host < name) {
			name = host
		}
	}
	return name
}

func bareHost(u *url.URL) string {
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// link sets what items refer to: neighbours in the folder, related items, the
// news of editorial pages.
func (b *builder) link() {
	for _, p := range b.pending {
		b.site.Index(p.record.URL, p.Item)
	}
	newest := make(map[*site.Folder]*site.Item)
	for _, p := range b.pending {
		item := p.Item
		if newer := newest[item.Folder]; newer != nil {
			newer.Previous, item.Next = item, newer
		}
		newest[item.Folder] = item
		for _, reference := range p.record.Related {
			if other := b.site.Refer(reference.ID, reference.URL); other != nil && other != item && !slices.Contains(item.Related, other) {
				item.Related = append(item.Related, other)
			}
		}
		for _, address := range p.record.Links {
			if other := b.site.ByURL(address); other != nil {
				item.Links = append(item.Links, other)
			}
		}
	}
	for _, p := range b.pages {
		for _, reference := range p.record.Related {
			item := b.site.Refer(reference.ID, reference.URL)
			switch {
			case item == nil:
				p.Absent = append(p.Absent, site.Reference{Title: cmp.Or(reference.Title, reference.ID), URL: reference.URL})
			case !slices.Contains(p.Items, item):
				p.Items = append(p.Items, item)
			}
		}
	}
}
