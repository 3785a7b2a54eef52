// Package arrange turns an archive into a site: it puts items into folders and
// lists, links related items, and assigns permanent addresses.
//
// It takes an archive and [Options], and returns a [site.Site]. It reads the archive's
// metadata in one scan, or what changed since the last one, see [Kept]. The same records give the same site, in any order and at any
// time, but for what the archive keeps of earlier builds: addresses, published lists, and
// the order of the navigation, which [KeepNavigation] stores.
//
// Begin with [Arrange], which lists the steps. They follow each other in scan.go, kept.go,
// folders.go, lists.go, address.go, published.go and navigation.go.
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
	"ayna/record"
)

// Options are the settings of the site, and select its records.
type Options struct {
	Settings   site.Settings
	Include    []string // folders, with their sub-folders; empty includes all
	Exclude    []string
	Kinds      []site.Kind // empty includes all
	DropGone   bool        // leave out records that are gone from the source
	Searches   []Search
	Mixes      []Mix
	Navigation []string // folders, in the order of the masthead and home; empty orders them by size
	Mirror     bool     // pages show mirrored pictures or attachments
	Comments   bool     // pages show comments of readers
	Records    int      // estimated number of items, 0 if unknown
	Taken      []string // addresses of the owner's own pages, which items cannot have
	Kept       Kept     // from one scan to the next
}

// Search is a saved search.
type Search struct {
	Title string
	Query string
}

// Wants reports whether the site includes items of these folders: one of them is included,
// and none is excluded.
func (o *Options) Wants(folders []string) bool {
	var w wanted
	for _, folder := range folders {
		w = w.with(o.wanted(folder))
	}
	return w.included && !w.excluded
}

// wanted is what the options have of a folder.
type wanted struct{ included, excluded bool }

func (w wanted) with(other wanted) wanted {
	return wanted{w.included || other.included, w.excluded || other.excluded}
}

func (o *Options) wanted(folder string) wanted {
	folder = folderKey(folder)
	under := func(dirs []string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(folder, folderKey(dir)) })
	}
	return wanted{len(o.Include) == 0 || under(o.Include), under(o.Exclude)}
}

// Arrange reads the archive and returns the site. It stores new addresses in the
// archive.
func Arrange(ctx context.Context, a *archive.Archive, options Options) (*site.Site, error) {
	b := newBuilder(options)
	for _, step := range []func(context.Context, *archive.Archive) error{
		b.openDirectories, b.scan, b.list, b.fillSearches, b.fillMixes, b.address, b.rememberPublished, b.fillPages, b.fillCorrections, b.fillSections, b.seal,
	} {
		if err := step(ctx, a); err != nil {
			return nil, fmt.Errorf("arrange the site: %w", err)
		}
	}
	return b.site, nil
}

// seal makes the digests of the items.
func (b *builder) seal(context.Context, *archive.Archive) error {
	b.site.Seal()
	b.pictured, b.revised = nil, nil
	return nil
}

// builder holds the state of [Arrange]. Records may refer to later ones.
type builder struct {
	options       Options
	site          *site.Site
	inherited     map[int64]bool       // rows of items that took the address of a duplicate, not stored yet
	duplicates    map[string]site.Kind // articles that are also listed as another kind, by id
	names         site.Names
	sharedAddress bool // two records have the same address
	scanned
	folderList    []uint32           // of one item, in paths
	tagList       []uint32           // of one item, in spellings
	wanted        []wanted           // by number of path
	items         map[string]int     // by the origin of their addresses
	pictured      map[int64]pictured // by row
	mixer         site.Mixer
	related       []site.Ref                 // of one item
	links         []site.Ref                 // likewise
	named         map[string]*archive.Record // folders' own records, by key
	folders       map[string]*site.Folder
	directories   *directories
	renames       renames
	people        people
	tags          map[string]*tag
	pages         []pageRecord
	standing      map[int64]*standingPage // by row
	asArticle     map[int64]string        // by row: the address that a standing page had as an article, or ""
	excluded      map[directoryKey]bool   // lists of items that the configuration excludes
	excludedTexts map[string]bool         // what such items name, with the name of its table
	hadSubFolders map[string]bool         // directories of folders that have or had sub-folders
}

type pageRecord struct {
	*site.Page
	record *archive.Record
}

func newBuilder(options Options) *builder {
	root := &site.Folder{List: site.List{Kind: site.OfFolders}, Path: "/"}
	return &builder{
		options:       options,
		site:          &site.Site{Settings: options.Settings, Root: root},
		inherited:     make(map[int64]bool),
		scanned:       newScanned(),
		duplicates:    make(map[string]site.Kind),
		items:         make(map[string]int),
		named:         make(map[string]*archive.Record),
		folders:       map[string]*site.Folder{"/": root},
		people:        people{byID: make(map[string]*site.Writer), byName: make(map[string]*site.Writer)},
		tags:          make(map[string]*tag),
		excluded:      make(map[directoryKey]bool),
		excludedTexts: make(map[string]bool),
		standing:      make(map[int64]*standingPage),
		asArticle:     make(map[int64]string),
	}
}

