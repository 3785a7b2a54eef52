package arrange

import (
	"context"
	"fmt"

	"ayna/archive"
)

// Forget removes from the archive the directories that were given to names
// which only one record has: of its folders, tags and writers, and its own.
// versions are what the record is and was. It is called before the record
// itself is removed, so that it can be repeated if the run is interrupted.
func Forget(ctx context.Context, a *archive.Archive, versions []*archive.Record) error {
	if len(versions) == 0 {
		return nil
	}
	forgotten := make(map[directory]bool)
	for _, r := range versions {
		for _, name := range directoriesOf(r.Path, r.Tags, r.Writers) {
			forgotten[name] = true
		}
		for _, w := range r.Writers { // of whom no id was known once
			forgotten[directory{space: writerSpace, name: byName(w.Name)}] = true
		}
		if r.Kind == archive.Writer {
			forgotten[directory{space: writerSpace, name: byName(r.Title)}] = true
		}
	}
	if err := keepNamed(ctx, a, forgotten, versions[0]); err != nil {
		return fmt.Errorf("find the names that only %s %s has: %w", versions[0].Kind, versions[0].ID, err)
	}
	// Others name it by id. These mentions are removed too.
	switch r := versions[0]; r.Kind {
	case archive.Writer:
		forgotten[directory{space: writerSpace, name: r.ID}] = true
	case archive.Page:
		forgotten[directory{space: pageSpace, name: r.ID}] = true
	}
	return removeDirectories(ctx, a, forgotten)
}

// keepNamed takes out of names those that a record but the given one has.
func keepNamed(ctx context.Context, a *archive.Archive, names map[directory]bool, but *archive.Record) error {
	var r reader
	for l, err := range a.Light(ctx) {
		if err != nil {
			return err
		}
		if l.Kind == but.Kind && l.ID == but.ID {
			continue
		}
		tags, err := r.list(l.Tags)
		if err != nil {
			return err
		}
		writers, err := persons(l.Writers)
		if err != nil {
			return err
		}
		for _, name := range directoriesOf(l.Path, tags, writers) {
			delete(names, name)
		}
	}
	return nil
}

// removeDirectories removes directories, and from folders the note that they
// took over from one of these.
func removeDirectories(ctx context.Context, a *archive.Archive, names map[directory]bool) error {
	folders, err := a.Directories(ctx, folderSpace)
	if err != nil {
		return err
	}
	origins, err := a.Directories(ctx, originSpace)
	if err != nil {
		return err
	}
	removed := make(map[string]bool)
	for d := range names {
		if d.space == folderSpace {
			removed[folders[d.name]] = true
		}
	}
	for name, dir := range origins {
		if removed[dir] || names[directory{space: folderSpace, name: name}] {
			names[directory{space: originSpace, name: name}] = true
		}
	}
	return a.Update(ctx, func(tx *archive.Tx) error {
		for d := range names {
			if err := tx.RemoveDirectory(d.space, d.name); err != nil {
				return err
			}
		}
		return nil
	})
}
