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

// The name spaces of directories in the archive.
const (
	folderSpace   = "folder"
	writerSpace   = "writer"
	tagSpace      = "tag"
	pageSpace     = "page"
	searchSpace   = "search"
	kindSpace     = "kind"
	mixSpace      = "mix"
	standingSpace = "standing"
	sectionsSpace = "sections" // one directory, of the page of all folders
	originSpace   = "origin"   // by new folder: the directory of the folder that was renamed to it
)

// directoryKey identifies the list or folder that a directory belongs to.
type directoryKey struct{ space, name string }

// address assigns directories to lists and addresses to items. Those in the archive
// stay; no address is used twice.
func (b *builder) address(ctx context.Context, a *archive.Archive) error {
	b.sortLists()
	b.addressFolders(b.site.Root)
	b.addressStanding()
	b.addressWriters()
	w := b.site.Words
	for _, tag := range b.site.Tags {
		tag.Dir = b.listDirectory(tagSpace, nameKey(tag.Title), w.TagsDir, tag.Title, "")
	}
	for _, page := range b.site.Pages {
		page.Dir = b.listDirectory(pageSpace, page.ID, w.PagesDir, page.Title, page.ID)
	}
	for _, search := range b.site.Searches {
		search.Dir = b.listDirectory(searchSpace, search.Query, w.SearchDir, search.Title, "")
	}
	for _, kind := range b.site.Kinds {
		kind.Dir = b.listDirectory(kindSpace, string(kind.ItemKind), w.KindsDir, w.KindDirs[kind.ItemKind], "")
	}
	for _, mix := range b.site.Mixes {
		mix.Dir = b.listDirectory(mixSpace, mix.Title, w.CustomListsDir, mix.Title, "")
	}
	b.site.Corrections.Dir = w.CorrectionsDir
	// The last, so that no folder gives way to it.
	b.site.SectionsDir = b.directories.assign(directoryKey{sectionsSpace, ""}, func() string { return w.SectionsDir })
	b.redirectRenamed()
	if err := b.addressItems(ctx, a); err != nil {
		return err
	}
	b.findFormer()
	return nil
}

// listDirectory returns the directory of a list.
func (b *builder) listDirectory(space, name, parent, title, id string) string {
	return b.directories.assign(directoryKey{space, name}, func() string { return site.ListDir(parent, title, id, b.site.Language) })
}

// addressFolders assigns directories to the folders below a folder. Folders whose
// name is a valid directory name come first, so that no other takes it.
func (b *builder) addressFolders(above *site.Folder) {
	for _, plain := range []bool{true, false} {
		for _, f := range above.Folders {
			_, segment := cutLast(f.Path)
			dir := site.FolderDir(b.site.Words, above.Dir, segment, b.site.Language)
			if (path.Base(dir) == segment) == plain {
				f.Dir = b.directories.assign(directoryKey{folderSpace, f.Path}, func() string { return dir })
			}
		}
	}
	for _, f := range above.Folders {
		b.addressFolders(f)
	}
}

// addressWriters assigns directories to writers. A writer who was known by name only
// keeps the directory when a record adds the id.
func (b *builder) addressWriters() {
	d := b.directories
	given := d.given[writerSpace]
	taken := make(map[string]bool)
	for _, hasID := range []bool{true, false} {
		for _, writer := range b.site.Writers {
			if (writer.ID != "") != hasID {
				continue
			}
			nameOnly := byName(writer.Title)
			name := cmp.Or(writer.ID, nameOnly)
			if taken[given[name]] {
				delete(given, name)
			}
			before := given[nameOnly]
			if before != "" && given[name] == "" && !taken[before] && b.people.byName[nameKey(writer.Title)] == writer {
				d.keep(directoryKey{writerSpace, name}, before)
			}
			writer.Dir = b.listDirectory(writerSpace, name, b.site.Words.WritersDir, writer.Title, writer.ID)
			taken[writer.Dir] = true
		}
	}
}

// byName returns the name in writerSpace of a writer without a known id.
func byName(name string) string { return "name:" + nameKey(name) }

// addressItems assigns addresses to items, oldest first: the older of two items with
// the same slug and id gets the plain address.
func (b *builder) addressItems(ctx context.Context, a *archive.Archive) error {
	if b.sharedAddress {
		b.separate()
	}
	var unaddressed site.Items
	for item := range b.site.Home.Items.Backward() {
		if item.Address() == "" || b.inherited[item.Row()] {
			unaddressed.Append(item)
		}
	}
	for _, page := range b.site.Standing {
		if b.asArticle[page.Row()] == "" && b.standing[page.Row()].record.Address != page.Index() {
			unaddressed.Append(page.Item)
		}
	}
	for chunk := range unaddressed.Chunks(1000) {
		if err := b.nameItems(ctx, a.Catalog, chunk); err != nil {
			return err
		}
	}
	d := b.directories
	if unaddressed.Len() == 0 && len(d.fresh) == 0 || !a.Writable() { // a command that only reads, such as pack
		return nil
	}
	return a.Update(ctx, func(tx *archive.Tx) error {
		for item := range unaddressed.All() {
			if err := tx.SetAddress(item.Row(), item.Address()); err != nil {
				return err
			}
		}
		for _, o := range d.fresh {
			if err := tx.State.SetDirectory(o.space, o.name, d.given[o.space][o.name]); err != nil {
				return err
			}
		}
		return nil
	})
}

