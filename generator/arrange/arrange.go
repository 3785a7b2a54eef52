// Package arrange turns an archive into a site: it hangs every item in its
// folder, links writers, tags, related items and neighbours, and gives each of
// them the address it keeps.
//
// It reads the archive's light metadata in one scan, and keeps of it what a site
// needs and nothing else. Nothing in the result depends on the order of arrival
// or on the clock.
package arrange

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

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
	Mixes    []Mix
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
	for _, step := range []func(context.Context, *archive.Archive) error{b.scan, b.order, b.search, b.mix, b.address, b.link, b.correct} {
		if err := step(ctx, a); err != nil {
			return nil, fmt.Errorf("arrange the site: %w", err)
		}
	}
	return b.site, nil
}

// builder collects what the scan yields, in which anything may come before
// what it refers to.
type builder struct {
	options  Options
	site     *site.Site
	pending  []pending // per item, in the order of the scan, then in that of the site
	names    site.Names
	shared   bool // an address is that of two records
	store    store
	reader   reader
	paths    table // folders as items name them
	bylines  table // writers as items name them
	hosts    map[string]int
	versions map[int64]int // earlier versions that the archive keeps, by row
	teasers  map[int64]archive.TeaserHash
	named    map[string]*archive.Record // folders' own records, by key
	folders  map[string]*site.Folder
	people   people
	tags     map[string]*tag
	words    map[string]*spelling // tags as items spell them
	pages    []pageRecord
}

type pageRecord struct {
	*site.Page
	record *archive.Record
}

func newBuilder(options Options) *builder {
	root := &site.Folder{List: site.List{Sort: site.OfFolders}, Path: "/"}
	return &builder{
		options: options,
		site:    &site.Site{Settings: options.Settings, Root: root},
		hosts:   make(map[string]int),
		named:   make(map[string]*archive.Record),
		folders: map[string]*site.Folder{"/": root},
		people:  newPeople(),
		tags:    make(map[string]*tag),
		words:   make(map[string]*spelling),
	}
}

// order sorts the items, drops those that two operations list, and fills
// every list.
func (b *builder) order(context.Context, *archive.Archive) error {
	b.pending = dropDoubles(b.pending)
	slices.SortFunc(b.pending, func(x, y pending) int { return site.Compare(x.Item, y.Item) })
	if err := b.join(); err != nil {
		return err
	}
	b.fill()
	b.site.Home.Sort, b.site.Home.Title = site.OfHome, b.site.Title
	host := b.sourceHost()
	b.site.SourceName = cmp.Or(b.site.SourceName, host, b.site.Title)
	b.site.SourceHost = host
	if home, err := url.Parse(b.site.SourceHome); err == nil && home.Hostname() != "" {
		b.site.SourceHost = bareHost(home)
	}
	return nil
}

// join gives each item its folder, its writers and its tags. Names are made in
// the order of the site, so that of several spellings the newest item's counts.
func (b *builder) join() error {
	folders := make([]*site.Folder, len(b.paths.texts))
	writers := make([][]*site.Writer, len(b.bylines.texts))
	known := make([]bool, len(writers))
	for i := range b.pending {
		p := &b.pending[i]
		if folders[p.path] == nil {
			folders[p.path] = b.folder(folderKey(b.paths.texts[p.path]))
		}
		p.Folder = folders[p.path]
		if !known[p.byline] {
			people, err := persons(b.bylines.texts[p.byline])
			if err != nil {
				return fmt.Errorf("%s: %w", p.subject(), err)
			}
			for _, person := range people {
				if w := b.people.find(person); w != nil && !slices.Contains(writers[p.byline], w) {
					writers[p.byline] = append(writers[p.byline], w)
				}
			}
			known[p.byline] = true
		}
		p.Writers = writers[p.byline]
		p.Tags = b.store.tags.take(len(p.words))[:0]
		for _, word := range p.words {
			word.items++
			if !slices.Contains(p.Tags, &word.tag.Tag) {
				p.Tags = append(p.Tags, &word.tag.Tag)
			}
		}
		p.words = nil
	}
	return nil
}

// dropDoubles removes articles that are listed again by the operation of their
// own kind, which says more of them. What was published as the article stays at
// its address.
func dropDoubles(all []pending) []pending {
	suspects := make(map[string]site.Kind)
	for _, p := range all {
		if p.double != "" {
			suspects[p.ID] = p.double
		}
	}
	if len(suspects) == 0 {
		return all
	}
	doubles := make(map[string]*site.Item)
	for _, p := range all {
		if kind, ok := suspects[p.ID]; ok && p.Kind == kind {
			doubles[p.ID] = p.Item
		}
	}
	return slices.DeleteFunc(all, func(p pending) bool {
		double := doubles[p.ID]
		if p.Kind != site.Article || double == nil {
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
	for address, n := range b.hosts {
		u, err := url.Parse(address)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" {
			items[bareHost(u)] += n
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
func (b *builder) link(context.Context, *archive.Archive) error {
	for i := range b.pending {
		b.site.Index(b.pending[i].ref, b.pending[i].Item)
	}
	newest := make(map[*site.Folder]*site.Item)
	for i := range b.pending {
		p := &b.pending[i]
		item := p.Item
		if newer := newest[item.Folder]; newer != nil {
			newer.Previous, item.Next = item, newer
		}
		newest[item.Folder] = item
		item.Related = b.found(p.related)
		item.Related = slices.DeleteFunc(item.Related, func(other *site.Item) bool { return other == item })
		item.Links = b.found(p.links)
	}
	for _, p := range b.pages {
		for _, reference := range p.record.Related {
			item := b.site.Find(site.RefTo(reference.ID, reference.URL))
			switch {
			case item == nil:
				p.Absent = append(p.Absent, site.Reference{Title: cmp.Or(reference.Title, reference.ID), URL: reference.URL})
			case !slices.Contains(p.Items, item):
				p.Items = append(p.Items, item)
			}
		}
	}
	b.pending = nil
	return nil
}

// found returns the items that are referred to, each once.
func (b *builder) found(refs []site.Ref) []*site.Item {
	if len(refs) == 0 {
		return nil
	}
	items := b.store.refs.take(len(refs))[:0]
	for _, ref := range refs {
		if item := b.site.Find(ref); item != nil && !slices.Contains(items, item) {
			items = append(items, item)
		}
	}
	return items
}
