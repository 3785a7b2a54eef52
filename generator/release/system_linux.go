package release

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two directories in one step (renameat2(2),
// RENAME_EXCHANGE): at any moment each name has one of them. ok is false where
// the file system cannot do that.
func exchange(a *os.File, nameA string, b *os.File, nameB string) (ok bool, err error) {
	err = unix.Renameat2(int(a.Fd()), nameA, int(b.Fd()), nameB, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return false, nil
	}
	if err != nil {
		return false, &os.LinkError{Op: "exchange", Old: nameA, New: nameB, Err: err}
	}
	return true, nil
}

// Link makes a hard link in the directory to a file of another one, under the
// same name.
func (d *Dir) Link(from *Dir, name string) error {
	source, err := from.self()
	if err != nil {
		return err
	}
	return d.linkAt(int(source.Fd()), name, name)
}

// LinkOutside makes a hard link in the directory to a file anywhere.
func (d *Dir) LinkOutside(file, name string) error { return d.linkAt(unix.AT_FDCWD, file, name) }

func (d *Dir) linkAt(source int, file, name string) error {
	dir, err := d.self()
	if err != nil {
		return err
	}
	if err := unix.Linkat(source, file, int(dir.Fd()), name, 0); err != nil {
		return &os.LinkError{Op: "link", Old: file, New: name, Err: err}
	}
	return nil
}

// SyncTree writes a tree to disk with one call for its whole file system: one
// call for each file takes fifteen times as long.
func SyncTree(top *Dir, _ func(path string) bool) error {
	dir, err := top.self()
	if err != nil {
		return err
	}
	if err := unix.Syncfs(int(dir.Fd())); err != nil {
		return os.NewSyscallError("syncfs "+top.name, err)
	}
	return nil
}

// isMount reports whether a file system is mounted at a directory, which
// therefore cannot be renamed.
func isMount(dir string) bool {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, dir, unix.AT_SYMLINK_NOFOLLOW, 0, &stat)
	return err == nil && stat.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}
