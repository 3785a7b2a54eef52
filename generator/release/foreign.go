package release

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// foreign is a file in a published tree that no build wrote: it belongs to the
// owner. An empty directory has no name.
type foreign struct{ dir, name string }

func (f foreign) path() string { return path.Join(f.dir, f.name) }

// Foreign carries the owner's files of the published tree over into another
// tree.
type Foreign struct {
	from, to *Dir
	ours     func(path string) bool
	carried  map[foreign]bool
}

// NewForeign returns a carrier between two trees. ours reports whether a path
// is that of a file which a build wrote or will publish.
func NewForeign(from, to *Dir, ours func(path string) bool) *Foreign {
	return &Foreign{from: from, to: to, ours: ours, carried: make(map[foreign]bool)}
}

// Replace is Carry for a tree that has foreign files of an earlier time: those
// that the published tree does not have any more go.
func (c *Foreign) Replace() error {
	old, err := c.find(c.to)
	if err != nil {
		return err
	}
	for _, f := range old {
		c.carried[f] = true
	}
	_, err = c.Carry()
	return err
}

// Carry makes the target have the foreign files that the published tree has
// now. Called again, it repeats what the owner did since the last call: between
// the two, minutes may pass. changed reports whether it changed the target.
func (c *Foreign) Carry() (changed bool, err error) {
	if err := copyMode(c.from.Root, c.to.Root, ".", 0); err != nil {
		return false, err
	}
	now, err := c.find(c.from)
	if err != nil {
		return false, err
	}
	gone := c.carried
	c.carried = make(map[foreign]bool)
	var added []foreign
	for _, f := range now {
		c.carried[f] = true
		if gone[f] && f.same(c.from.Root, c.to.Root) {
			delete(gone, f)
		} else {
			added = append(added, f)
		}
	}
	for f := range gone {
		if err := f.remove(c.to.Root); err != nil {
			return false, err
		}
	}
	return len(gone)+len(added) > 0, c.carry(added)
}

func (c *Foreign) carry(files []foreign) error {
	from, to := NewDirs(c.from, 1), NewDirs(c.to, 1)
	defer from.Close()
	defer to.Close()
	dirs := make(map[string]bool)
	for _, f := range files {
		err := f.carry(from, to)
		if errors.Is(err, fs.ErrNotExist) { // the owner has removed it since
			continue
		}
		if err != nil {
			return fmt.Errorf("%s, which no build wrote, cannot stay beside the site; move it away: %w", f.path(), err)
		}
		for dir := f.dir; dir != "." && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	for dir := range dirs {
		if err := copyMode(c.from.Root, c.to.Root, dir, 0o700); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (f foreign) carry(from, to *Dirs) error {
	if err := to.top.MkdirAll(f.dir, 0o755); err != nil || f.name == "" {
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
	return target.LinkOrCopy(source, f.name)
}

// copyMode gives a directory of a tree the mode that its owner may have set in
// another tree, and at least the bits of least.
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

// same reports whether two trees have the same foreign file.
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

// remove removes a foreign file and the directories that are empty without it:
// builds leave no empty directories.
func (f foreign) remove(tree *os.Root) error {
	if f.name != "" {
		if err := tree.Remove(f.path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for dir := f.dir; dir != "." && tree.Remove(dir) == nil; dir = path.Dir(dir) {
	}
	return nil
}

// find lists the foreign files of a tree.
func (c *Foreign) find(tree *Dir) ([]foreign, error) {
	var found []foreign
	var visit func(d *Dir, dir string) error
	visit = func(d *Dir, dir string) error {
		entries, err := d.list()
		if err != nil {
			return err
		}
		if len(entries) == 0 && dir != "." {
			found = append(found, foreign{dir, ""})
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case dir == "." && IsReserved(e.Name()):
			case e.IsDir():
				inner, err := d.Child(e.Name())
				if errors.Is(err, fs.ErrNotExist) { // the owner has removed it since
					continue
				}
				if err != nil {
					return err
				}
				err = visit(inner, name)
				inner.Close()
				if err != nil {
					return err
				}
			case !c.ours(name):
				found = append(found, foreign{dir, e.Name()})
			}
		}
		return nil
	}
	return found, visit(tree, ".")
}
