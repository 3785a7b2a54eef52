package arrange

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/archive/runstate"
	"ayna/generator/site"
	"ayna/record"
)

// rememberPublished sets what lists of the site keep from before, see restore, and their
// feeds. It adds published lists that have become empty to the site. In the archive, if
// that is writable, it stores which lists are published, with their pages and months, and
// removes excluded ones.
func (b *builder) rememberPublished(ctx context.Context, a *archive.Archive) error {
	known, err := a.State.PublishedLists(ctx)
	if err != nil {
		return err
	}
	var changed []runstate.PublishedList
	for list := range b.site.Lists() {
		if list.Kind == site.OfCorrections {
			continue
		}
		before, published := known[list.Dir]
		if now := b.restore(list, before, published); !published || !reflect.DeepEqual(now, before) {
			changed = append(changed, now)
		}
		delete(known, list.Dir)
	}
	b.findOwnFeeds()
	for _, folder := range b.site.Folders {
		for _, dir := range folder.OldDirs {
			if old := known[dir]; old.Pages+len(old.Months) > 0 {
				folder.OldLists = append(folder.OldLists, site.OldList{Dir: dir, Pages: old.Pages, Months: old.Months})
			}
		}
	}
	emptied := b.emptiedLists(known)
	for _, dir := range slices.Sorted(maps.Keys(emptied)) {
		if kind := emptied[dir]; kind != renamed {
			list := &site.List{Kind: kind, Dir: dir, Title: known[dir].Title, OwnFeeds: b.hadSubFolders[dir]}
			b.restore(list, known[dir], true)
			b.site.Emptied = append(b.site.Emptied, list)
		}
		delete(known, dir)
	}
	if len(changed)+len(known) == 0 || !a.Writable() {
		return nil
	}
	return a.Update(ctx, func(tx *archive.Tx) error {
		for _, list := range changed {
			if err := tx.State.SetPublishedList(list); err != nil {
				return err
			}
		}
		for dir := range known { // only the excluded ones are left in it
			if err := tx.State.RemovePublishedList(dir); err != nil {
				return err
			}
		}
		return nil
	})
}

// Words for the feeds of a published list, as [runstate.PublishedList] explains them. One of
// an earlier version has neither.
const (
	noFeeds   = "none"
	oneFormat = "one"
)

// restore sets what a list keeps from before: pages and months that are empty now, and
// feeds that it would not get as a new list. For a list that was not published before, it
// decides which feeds the list gets. It returns the list as the archive stores it.
func (b *builder) restore(list *site.List, before runstate.PublishedList, published bool) runstate.PublishedList {
	list.Published = max(before.Pages, list.Pages()-1)
	now := runstate.PublishedList{Dir: list.Dir, Title: list.Title, Pages: list.Published}
	if list.Kind == site.OfTags {
		list.AllFormats = published && before.Feeds == ""
		list.NoFeeds = (!published || before.Feeds == noFeeds) && list.Items.Len() < site.MinTagItems
		switch {
		case list.NoFeeds:
			now.Feeds = noFeeds
		case !list.AllFormats:
			now.Feeds = oneFormat
		}
	}
	if !list.HasMonths() && !list.HasYears() {
		return now
	}
	present := make(map[string]bool)
	for _, period := range list.Periods(b.site.Location) {
		present[period.Name] = true
	}
	for _, name := range before.Months {
		if period, ok := site.EmptyPeriod(name); ok && !present[name] {
			list.Emptied = append(list.Emptied, period)
		}
	}
	for _, period := range list.Periods(b.site.Location) {
		now.Months = append(now.Months, period.Name)
	}
	if list.HasYears() {
		return now
	}
	// The list's feed has at least that many entries, or all its items.
	entries := min(site.MinEntries, cmp.Or(b.site.FeedItems, site.MinEntries))
	if list.NoHistory = (!published || before.Feeds == noFeeds) && list.Items.Len() <= entries; list.NoHistory {
		now.Feeds = noFeeds
	}
	return now
}

// findOwnFeeds marks the folders that have or had sub-folders, and fills hadSubFolders.
func (b *builder) findOwnFeeds() {
	given := b.directories.given[folderSpace]
	b.hadSubFolders = make(map[string]bool)
	for key := range given {
		for key, _ = cutLast(key); len(key) > 1; key, _ = cutLast(key) {
			b.hadSubFolders[given[key]] = true
		}
	}
	for _, folder := range b.site.Folders {
		dirs := append([]string{folder.Dir}, folder.OldDirs...)
		folder.OwnFeeds = slices.ContainsFunc(dirs, func(dir string) bool { return b.hadSubFolders[dir] })
	}
}

// renamed is the kind of list of a folder that was renamed: its directory redirects.
const renamed site.ListKind = "renamed"

// emptiedLists returns the known lists that the source emptied or renamed, with their
// kinds, by directory. The configuration excludes the other known lists.
func (b *builder) emptiedLists(known map[string]runstate.PublishedList) map[string]site.ListKind {
	emptied := make(map[string]site.ListKind)
	leftOut := make(map[string]bool) // by directory, which a writer's name and id may share
	for space, kind := range map[string]site.ListKind{
		folderSpace: site.OfFolders, writerSpace: site.OfWriters, tagSpace: site.OfTags, pageSpace: site.OfPages, kindSpace: site.OfKinds,
	} {
		for name, dir := range b.directories.given[space] {
			if _, published := known[dir]; !published {
				continue
			}
			switch {
			case space == folderSpace && b.folders[b.renames.current(name)] != nil:
				emptied[dir] = renamed
			case b.excluded[directoryKey{space, name}],
				space == folderSpace && !b.options.Wants([]string{name}),
				space == kindSpace && !b.options.wantsKind(site.Kind(name)),
				space == pageSpace && !b.options.wantsKind(site.Kind(record.Page)):
				leftOut[dir] = true
			default:
				emptied[dir] = kind
			}
		}
	}
	maps.DeleteFunc(emptied, func(dir string, _ site.ListKind) bool { return leftOut[dir] })
	return emptied
}

