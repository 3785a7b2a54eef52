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
	Records  int      // how many items there are, about, if that is known
	Taken    []string // addresses of the owner's own pages: no item gets one of them
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
	for _, step := range []func(context.Context, *archive.Archive) error{b.open, b.scan, b.order, b.search, b.mix, b.address, b.remember, b.tell, b.link, b.correct} {
		if err := step(ctx, a); err != nil {
			return nil, fmt.Errorf("arrange the site: %w", err)
		}
	}
	return b.site, nil
}

// builder collects what the scan yields, in which anything may come before
// what it refers to.
type builder struct {
	options     Options
	site        *site.Site
	fresh       site.Rows            // of items that have no address in the archive
	doubles     map[string]site.Kind // articles that say that they are of another kind, by id
	names       site.Names
	shared      bool // an address is that of two records
	reader      reader
	draft       site.Draft // of the item at hand
	numbers     []uint32   // of its tags
	paths       table      // folders as items name them
	bylines     table      // writers as items name them
	hosts       map[string]int
	versions    map[int64]int // earlier versions that the archive keeps, by row
	teasers     map[int64]archive.TeaserHash
	named       map[string]*archive.Record // folders' own records, by key
	folders     map[string]*site.Folder
	directories *directories
	succession  succession
	people      people
	tags        map[string]*tag
	words       map[string]*spelling // tags as items spell them
	pages       []pageRecord
	withheld    map[string]map[string]bool // names in a space that records have which the configuration leaves out
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
		fresh:   make(site.Rows),
		doubles: make(map[string]site.Kind),
		hosts:   make(map[string]int),
		named:   make(map[string]*archive.Record),
		folders: map[string]*site.Folder{"/": root},
		people:  newPeople(),
		tags:    make(map[string]*tag),
		words:   make(map[string]*spelling),

		withheld: make(map[string]map[string]bool),
	}
}

// subject tells an item from every other one.
func subject(item site.Item) string { return string(item.Kind()) + "/" + item.ID() }

// order sorts the items, drops those that two operations list, and fills
// every list.
func (b *builder) order(context.Context, *archive.Archive) error {
	b.dropDoubles()
	b.site.Sort()
	b.site.Home.Items = b.site.Collection.Items()
	b.succeed()
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

// join gives each item its folder and its writers. Names are made in the order
// of the site, so that of several spellings the newest item's counts.
func (b *builder) join() error {
	b.site.FolderOf = make([]*site.Folder, len(b.paths.texts))
	b.site.WritersOf = make([][]*site.Writer, len(b.bylines.texts))
	known := make([]bool, len(b.bylines.texts))
	for item := range b.site.Home.Items.All() {
		path, byline := item.Numbers()
		if b.site.FolderOf[path] == nil {
			b.site.FolderOf[path] = b.folder(b.succession.heir(folderKey(b.paths.texts[path])))
		}
		if !known[byline] {
			writers, err := b.writers(b.bylines.texts[byline])
			if err != nil {
				return fmt.Errorf("%s: %w", subject(item), err)
			}
			b.site.WritersOf[byline], known[byline] = writers, true
		}
	}
	return nil
}

// writers returns the writers that items name in a document, each once.
func (b *builder) writers(document string) (writers []*site.Writer, err error) {
	people, err := persons(document)
	for _, person := range people {
		if w := b.people.find(person); w != nil && !slices.Contains(writers, w) {
			writers = append(writers, w)
		}
	}
	return writers, err
}

// dropDoubles removes articles that are listed again by the operation of their
// own kind, which says more of them. What was published as the article stays at
// its address.
func (b *builder) dropDoubles() {
	if len(b.doubles) == 0 {
		return
	}
	double := make(map[string]site.Item) // by id
	for item := range b.site.Collection.Items().All() {
		if kind, ok := b.doubles[item.ID()]; ok && item.Kind() == kind {
			double[item.ID()] = item
		}
	}
	given := func(item site.Item) bool { return item.Kind() == site.Article && double[item.ID()].Exists() }
	for item := range b.site.Collection.Items().All() {
		if other := double[item.ID()]; given(item) && other.Address() == "" {
			b.site.Move(other, item.Address())
		}
	}
	b.site.Drop(given)
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

// tell completes the digests of items: beside what the record says, where they
// are, and of what lists show also when and what, in which folder and by whom.
func (b *builder) tell(context.Context, *archive.Archive) error {
	folders := make([]uint64, len(b.site.FolderOf))
	for i, folder := range b.site.FolderOf {
		if folder != nil {
			folders[i] = fnv1a(fnv1a(fnvOffset, folder.Title+"\x00"), folder.Path)
		}
	}
	bylines := make([]uint64, len(b.site.WritersOf))
	for i, writers := range b.site.WritersOf {
		for _, w := range writers {
			bylines[i] = fnv1a(mixed(bylines[i]), w.Title)
		}
	}
	for item := range b.site.Home.Items.All() {
		path, byline := item.Numbers()
		address, kind := item.Address(), string(item.Kind())
		told := mixed(item.Teaser(), uint64(item.Published()), folders[path], bylines[byline])
		b.site.Tell(item, versionAt(item.Version(), address), versionAt(fnv1a(told, kind), address))
	}
	return nil
}

// link sets what items refer to, and the news of editorial pages.
func (b *builder) link(context.Context, *archive.Archive) error {
	b.site.Link()
	for _, p := range b.pages {
		for _, reference := range p.record.Related {
			item := b.site.Find(site.RefTo(reference.ID, reference.URL))
			switch {
			case !item.Exists():
				p.Absent = append(p.Absent, site.Reference{Title: cmp.Or(reference.Title, reference.ID), URL: reference.URL})
			case !p.Items.Has(item):
				p.Items.Append(item)
			}
		}
	}
	return nil
}
