package arrange

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"ayna/archive"
	"ayna/generator/site"
)

// The spaces in which the archive keeps directories.
const (
	folderSpace = "folder"
	writerSpace = "writer"
	tagSpace    = "tag"
	pageSpace   = "page"
	searchSpace = "search"
	kindSpace   = "kind"
	mixSpace    = "mix"
	originSpace = "origin" // of folders that the source renamed: the directory that they took over from
)

// address gives everything its place in the published tree: what had one keeps
// it, and what is new gets one that nothing else has or had.
func (b *builder) address(ctx context.Context, a *archive.Archive) error {
	b.sortLists()
	d := b.directories
	w, language := b.site.Words, b.site.Language
	b.addressFolders(d, b.site.Root)
	b.addressWriters(d)
	for _, tag := range b.site.Tags {
		tag.Dir = d.give(tagSpace, nameKey(tag.Title), func() string { return site.TagDir(w, tag.Title, language) })
	}
	for _, page := range b.site.Pages {
		page.Dir = d.give(pageSpace, page.ID, func() string { return site.PageDir(w, page.Title, page.ID, language) })
	}
	for _, search := range b.site.Searches {
		search.Dir = d.give(searchSpace, search.Query, func() string { return site.SearchDir(w, search.Title, language) })
	}
	for _, kind := range b.site.Kinds {
		kind.Dir = d.give(kindSpace, string(kind.Kind), func() string { return site.KindDir(w, kind.Kind, language) })
	}
	for _, mix := range b.site.Mixes {
		mix.Dir = d.give(mixSpace, mix.Title, func() string { return site.MixDir(w, mix.Title, language) })
	}
	b.site.Corrections.Dir = w.CorrectionsDir
	b.findFormer()
	return b.addressItems(ctx, a, d)
}

// addressFolders gives the folders below a folder their directories. Those
// whose name can stay as it is come first, so that no other takes it from them.
func (b *builder) addressFolders(d *directories, above *site.Folder) {
	propose := func(f *site.Folder) (segment, dir string) {
		_, segment = cutLast(f.Path)
		return segment, site.FolderDir(b.site.Words, above.Dir, segment, b.site.Language)
	}
	for _, plain := range []bool{true, false} {
		for _, f := range above.Folders {
			if segment, dir := propose(f); (path.Base(dir) == segment) == plain {
				f.Dir = d.give(folderSpace, f.Path, func() string { return dir })
			}
		}
	}
	for _, f := range above.Folders {
		b.addressFolders(d, f)
	}
}

// addressWriters gives writers their directories. Whoever was known by name only
// keeps the directory when a record tells the id.
func (b *builder) addressWriters(d *directories) {
	given := d.given[writerSpace]
	taken := make(map[string]bool)
	for _, hasID := range []bool{true, false} {
		for _, writer := range b.site.Writers {
			if (writer.ID != "") != hasID {
				continue
			}
			named := byName(writer.Title)
			name := cmp.Or(writer.ID, named)
			if taken[given[name]] {
				delete(given, name)
			}
			before := given[named]
			if before != "" && given[name] == "" && !taken[before] && b.people.byName[nameKey(writer.Title)] == writer {
				d.keep(writerSpace, name, before)
			}
			writer.Dir = d.give(writerSpace, name, func() string {
				return site.WriterDir(b.site.Words, writer.Title, writer.ID, b.site.Language)
			})
			taken[writer.Dir] = true
		}
	}
}

// byName is the name of a writer of whom no id is known.
func byName(name string) string { return "name:" + nameKey(name) }

// addressItems does the same for items, oldest first, so that of two that want
// one address the older keeps it.
func (b *builder) addressItems(ctx context.Context, a *archive.Archive, d *directories) error {
	if b.shared {
		b.settleShared()
	}
	var fresh site.Items
	for item := range b.site.Home.Items.Backward() {
		if b.fresh.Has(item.Row()) {
			fresh.Append(item)
		}
	}
	for chunk := range fresh.Chunks(1000) {
		if err := b.nameItems(ctx, a, chunk); err != nil {
			return err
		}
	}
	if fresh.Len() == 0 && len(d.fresh) == 0 || !a.Writable() { // a shard: the merge keeps what all shards give alike
		return nil
	}
	return a.Update(ctx, func(tx *archive.Tx) error {
		for item := range fresh.All() {
			if err := tx.SetAddress(item.Row(), item.Address()); err != nil {
				return err
			}
		}
		for _, n := range d.fresh {
			if err := tx.SetDirectory(n.space, n.name, n.dir); err != nil {
				return err
			}
		}
		return nil
	})
}

// settleShared takes its address from all but the oldest of several items at
// one: records that were doubles of each other may come to have the same. An own
// page keeps its address, whichever came first.
func (b *builder) settleShared() {
	var kept site.Names
	for _, address := range b.options.Taken {
		kept.Restore(address)
	}
	for item := range b.site.Home.Items.Backward() {
		if address := item.Address(); address != "" && !kept.Restore(address) {
			b.site.Move(item, "")
			b.fresh.Add(item.Row())
		}
	}
}

