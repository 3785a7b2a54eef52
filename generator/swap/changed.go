package swap

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
)

// Unchanged returns the directories of the published tree in which nothing has come, gone or been
// replaced since the delta was made; none if d is nil.
func (d *Delta) Unchanged(published *os.Root) (map[string]bool, error) {
	if d == nil {
		return nil, nil
	}
	dirs := make(map[string]bool, len(d.Published.Dirs))
	err := eachStamp(published, slices.Collect(maps.Keys(d.Published.Dirs)), func(dir string, now Stamp, err error) bool {
		dirs[dir] = err == nil && now == d.Published.Dirs[dir]
		return true
	})
	return dirs, err
}

// ForeignChanges returns what the owner has changed in the published tree since a delta was made.
// It reads only directories that have changed, and updates their stamps in the delta. ok is
// false if the previous tree has changed too, or directories have come, gone, or got other modes.
// The caller links the files to move into the stage.
func (d *Delta) ForeignChanges(published, previous *os.Root, ours func(path string) bool) (c Changes, ok bool, err error) {
	ok = true
	err = eachStamp(previous, slices.Collect(maps.Keys(d.Previous.Dirs)), func(dir string, now Stamp, err error) bool {
		ok = err == nil && now == d.Previous.Dirs[dir]
		return ok
	})
	if err != nil || !ok {
		return c, false, err
	}
	var changed []string
	err = eachStamp(published, slices.Sorted(maps.Keys(d.Published.Dirs)), func(dir string, now Stamp, err error) bool {
		was := d.Published.Dirs[dir]
		if now != was {
			changed = append(changed, dir)
			d.Published.Dirs[dir] = now
		}
		ok = err == nil && now.Inode == was.Inode && now.Mode == was.Mode
		return ok
	})
	if err != nil {
		return c, false, err
	}
	for _, dir := range changed {
		ok = ok && d.compare(published, previous, dir, ours, &c)
	}
	isRecent := func(dir string) bool { return d.Published.Dirs[dir].isRecent() }
	if slices.ContainsFunc(changed, isRecent) {
		d.Published.Dirs = nil // so there is no next delta
	}
	return c, ok, nil
}

// compare adds the changes in one directory. ok is false if it cannot be read, or holds a new one.
func (d *Delta) compare(published, previous *os.Root, dir string, ours func(path string) bool, c *Changes) (ok bool) {
	now, err := fs.ReadDir(published.FS(), dir)
	if err != nil {
		return false
	}
	here := make(map[string]bool)
	for _, e := range now {
		name := path.Join(dir, e.Name())
		here[name] = true
		switch {
		case isReserved(name):
		case e.IsDir():
			if _, known := d.Published.Dirs[name]; !known {
				return false
			}
		case !ours(name) && !isLinked(published, previous, name):
			c.Move = append(c.Move, name)
		}
	}
	if len(now) == 0 {
		c.Keep = append(c.Keep, dir)
	}
	was, err := fs.ReadDir(previous.FS(), dir)
	for _, e := range was {
		name := path.Join(dir, e.Name())
		if !e.IsDir() && !here[name] && !isReserved(name) && !ours(name) {
			c.Remove = append(c.Remove, name)
		}
	}
	return err == nil || errors.Is(err, fs.ErrNotExist)
}

// isLinked reports whether two trees share a file.
func isLinked(one, other *os.Root, file string) bool {
	a, err1 := one.Lstat(file)
	b, err2 := other.Lstat(file)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}
