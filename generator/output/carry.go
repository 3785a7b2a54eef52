package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// foreign is a file in a published tree that no build wrote: its owner's. An
// empty directory has no name.
type foreign struct{ dir, name string }

func (f foreign) path() string {
	if f.name == "" {
		return f.dir
	}
	return below(f.dir, f.name)
}

// carry takes over what the site's owner put into the published tree. Where a
// build now wants to have a file, the owner's has gone.
func (b *build) carry() error {
	if b.served == nil {
		return nil
	}
	if err := copyMode(b.served.root, b.work.root, ".", 0); err != nil {
		return err
	}
	return carryAll(b.foreign, b.served, b.work)
}

// carryLate takes over what the owner has done to the published tree since it
// was gone through: until a new one has been looked at, that may be minutes.
func (b *build) carryLate() error {
	if b.served == nil {
		return nil
	}
	now, err := foreignIn(b.served, func(i id) bool { return !b.table.find(i).isStranger() })
	if err != nil {
		return err
	}
	gone, come := make(map[foreign]bool), []foreign(nil)
	for _, f := range b.foreign {
		gone[f] = true
	}
	for _, f := range now {
		if gone[f] && f.same(b.served.root, b.work.root) {
			delete(gone, f)
		} else {
			come = append(come, f)
		}
	}
	if len(gone)+len(come) == 0 {
		return nil
	}
	for f := range gone {
		if err := f.remove(b.work.root); err != nil {
			return err
		}
	}
	if err := carryAll(come, b.served, b.work); err != nil {
		return err
	}
	return syncTree(b.work, b.isNew)
}

// carryAll gives a tree the owner's files of the published one, in folders of
// the same modes.
func carryAll(files []foreign, served, to *folder) error {
	from, target := newFolders(served, false, 1), newFolders(to, false, 1)
	defer from.close()
	defer target.close()
	dirs := make(map[string]bool)
	for _, f := range files {
		err := f.carry(from, target)
		if errors.Is(err, fs.ErrNotExist) { // the owner has removed it since
			continue
		}
		if err != nil {
			return fmt.Errorf("%s, which is not the site's, cannot stay beside it; move it away: %w", below(f.dir, f.name), err)
		}
		for dir := f.dir; dir != "." && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	for dir := range dirs {
		if err := copyMode(served.root, to.root, dir, 0o700); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
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

// copyMode gives a directory of a tree the mode that its owner may have set in
// another one, and at least those bits.
func copyMode(from, to *os.Root, dir string, least fs.FileMode) error {
	info, err := from.Stat(dir)
	if err != nil {
		return err
	}
	want := info.Mode() | least
	if have, err := to.Stat(dir); err != nil || have.Mode() == want {
		return err
	}
	return to.Chmod(dir, want)
}

// same reports whether two trees have the same of the owner's under one name.
func (f foreign) same(one, other *os.Root) bool {
	a, err1 := one.Lstat(f.path())
	b, err2 := other.Lstat(f.path())
	switch {
	case err1 != nil || err2 != nil:
		return false
	case f.name == "":
		return a.Mode() == b.Mode()
	}
	copied := a.Mode().IsRegular() && a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
	return copied || os.SameFile(a, b)
}

// remove removes a file of the owner's, and the directories that are empty
// without it: in a tree of ours there are no others.
func (f foreign) remove(tree *os.Root) error {
	if f.name != "" {
		if err := tree.Remove(f.path()); err != nil {
			return err
		}
	}
	for dir := f.dir; dir != "." && tree.Remove(dir) == nil; dir = path.Dir(dir) {
	}
	return nil
}

// foreignIn lists the files of a tree that are not among those of builds, and
// its empty directories.
func foreignIn(tree *folder, mine func(id) bool) ([]foreign, error) {
	top, err := tree.view()
	if err != nil {
		return nil, err
	}
	defer top.close()
	s := seeking{mine: mine}
	err = s.in(top, ".")
	return s.found, err
}

// seeking is one run of foreignIn.
type seeking struct {
	mine  func(id) bool
	found []foreign
}

func (s *seeking) in(v *view, dir string) error {
	entries, err := v.list()
	if err != nil {
		return err
	}
	if len(entries) == 0 && dir != "." {
		s.found = append(s.found, foreign{dir, ""})
	}
	for _, e := range entries {
		switch {
		case dir == "." && isOurs(e.name):
		case e.kind == dirKind:
			inner, err := v.child(e.name)
			if errors.Is(err, fs.ErrNotExist) { // the owner has removed it since
				continue
			}
			if err != nil {
				return err
			}
			err = s.in(inner, below(dir, e.name))
			inner.close()
			if err != nil {
				return err
			}
		case !s.mine(idOf(below(dir, e.name))):
			s.found = append(s.found, foreign{dir, e.name})
		}
	}
	return nil
}
