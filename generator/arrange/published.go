package arrange

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/generator/site"
)

// rememberPublished stores in the archive which lists are published, with their
// pages and months, and adds to the site those that have become empty since. It
// forgets lists that the configuration leaves out.
func (b *builder) rememberPublished(ctx context.Context, a *archive.Archive) error {
	known, err := a.PublishedLists(ctx)
	if err != nil {
		return err
	}
	var changed []archive.PublishedList
	for list := range b.site.Lists() {
		if list.Sort == site.OfCorrections {
			continue
		}
		before, published := known[list.Dir]
		if now := b.restore(list, before); !published || now != before {
			changed = append(changed, now)
		}
		delete(known, list.Dir)
	}
	emptied := b.emptiedLists(known)
	for _, dir := range slices.Sorted(maps.Keys(emptied)) {
		if sort := emptied[dir]; sort != renamed {
			list := &site.List{Sort: sort, Dir: dir, Title: known[dir].Title}
			b.restore(list, known[dir])
			b.site.Emptied = append(b.site.Emptied, list)
		}
		delete(known, dir)
	}
	if len(changed)+len(known) == 0 || !a.Writable() {
		return nil
	}
	return a.Update(ctx, func(tx *archive.Tx) error {
		for _, list := range changed {
			if err := tx.SetPublishedList(list); err != nil {
				return err
			}
		}
		for dir := range known {
			if err := tx.RemovePublishedList(dir); err != nil {
				return err
			}
		}
		return nil
	})
}

// restore gives a list the pages and months that were published before and are
// empty now. It returns what is published from now on.
func (b *builder) restore(list *site.List, before archive.PublishedList) archive.PublishedList {
	list.Published = max(before.Pages, list.Pages()-1)
	now := archive.PublishedList{Dir: list.Dir, Title: list.Title, Pages: list.Published}
	if !list.HasMonths() {
		return now
	}
	present := make(map[string]bool)
	for _, month := range list.Months(b.site.Location) {
		present[month.Name] = true
	}
	for name := range strings.FieldsSeq(before.Months) {
		if month, ok := site.EmptyMonth(name); ok && !present[name] {
			list.Emptied = append(list.Emptied, month)
		}
	}
	var names []string
	for _, month := range list.Months(b.site.Location) {
		names = append(names, month.Name)
	}
	now.Months = strings.Join(names, " ")
	return now
}

// renamed is the sort of a folder that was renamed: its directory redirects.
const renamed site.Sort = "renamed"

// emptiedLists returns the sorts, by directory, of the lists that the source
// emptied or renamed. The other known ones are left out by the configuration.
func (b *builder) emptiedLists(known map[string]archive.PublishedList) map[string]site.Sort {
	emptied := make(map[string]site.Sort)
	leftOut := make(map[string]bool) // by directory, as a writer's name and id may have the same one
	for space, sort := range map[string]site.Sort{
		folderSpace: site.OfFolders, writerSpace: site.OfWriters, tagSpace: site.OfTags, pageSpace: site.OfPages, kindSpace: site.OfKinds,
	} {
		for name, dir := range b.directories.given[space] {
			if _, published := known[dir]; !published {
				continue
			}
			switch {
			case b.withheld[owner{space, name}], //guard:excluded-names
				space == folderSpace && !b.options.Wants(name),
				space == kindSpace && !b.options.wantsKind(site.Kind(name)),
				space == pageSpace && !b.options.wantsKind(site.Kind(archive.Page)):
				leftOut[dir] = true
			case space == folderSpace && b.folders[b.renames.current(name)] != nil:
				emptied[dir] = renamed
			default:
				emptied[dir] = sort
			}
		}
	}
	maps.DeleteFunc(emptied, func(dir string, _ site.Sort) bool { return leftOut[dir] })
	return emptied
}

// withhold records the lists that would have an item which the configuration
// leaves out. It ignores damaged metadata: the item is not used.
func (b *builder) withhold(l *archive.Summary) {
	owners, _ := ownersOf(l)
	for _, o := range append(owners, owner{kindSpace, string(l.Kind)}) {
		if !b.withheld[o] {
			b.withheld[owner{o.space, strings.Clone(o.name)}] = true
		}
	}
}

// ownersOf returns the owners of the directories of the lists that an item is in.
func ownersOf(l *archive.Summary) ([]owner, error) {
	tags, err1 := texts(l.Tags)
	writers, err2 := decode[archive.Person](l.Writers)
	return owners(l.Path, tags, writers), cmp.Or(err1, err2)
}

func owners(path string, tags []string, writers []archive.Person) (owners []owner) {
	for key := folderKey(path); key != "/"; key, _ = cutLast(key) {
		owners = append(owners, owner{folderSpace, key})
	}
	for _, tag := range tags {
		owners = append(owners, owner{tagSpace, nameKey(tag)})
	}
	for _, w := range writers {
		owners = append(owners, owner{writerSpace, cmp.Or(w.ID, byName(w.Name))})
	}
	return owners
}

// Forget removes from the archive the directories of a record that no other
// record shares: of its folders, tags and writers, and its own. versions are its
// current and earlier versions. The record must still be in the archive, so that
// an interrupted run can be repeated.
func Forget(ctx context.Context, a *archive.Archive, versions []*archive.Record) error {
	if len(versions) == 0 {
		return nil
	}
	record := versions[0]
	unshared := make(map[owner]bool)
	for _, r := range versions {
		for _, o := range owners(r.Path, r.Tags, r.Writers) {
			unshared[o] = true
		}
		for _, w := range r.Writers { // the id may have been unknown once
			unshared[owner{writerSpace, byName(w.Name)}] = true
		}
		if r.Kind == archive.Writer {
			unshared[owner{writerSpace, byName(r.Title)}] = true
		}
	}
	for l, err := range a.Summaries(ctx) {
		if err == nil && (l.Kind != record.Kind || l.ID != record.ID) {
			var shared []owner
			shared, err = ownersOf(l)
			for _, o := range shared {
				delete(unshared, o)
			}
		}
		if err != nil {
			return fmt.Errorf("find the names that only %s %s has: %w", record.Kind, record.ID, err)
		}
	}
	// Others may refer to it by id. These mentions are removed too.
	switch record.Kind {
	case archive.Writer:
		unshared[owner{writerSpace, record.ID}] = true
	case archive.Page:
		unshared[owner{pageSpace, record.ID}] = true
	}
	return removeDirectories(ctx, a, unshared) //guard:forgotten-names
}

// removeDirectories also removes the records of folders that took over from a
// removed directory.
func removeDirectories(ctx context.Context, a *archive.Archive, owners map[owner]bool) error {
	folders, err := a.Directories(ctx, folderSpace)
	if err != nil {
		return err
	}
	origins, err := a.Directories(ctx, originSpace)
	if err != nil {
		return err
	}
	removed := make(map[string]bool)
	for o := range owners {
		if o.space == folderSpace {
			removed[folders[o.name]] = true
		}
	}
	for name, dir := range origins {
		if removed[dir] || owners[owner{folderSpace, name}] {
			owners[owner{originSpace, name}] = true
		}
	}
	return a.Update(ctx, func(tx *archive.Tx) error {
		for o := range owners {
			if err := tx.RemoveDirectory(o.space, o.name); err != nil {
				return err
			}
		}
		return nil
	})
}
