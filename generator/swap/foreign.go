package swap

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
)

// A foreign file is a file in a published tree that no build wrote: it belongs to
// the site's owner. Empty directories are treated alike.

// CopyForeign links the foreign files of the published tree into a tree that has none, or
// copies them where links are not possible. ours reports whether a build wrote or will
// publish the file at a path. dirs are the directories of the published tree for a [Delta], nil
// if there can be none.
func CopyForeign(published, to *os.Root, ours func(path string) bool) (dirs map[string]Stamp, err error) {
	return copyForeign(published, to, ours, nil)
}

// UpdateForeign is [CopyForeign] for a tree that may have foreign files: it repeats what the
// owner has changed since they came there, and removes those that are gone.
func UpdateForeign(published, to *os.Root, ours func(path string) bool) (dirs map[string]Stamp, err error) {
	present, _, err := foreignIn(to, ours)
	if err != nil {
		return nil, err
	}
	if len(present) > 0 {
		openDirs(to, ".")
	}
	return copyForeign(published, to, ours, present)
}

func copyForeign(published, to *os.Root, ours func(path string) bool, present map[string]bool) (dirs map[string]Stamp, err error) {
	wanted, dirs, err := foreignIn(published, ours)
	if err != nil {
		return nil, err
	}
	for file, isDir := range present {
		if _, stays := wanted[file]; stays && same(published, to, file) {
			continue
		}
		if err := removeForeign(to, file, isDir); err != nil {
			return nil, err
		}
		delete(present, file)
	}
	l := NewLinker(published, to)
	defer l.Close()
	for _, file := range slices.Sorted(maps.Keys(wanted)) {
		if _, there := present[file]; there {
			continue
		}
		add := l.Link
		if wanted[file] {
			add = l.open // which makes the directory
		}
		if err := add(file); err != nil && !errors.Is(err, fs.ErrNotExist) { // the owner has removed it since
			return nil, fmt.Errorf("keep %s, which no build wrote, beside the site: %w; move it away", file, err)
		}
	}
	if l.Copied() {
		dirs = nil // what the owner does to a file is not seen in its copy
	}
	return dirs, copyModes(published, to, wanted)
}

// foreignIn returns the paths of the foreign files of a tree; the value is true for an empty
// directory. dirs are all directories, nil if one changes at present.
func foreignIn(tree *os.Root, ours func(path string) bool) (found map[string]bool, dirs map[string]Stamp, err error) {
	found, dirs = make(map[string]bool), make(map[string]Stamp)
	complete := true
	var visit func(dir string) error
	visit = func(dir string) error {
		d, err := tree.Open(dir)
		if errors.Is(err, fs.ErrNotExist) { // the owner has removed it since
			return nil
		}
		if errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("carry a folder in the site: %w; let this user read it, or move it away", err)
		}
		if err != nil {
			return err
		}
		stamp, unknown := stampAt(d, ".")
		complete = complete && unknown == nil && !stamp.isRecent()
		dirs[dir] = stamp
		entries, err := d.ReadDir(-1)
		if err := errors.Join(err, d.Close()); err != nil {
			return err
		}
		if len(entries) == 0 && dir != "." {
			found[dir] = true
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case isReserved(name):
			case e.IsDir():
				if err := visit(name); err != nil {
					return err
				}
			case !ours(name):
				found[name] = false
			}
		}
		return nil
	}
	if err := visit("."); err != nil || !complete {
		return found, nil, err
	}
	return found, dirs, nil
}

// same reports whether two trees have the same foreign file.
func same(one, other *os.Root, file string) bool {
	a, err1 := one.Lstat(file)
	b, err2 := other.Lstat(file)
	switch {
	case err1 != nil || err2 != nil || a.Mode().Type() != b.Mode().Type():
		return false
	case a.IsDir() || os.SameFile(a, b):
		return true
	}
	return a.Mode().IsRegular() && a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) // a copy
}

// removeForeign removes a foreign file and the directories that become empty by it.
func removeForeign(tree *os.Root, file string, isDir bool) error {
	dir := file
	if !isDir {
		if err := tree.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		dir = path.Dir(file)
	}
	for ; dir != "." && tree.Remove(dir) == nil; dir = path.Dir(dir) {
	}
	return nil
}

// copyModes copies the modes of the root, and of the directories of foreign files,
// from the published tree.
func copyModes(published, to *os.Root, files map[string]bool) error {
	dirs := map[string]bool{".": true}
	for file, isDir := range files {
		dir := path.Dir(file)
		if isDir {
			dir = file
		}
		for ; dir != "."; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	for _, dir := range slices.Backward(slices.Sorted(maps.Keys(dirs))) { // a mode may close the directories below
		info, err := published.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) { // the owner has removed it since
			continue
		}
		if err != nil {
			return err
		}
		have, err := to.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && have.Mode() != info.Mode() {
			if err = to.Chmod(dir, info.Mode()); errors.Is(err, fs.ErrPermission) {
				err = to.Chmod(dir, info.Mode().Perm()) // a sandbox may refuse the bits for setuid and setgid
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// openDirs allows this user to change the directories of an old or unfinished tree at and
// below dir, whatever modes they have from the owner. It leaves what belongs to another user.
func openDirs(tree *os.Root, dir string) {
	info, err := tree.Lstat(dir)
	if err != nil || !info.IsDir() { // symbolic links are not followed
		return
	}
	if info.Mode()&0o700 != 0o700 {
		_ = tree.Chmod(dir, info.Mode()|0o700)
	}
	d, err := tree.Open(dir)
	if err != nil {
		return
	}
	entries, _ := d.ReadDir(-1)
	d.Close()
	for _, e := range entries {
		if e.IsDir() {
			openDirs(tree, path.Join(dir, e.Name()))
		}
	}
}
