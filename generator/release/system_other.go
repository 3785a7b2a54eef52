//go:build !linux

package release

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// exchange is not available: the caller renames in two steps.
func exchange(_ *os.File, _ string, _ *os.File, _ string) (ok bool, err error) { return false, nil }

// Link makes a hard link in the directory to a file of another one, under the
// same name.
func (d *Dir) Link(from *Dir, name string) error {
	return d.LinkOutside(filepath.Join(from.name, name), name)
}

// LinkOutside makes a hard link in the directory to a file anywhere.
func (d *Dir) LinkOutside(file, name string) error { return os.Link(file, filepath.Join(d.name, name)) }

// SyncTree writes the new files of a tree and all its directories to disk.
func SyncTree(top *Dir, isNew func(path string) bool) error {
	return fs.WalkDir(top.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() && !isNew(name) {
			return err
		}
		if e.IsDir() {
			dir, err := top.Open(name)
			if err != nil {
				return err
			}
			return errors.Join(syncDir(dir), dir.Close())
		}
		f, err := top.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// isMount reports whether a file system is known to be mounted at a directory.
// Here the renaming finds out.
func isMount(string) bool { return false }