// subject identifies an item in messages and in names.
func subject(item site.Item) string { return string(item.Kind()) + "/" + item.ID() }

// list removes duplicates, and fills the lists of folders, writers, tags and kinds.
func (b *builder) list(context.Context, *archive.Archive) error {
	b.dropDuplicates()
	b.divide()
	b.findRenames()
	if err := b.join(); err != nil {
		return err
	}
	b.fill()
	b.site.Home.Kind, b.site.Home.Title = site.OfHome, b.site.Title
	host := b.sourceHost()
	b.site.SourceName = cmp.Or(b.site.SourceName, host, b.site.Title)
	b.site.SourceHost = host
	if home, err := url.Parse(b.site.SourceHome); err == nil && home.Hostname() != "" {
		b.site.SourceHost = bareHost(home)
	}
	return nil
}

// dropDuplicates removes articles that are also listed as a column, gallery or
// video, because that record has more content. It takes over the article's address.
func (b *builder) dropDuplicates() {
	if len(b.duplicates) == 0 {
		return
	}
	twin := make(map[string]site.Item) // by id
	for item := range b.site.Collection.Items().All() {
		if kind, ok := b.duplicates[item.ID()]; ok && item.Kind() == kind {
			twin[item.ID()] = item
		}
	}
	isDuplicate := func(item site.Item) bool { return item.Kind() == site.Article && twin[item.ID()].Exists() }
	for item := range b.site.Collection.Items().All() {
		if other := twin[item.ID()]; isDuplicate(item) && other.Address() == "" {
			b.site.SetAddress(other, item.Address())
			b.inherited[other.Row()] = true
		}
	}
	b.site.Drop(isDuplicate)
}

// join links items to their folders and writers. It begins with the newest item,
// whose spelling of a writer's name is used.
func (b *builder) join() error {
	b.site.FolderOf = make([]*site.Folder, len(b.paths.texts))
	b.site.WritersOf = make([][]*site.Writer, len(b.bylines.texts))
	known := make([]bool, len(b.bylines.texts))
	for item := range b.site.Home.Items.All() {
		for path := range item.FolderNumbers() {
			if b.site.FolderOf[path] == nil {
				b.site.FolderOf[path] = b.folder(b.renames.current(folderKey(b.paths.texts[path])))
			}
		}
		_, byline := item.Numbers()
		if known[byline] {
			continue
		}
		known[byline] = true
		persons, err := decode[record.Person](b.bylines.texts[byline])
		if err != nil {
			return fmt.Errorf("%s: damaged metadata: %w", subject(item), err)
		}
		for _, person := range persons {
			if w := b.people.find(person); w != nil && !slices.Contains(b.site.WritersOf[byline], w) {
				b.site.WritersOf[byline] = append(b.site.WritersOf[byline], w)
			}
		}
	}
	return nil
}

// fill appends the items to the lists of their folders, writers, tags and kinds.
// It counts them first, so that no list is larger than necessary.
func (b *builder) fill() {
	kinds := make(map[site.Kind]*site.KindList)
	for _, kind := range site.Kinds {
		kinds[kind] = &site.KindList{List: site.List{Kind: site.OfKinds, Title: b.site.Words.KindsOf[kind]}, ItemKind: kind}
	}
	eachList := func(item site.Item, do func(*site.Items)) {
		for folder := range item.Folders() {
			if len(folder.Folders) > 0 {
				do(&folder.Own)
			}
		}
		for folder := range item.InAndAbove() {
			if folder.Parent != nil {
				do(&folder.Items)
			}
		}
		for _, w := range item.Writers() {
			do(&w.Items)
		}
		for t := range item.Tags() {
			do(&t.Items)
		}
		do(&kinds[item.Kind()].Items)
	}
	counts := make(map[*site.Items]int)
	for item := range b.site.Home.Items.All() {
		eachList(item, func(list *site.Items) { counts[list]++ })
	}
	for list, n := range counts {
		list.Grow(n)
	}
	for item := range b.site.Home.Items.All() {
		eachList(item, func(list *site.Items) { list.Append(item) })
	}
	b.site.Root.Items = b.site.Home.Items
	for _, folder := range b.folders {
		if len(folder.Folders) == 0 {
			folder.Own = folder.Items
		}
	}
	for _, kind := range site.Kinds {
		if list := kinds[kind]; list.Items.Len() > 0 {
			b.site.Kinds = append(b.site.Kinds, list)
		}
	}
}

// sourceHost returns the host of most items, or "". Every page shows it, so it should
// rarely change.
func (b *builder) sourceHost() string {
	items := make(map[string]int)
	for address, n := range b.items {
		u, err := url.Parse(address)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" {
			items[bareHost(u)] += n
		}
	}
	return commonest(items)
}

func bareHost(u *url.URL) string {
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// fillPages fills the editorial pages with the items that they refer to.
func (b *builder) fillPages(context.Context, *archive.Archive) error {
	b.site.BuildIndex()
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