// separate removes a shared address from all items but the oldest; records that were
// duplicates of each other may share one. It removes addresses of the owner's own
// pages from all items.
func (b *builder) separate() {
	var kept site.Names
	for _, address := range b.options.Taken {
		kept.Take(address)
	}
	for item := range b.site.Home.Items.Backward() {
		if address := item.Address(); address != "" && !kept.Take(address) {
			b.site.SetAddress(item, "")
		}
	}
}

// nameItems makes addresses of items from their titles, and reserves them.
func (b *builder) nameItems(ctx context.Context, catalog archive.Catalog, items site.Items) error {
	rows := make([]int64, 0, items.Len())
	for item := range items.All() {
		rows = append(rows, item.Row())
	}
	teasers, err := catalog.Teasers(ctx, rows, false)
	if err != nil {
		return err
	}
	titles := make(map[int64]string, len(teasers))
	for _, t := range teasers {
		titles[t.Row] = t.Title
	}
	for item := range items.All() {
		if item.Address() == "" { // else the item has that of its duplicate
			wanted := site.ItemAddress(item.Folder(), titles[item.Row()], item.ID(), b.site.Language)
			b.site.SetAddress(item, b.names.Claim(wanted, subject(item)))
		}
	}
	return nil
}

// directories assigns directories, and records the new ones.
type directories struct {
	given map[string]map[string]string // by space and name
	names site.Names
	used  map[string]bool // by a list of this site
	fresh []directoryKey  // assigned in this build
}

// openDirectories reads the directories that earlier builds assigned.
func (b *builder) openDirectories(ctx context.Context, a *archive.Archive) error {
	d := &directories{given: make(map[string]map[string]string), used: make(map[string]bool)}
	b.directories = d
	for _, address := range b.options.Taken {
		b.names.Take(address)
	}
	for _, space := range []string{folderSpace, writerSpace, tagSpace, pageSpace, searchSpace, kindSpace, mixSpace, standingSpace, sectionsSpace, originSpace} {
		given, err := a.State.Directories(ctx, space)
		if err != nil {
			return err
		}
		d.given[space] = given
		for name, dir := range given {
			if !site.IsDirectory(dir) {
				delete(given, name) // somebody edited the archive
				continue
			}
			d.names.Take(dir)
			if (space == folderSpace || space == standingSpace) && site.Reserved(b.site.Words, dir) {
				delete(given, name) // given in another language
			}
		}
	}
	return nil
}

func (d *directories) assign(o directoryKey, propose func() string) string {
	dir, ok := d.given[o.space][o.name]
	if !ok || d.used[dir] { // if it is used, somebody edited the archive
		delete(d.given[o.space], o.name)
		dir = d.names.Claim(propose(), o.name)
		d.keep(o, dir)
	}
	d.used[dir] = true
	return dir
}

// keep records a directory, unless the key has one.
func (d *directories) keep(o directoryKey, dir string) {
	if _, ok := d.given[o.space][o.name]; !ok {
		d.given[o.space][o.name] = dir
		d.fresh = append(d.fresh, o)
	}
}

// sortLists sorts folders, writers, tags and pages as they are shown. Addresses are
// assigned in the same order.
func (b *builder) sortLists() {
	sorter := collate.New(language.MustParse(b.site.Language), collate.Numeric)
	b.sortFolders(sorter, b.site.Root)
	b.plantStanding(sorter)
	for _, w := range b.people.all {
		if w.Items.Len() > 0 || w.Row != 0 {
			b.site.Writers = append(b.site.Writers, w)
		}
	}
	sortByTitle(sorter, b.site.Writers, func(w *site.Writer) (string, string) { return w.Title, w.ID })
	for _, t := range b.tags {
		if t.setTitle(); t.Items.Len() > 0 { // else all its items were left out
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

// sortByTitle sorts alphabetically, then by bytes, then by a second key.
func sortByTitle[T any](sorter *collate.Collator, list []T, keys func(T) (title, second string)) {
	slices.SortFunc(list, func(x, y T) int {
		xTitle, xSecond := keys(x)
		yTitle, ySecond := keys(y)
		return cmp.Or(sorter.CompareString(xTitle, yTitle), strings.Compare(xTitle, yTitle), strings.Compare(xSecond, ySecond))
	})
}
