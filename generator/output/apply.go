package output

import (
	"errors"
	"fmt"
	"slices"

	"ayna/generator/swap"
)

// mostApplied returns how many files may change in a tree of that many files. For more,
// linking all files into a fresh stage costs no more.
func mostApplied(files int) int { return max(100, files/10) }

// differing returns the paths at which the published and the next tree differ, sorted.
func (b *build) differing() []string {
	var paths []string
	for _, files := range [][]file{b.rows.listed, b.rows.added} {
		for _, f := range files {
			if f.next == written || f.was != unpublished && !f.inTree() {
				paths = append(paths, f.path)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// apply publishes the site by changing the previous tree where it differs from the next one. done
// is false, and nothing has happened, if a complete stage must be published instead.
func (b *build) apply() (done bool, err error) {
	delta := b.last
	if delta == nil || b.options.Verify != nil || b.next == b.digest { // Verify checks a complete stage
		return false, nil
	}
	differing := b.differing()
	if len(differing)+len(delta.Changed) > mostApplied(len(b.rows.listed)+len(b.rows.added)) {
		return false, nil
	}
	digest, err := b.target.Digest(swap.Previous)
	if err != nil || digest == "" || digest != delta.Previous.Digest {
		return false, err
	}
	previous, err := b.target.Tree(swap.Previous)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, previous.Close()) }()
	changes, ok, err := delta.ForeignChanges(b.published, previous, b.isOurs)
	if err != nil || !ok {
		return false, err
	}
	foreign := slices.Clone(changes.Move)
	links := b.addChanges(&changes, delta.Changed, differing)
	if !changes.Fits(previous, delta) {
		return false, nil
	}
	if err := b.stageLinks(delta, slices.Concat(links, foreign)); err != nil {
		return false, err
	}
	if err := b.target.Apply(delta, b.next, changes); err != nil {
		return false, err
	}
	delta.Changed = differing
	b.delta = delta
	return true, nil
}

// addChanges adds the changes of the site's files to those of the owner's. before are the paths
// at which the previous tree differs from the published one, now those at which the next one
// does. links are the published files that the previous tree lacks.
func (b *build) addChanges(c *swap.Changes, before, now []string) (links []string) {
	foreign := make(map[string]bool)
	for _, path := range c.Move {
		foreign[path] = true
	}
	paths := slices.Concat(before, now)
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		switch r := b.rows.at(path); {
		case r != nil && r.inTree():
			c.Move = append(c.Move, path)
			if r.next != written {
				links = append(links, path)
			}
		case !foreign[path]: // the owner has put another file there
			c.Remove = append(c.Remove, path)
		}
	}
	c.Move = append(c.Move, manifestName)
	slices.Sort(c.Move)
	return links
}

// stageLinks links published files into the stage. If one must be copied, there is no next delta.
func (b *build) stageLinks(d *swap.Delta, paths []string) error {
	slices.Sort(paths)
	linker := swap.NewLinker(b.published, b.stage)
	defer linker.Close()
	for _, path := range paths {
		if err := linker.Link(path); err != nil {
			return fmt.Errorf("published file %s is missing or cannot be linked; run again: %w", path, err)
		}
	}
	if linker.Copied() {
		d.Published.Dirs = nil
	}
	return nil
}
