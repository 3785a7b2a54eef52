package arrange

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/generator/site"
)

// remember keeps in the archive which lists are published, with their pages and
// volumes, and gives back to the site what has become empty since. What the
// configuration takes out is forgotten.
func (b *builder) remember(ctx context.Context, a *archive.Archive) error {
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
		now := b.restore(list, before)
		if !published || now != before {
			changed = append(changed, now)
		}
		delete(known, list.Dir)
	}
	places := b.emptied(known)
	for _, dir := range slices.Sorted(maps.Keys(places)) {
		if places[dir] != renamed {
			list := &site.List{Sort: places[dir], Dir: dir, Title: known[dir].Title}
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

// restore gives a list the pages and volumes that were published before and are
// empty now. It returns what is published of it from now on.
func (b *builder) restore(list *site.List, before archive.PublishedList) archive.PublishedList {
	list.Published = max(before.Pages, list.Pages()-1)
	now := archive.PublishedList{Dir: list.Dir, Title: list.Title, Pages: list.Published}
	if !list.HasVolumes() {
		return now
	}
	volumes := list.Volumes(b.site.Location)
	present := make(map[string]bool, len(volumes))
	for _, v := range volumes {
		present[v.Name] = true
	}
	for name := range strings.FieldsSeq(before.Volumes) {
		if v, ok := site.EmptyVolume(name); ok && !present[name] {
			list.Emptied = append(list.Emptied, v)
		}
	}
	var names []string
	for _, v := range list.Volumes(b.site.Location) {
		names = append(names, v.Name)
	}
	now.Volumes = strings.Join(names, " ")
	return now
}

// renamed stands for the sort of a folder that another one took over from: its
// directory leads there.
const renamed site.Sort = "renamed"

// emptied returns which of the lists that are not on the site any more stay as
// empty ones, and their sorts, by directory: those that the source emptied.
func (b *builder) emptied(known map[string]archive.PublishedList) map[string]site.Sort {
	places := make(map[string]site.Sort)
	leftOut := make(map[string]bool) // by directory, which a writer's name and id may share
	for space, sort := range emptiable {
		for name, dir := range b.directories.given[space] {
			if _, published := known[dir]; !published {
				continue
			}
			switch {
			case b.withheld[space][name],
				space == folderSpace && !b.options.Wants(name),
				space == kindSpace && !b.options.wantsKind(site.Kind(name)),
				space == pageSpace && !b.options.wantsKind(site.Kind(archive.Page)):
				leftOut[dir] = true
			case space == folderSpace && b.folders[b.succession.heir(name)] != nil:
				places[dir] = renamed
			default:
				places[dir] = sort
			}
		}
	}
	maps.DeleteFunc(places, func(dir string, _ site.Sort) bool { return leftOut[dir] })
	return places
}

// emptiable are the sorts of lists that the source may empty, by their spaces.
var emptiable = map[string]site.Sort{
	folderSpace: site.OfFolders, writerSpace: site.OfWriters, tagSpace: site.OfTags, pageSpace: site.OfPages, kindSpace: site.OfKinds,
}

// withhold notes the names of lists that an item would be in which the
// configuration leaves out. Damaged metadata is the concern of those it takes in.
func (b *builder) withhold(l *archive.Light) {
	add := func(space, name string) {
		if b.withheld[space] == nil {
			b.withheld[space] = make(map[string]bool)
		}
		if !b.withheld[space][name] {
			b.withheld[space][strings.Clone(name)] = true
		}
	}
	tags, _ := b.reader.list(l.Tags)
	writers, _ := persons(l.Writers)
	add(kindSpace, string(l.Kind))
	for _, d := range directoriesOf(l.Path, tags, writers) {
		add(d.space, d.name)
	}
}

// directoriesOf returns the spaces and names under which the lists that a record
// is in are given directories.
func directoriesOf(path string, tags []string, writers []archive.Person) (names []directory) {
	for key := folderKey(path); key != "/"; key, _ = cutLast(key) {
		names = append(names, directory{space: folderSpace, name: key})
	}
	for _, tag := range tags {
		names = append(names, directory{space: tagSpace, name: nameKey(tag)})
	}
	for _, w := range writers {
		names = append(names, directory{space: writerSpace, name: cmp.Or(w.ID, byName(w.Name))})
	}
	return names
}
