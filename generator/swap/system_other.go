//go:build !linux

package swap

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// exchange reports that atomic swaps are not supported: the caller renames in two
// steps.
func exchange(*os.Root, string, *os.Root, string) (ok bool, err error) { return false, nil }

// createBelow reports that these systems have no such call.
func createBelow(*os.File, string) (*os.File, error) { return nil, errors.ErrUnsupported }

// link makes a hard link in a directory to a file in another one, or to any file if
// from is nil.
func link(from *os.File, file string, to *os.File, name string) error {
	if from != nil {
		file = filepath.Join(from.Name(), file)
	}
	return os.Link(file, filepath.Join(to.Name(), name))
}

// rename moves a file from one directory to another one, under the same name.
func rename(from, to *os.File, name string) error {
	return os.Rename(filepath.Join(from.Name(), name), filepath.Join(to.Name(), name))
}

// stampAt and setTime report that there is no delta on these systems.
func stampAt(*os.File, string) (Stamp, error)   { return Stamp{}, errors.ErrUnsupported }
func setTime(*os.File, string, time.Time) error { return errors.ErrUnsupported }

// What access asks for on Linux.
const readable, writable = 0, 0

// access reports no error: these systems have no call that all of them share.
func access(string, uint32) error { return nil }

// SyncTree syncs the files and directories of a tree to disk.
func SyncTree(tree *os.Root) error {
	return fs.WalkDir(tree.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() && !e.Type().IsRegular() || e.IsDir() && runtime.GOOS == "windows" {
			return err
		}
		f, err := tree.Open(name)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// isMount reports false: on these systems, renaming a mount point fails.
func isMount(string) bool { return false }

// FreeSpace reports no limit: each of these systems has a call of its own.
func FreeSpace(string) (bytes, files uint64, err error) {
	return math.MaxUint64, math.MaxUint64, nil
}
