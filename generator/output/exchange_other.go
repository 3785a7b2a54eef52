//go:build !linux

package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// exchange is not to be had: the names are changed one after the other.
func exchange(_ *os.File, _ string, _ *os.File, _ string) (ok bool, err error) { return false, nil }

// linkIn makes a hard link from a file of one directory to another.
func linkIn(from *folder, name string, to *folder, target string) error {
	return linkOutside(filepath.Join(from.name, name), to, target)
}

// linkOutside does the same for a file anywhere.
func linkOutside(name string, to *folder, target string) error {
	return os.Link(name, filepath.Join(to.name, target))
}

// syncTree brings to disk the files of a tree that are new, and every
// directory.
func syncTree(top *folder, isNew func(path string) bool) error {
	return fs.WalkDir(top.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return syncDirIn(top.root, name)
		case isNew(name):
			return syncFile(top.root, name)
		}
		return nil
	})
}

func syncFile(root *os.Root, name string) error {
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func syncDirIn(root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(f), f.Close())
}

// isMount reports whether a directory is known to be where a file system is
// mounted. Here the exchange finds out.
func isMount(string) bool { return false }