// exclude records the lists of an item that the configuration excludes. It ignores
// damaged metadata, because the item is not used.
func (b *builder) exclude(item site.Item) {
	isFirst := func(table, text string) bool {
		known := b.excludedTexts[table+text]
		b.excludedTexts[table+text] = true
		return !known
	}
	var paths, tags []string
	for n := range item.FolderNumbers() {
		if path := b.paths.texts[n]; isFirst(folderSpace, path) {
			paths = append(paths, path)
		}
	}
	for _, n := range item.TagNumbers() {
		if tag := b.spellings.texts[n]; isFirst(tagSpace, tag) {
			tags = append(tags, tag)
		}
	}
	var writers []record.Person
	if _, n := item.Numbers(); isFirst(writerSpace, b.bylines.texts[n]) {
		writers, _ = decode[record.Person](b.bylines.texts[n])
	}
	for _, o := range append(directoryKeys(paths, tags, writers), directoryKey{kindSpace, string(item.Kind())}) {
		b.excluded[o] = true
	}
}

// directoryKeysOf returns the keys of the directories of the lists that an item is in.
func directoryKeysOf(l *archive.Summary) ([]directoryKey, error) {
	paths, err1 := texts(l.Paths)
	tags, err2 := texts(l.Tags)
	writers, err3 := decode[record.Person](l.Writers)
	return directoryKeys(append(paths, l.Path), tags, writers), cmp.Or(err1, err2, err3)
}

func directoryKeys(paths, tags []string, writers []record.Person) (keys []directoryKey) {
	for _, path := range paths {
		for key := folderKey(path); key != "/"; key, _ = cutLast(key) {
			keys = append(keys, directoryKey{folderSpace, key})
		}
	}
	for _, tag := range tags {
		keys = append(keys, directoryKey{tagSpace, nameKey(tag)})
	}
	for _, w := range writers {
		keys = append(keys, directoryKey{writerSpace, cmp.Or(w.ID, byName(w.Name))})
	}
	return keys
}

// Forget removes the directories of a record from the archive: those of its folders,
// tags and writers that no other record has, and its own. It removes these folders from
// the kept orders of the navigation too. versions are its current and earlier versions. The record must still be in the archive, so that an
// interrupted run can be repeated.
func Forget(ctx context.Context, a *archive.Archive, versions []*archive.Record) error {
	if len(versions) == 0 {
		return nil
	}
	stored := versions[0]
	unshared := make(map[directoryKey]bool)
	for _, r := range versions {
		for _, o := range directoryKeys(append(r.Paths, r.Path), r.Tags, r.Writers) {
			unshared[o] = true
		}
		for _, w := range r.Writers { // the id may have been unknown once
			unshared[directoryKey{writerSpace, byName(w.Name)}] = true
		}
		if r.Kind == record.Writer {
			unshared[directoryKey{writerSpace, byName(r.Title)}] = true
		}
	}
	for l, err := range a.Catalog.Summaries(ctx, nil) {
		if err == nil && (l.Kind != stored.Kind || l.ID != stored.ID) {
			var shared []directoryKey
			shared, err = directoryKeysOf(l)
			for _, o := range shared {
				delete(unshared, o)
			}
		}
		if err != nil {
			return fmt.Errorf("find the folders, tags and writers that only %s %s has: %w", stored.Kind, stored.ID, err)
		}
	}
	// Its own directory goes even if other records refer to it by id: the purge of the
	// archive, which follows, removes these references.
	switch stored.Kind {
	case record.Writer:
		unshared[directoryKey{writerSpace, stored.ID}] = true
	case record.Page:
		unshared[directoryKey{pageSpace, stored.ID}] = true
	case record.Article:
		standing, err := a.State.Directories(ctx, standingSpace)
		if err != nil {
			return err
		}
		for name := range standing {
			if strings.HasPrefix(name, standingName(stored.ID)) {
				unshared[directoryKey{standingSpace, name}] = true
			}
		}
	}
	return removeDirectories(ctx, a, unshared)
}

// removeDirectories removes directories, the records of renames from them, and folders
// from the kept orders of the navigation.
func removeDirectories(ctx context.Context, a *archive.Archive, keys map[directoryKey]bool) error {
	folders, err := a.State.Directories(ctx, folderSpace)
	if err != nil {
		return err
	}
	origins, err := a.State.Directories(ctx, originSpace)
	if err != nil {
		return err
	}
	removed := make(map[string]bool)
	for o := range keys {
		if o.space == folderSpace {
			removed[folders[o.name]] = true
		}
	}
	for name, dir := range origins {
		if removed[dir] || keys[directoryKey{folderSpace, name}] {
			keys[directoryKey{originSpace, name}] = true
		}
	}
	orders, err := keptOrders(ctx, a.State)
	if err != nil {
		return err
	}
	return a.Update(ctx, func(tx *archive.Tx) error {
		if err := removeSections(tx, orders, keys); err != nil {
			return err
		}
		for o := range keys {
			if err := tx.State.RemoveDirectory(o.space, o.name); err != nil {
				return err
			}
		}
		return nil
	})
}