// nameItems gives items an address after their titles.
func (b *builder) nameItems(ctx context.Context, a *archive.Archive, items site.Items) error {
	rows := make([]int64, 0, items.Len())
	for item := range items.All() {
		rows = append(rows, item.Row())
	}
	teasers, err := a.Teasers(ctx, rows, false)
	if err != nil {
		return err
	}
	titles := make(map[int64]string, len(teasers))
	for _, t := range teasers {
		titles[t.Row] = t.Title
	}
	for item := range items.All() {
		if item.Address() == "" { // else it is that of its double
			wanted := site.ItemAddress(item.Folder(), titles[item.Row()], item.ID(), b.site.Language)
			b.site.Move(item, b.names.Claim(wanted, subject(item)))
		}
	}
	return nil
}

// directories hands out directories, and remembers which are new.
type directories struct {
	given map[string]map[string]string // by space and name
	names site.Names
	used  map[string]bool // by a list of this site
	fresh []directory
}

type directory struct{ space, name, dir string }

// open reads which directories were given out.
func (b *builder) open(ctx context.Context, a *archive.Archive) error {
	d := &directories{given: make(map[string]map[string]string), used: make(map[string]bool)}
	b.directories = d
	for _, address := range b.options.Taken {
		b.names.Restore(address)
	}
	for _, space := range []string{folderSpace, writerSpace, tagSpace, pageSpace, searchSpace, kindSpace, mixSpace, originSpace} {
		given, err := a.Directories(ctx, space)
		if err != nil {
			return err
		}
		d.given[space] = given
		for name, dir := range given {
			if !site.IsDirectory(dir) {
				delete(given, name) // somebody edited the archive
				continue
			}
			d.names.Restore(dir)
			if space == folderSpace && site.Reserved(b.site.Words, dir) {
				delete(given, name) // it was given in another language
			}
		}
	}
	return nil
}

func (d *directories) give(space, name string, propose func() string) string {
	if dir, ok := d.given[space][name]; ok && !d.used[dir] {
		d.used[dir] = true
		return dir
	}
	delete(d.given[space], name) // another list has it: somebody edited the archive
	dir := d.names.Claim(propose(), name)
	d.used[dir] = true
	d.keep(space, name, dir)
	return dir
}

// keep notes a directory for good, unless one is noted.
func (d *directories) keep(space, name, dir string) {
	if _, ok := d.given[space][name]; !ok {
		d.given[space][name] = dir
		d.fresh = append(d.fresh, directory{space, name, dir})
	}
}

// sortLists puts folders, writers, tags, and pages in the order in which they
// are shown, which is also that in which they claim addresses.
func (b *builder) sortLists() {
	sorter := newSorter(b.site.Language)
	b.sortFolders(sorter, b.site.Root)
	for _, w := range b.people.all() {
		if w.Items.Len() > 0 || w.Row != 0 {
			b.site.Writers = append(b.site.Writers, w)
		}
	}
	sortByTitle(sorter, b.site.Writers, func(w *site.Writer) (string, string) { return w.Title, w.ID })
	for _, t := range b.tags {
		if t.spell(); t.Items.Len() > 0 { // no item where all were left out
			b.site.Tags = append(b.site.Tags, &t.Tag)
		}
	}
	sortByTitle(sorter, b.site.Tags, func(t *site.Tag) (string, string) { return t.Title, "" })
	slices.SortFunc(b.pages, func(x, y pageRecord) int {
		return cmp.Or(x.record.Published.Compare(y.record.Published), strings.Compare(x.ID, y.ID))
	})
	for _, p := range b.pages {
		b.site.Pages = append(b.site.Pages, p.Page)
	}
}

func (b *builder) sortFolders(sorter *collate.Collator, f *site.Folder) {
	sortByTitle(sorter, f.Folders, func(f *site.Folder) (string, string) { return f.Title, f.Path })
	for _, sub := range f.Folders {
		b.site.Folders = append(b.site.Folders, sub)
		b.sortFolders(sorter, sub)
	}
}

// newSorter returns a collator for alphabetical order in a language.
func newSorter(code string) *collate.Collator {
	return collate.New(language.MustParse(code), collate.Numeric)
}

// sortByTitle sorts alphabetically; what the alphabet does not tell apart is
// sorted by bytes and then by a second key.
func sortByTitle[T any](sorter *collate.Collator, list []T, keys func(T) (title, second string)) {
	slices.SortFunc(list, func(x, y T) int {
		xTitle, xSecond := keys(x)
		yTitle, ySecond := keys(y)
		return cmp.Or(sorter.CompareString(xTitle, yTitle), strings.Compare(xTitle, yTitle), strings.Compare(xSecond, ySecond))
	})
}

// search fills the saved searches.
func (b *builder) search(ctx context.Context, a *archive.Archive) error {
	for _, s := range b.options.Searches {
		if slices.ContainsFunc(b.site.Searches, func(known *site.Search) bool { return known.Query == s.Query }) {
			continue // its directory is named for the query
		}
		rows, err := a.Hits(ctx, s.Query)
		if err != nil {
			return err
		}
		hit := make(map[int64]bool, len(rows))
		for _, row := range rows {
			hit[row] = true
		}
		search := &site.Search{Query: s.Query}
		search.Sort = site.OfSearches
		search.Title = cmp.Or(s.Title, s.Query)
		for item := range b.site.Home.Items.All() {
			if hit[item.Row()] {
				search.Items.Append(item)
			}
		}
		b.site.Searches = append(b.site.Searches, search)
	}
	return nil
}
