package output

import "fmt"

// foreign is a file in a published tree that no build wrote: its owner's. An
// empty directory has no name.
type foreign struct{ dir, name string }

// carry takes over what the site's owner put into the published tree. Where a
// build now wants to have a file, the owner's has gone.
func (b *build) carry() error {
	if b.served == nil {
		return nil
	}
	if err := copyMode(b.served, b.work); err != nil {
		return err
	}
	return carryAll(b.foreign, b.served, b.work)
}

// copyMode gives a tree the mode of another, which its owner may have set.
func copyMode(from, to *folder) error {
	want, err := from.root.Stat(".")
	if err != nil {
		return err
	}
	if have, err := to.root.Stat("."); err != nil || have.Mode() == want.Mode() {
		return err
	}
	return to.root.Chmod(".", want.Mode())
}

func carryAll(files []foreign, served, to *folder) error {
	from, target := newFolders(served, false, 1), newFolders(to, false, 1)
	defer from.close()
	defer target.close()
	for _, f := range files {
		if err := f.carry(from, target); err != nil {
			return fmt.Errorf("%s, which is not the site's, cannot stay beside it; move it away: %w", below(f.dir, f.name), err)
		}
	}
	return nil
}

func (f foreign) carry(from, to *folders) error {
	if err := to.top.root.MkdirAll(f.dir, 0o755); err != nil || f.name == "" {
		return err
	}
	source, err := from.get(f.dir)
	if err != nil {
		return err
	}
	target, err := to.get(f.dir)
	if err != nil {
		return err
	}
	return linkOrCopy(source, f.name, target)
}

// foreignIn lists the files of a tree that are not among those of builds, and
// its empty directories.
func foreignIn(tree *folder, dir string, mine map[id]bool) ([]foreign, error) {
	entries, err := tree.list()
	if err != nil {
		return nil, err
	}
	var found []foreign
	if len(entries) == 0 && dir != "." {
		return []foreign{{dir, ""}}, nil
	}
	for _, e := range entries {
		switch {
		case dir == "." && isOurs(e.name):
		case e.kind == dirKind:
			inner, err := tree.child(e.name)
			if err != nil {
				return nil, err
			}
			more, err := foreignIn(inner, below(dir, e.name), mine)
			inner.close()
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		case !mine[idOf(below(dir, e.name))]:
			found = append(found, foreign{dir, e.name})
		}
	}
	return found, nil
}
