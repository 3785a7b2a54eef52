package output

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

// linkIn makes a hard link from a file of one directory to another.
func linkIn(from *folder, name string, to *folder, target string) error {
	source, err := from.fd()
	if err != nil {
		return err
	}
	return linkAt(source, name, to, target)
}

// linkOutside does the same for a file anywhere.
func linkOutside(name string, to *folder, target string) error {
	return linkAt(unix.AT_FDCWD, name, to, target)
}

func linkAt(source int, name string, to *folder, target string) error {
	dir, err := to.fd()
	if err != nil {
		return err
	}
	if err := unix.Linkat(source, name, dir, target, 0); err != nil {
		return &os.LinkError{Op: "link", Old: name, New: target, Err: err}
	}
	return nil
}

// syncTree brings all that was written to a tree to disk, with one call for
// its whole file system: one for each file takes fifteen times as long.
func syncTree(top *folder, _ func(path string) bool) error {
	dir, err := top.fd()
	if err != nil {
		return err
	}
	if err := unix.Syncfs(dir); err != nil {
		return os.NewSyscallError("syncfs "+top.name, err)
	}
	return nil
}

// isMount reports whether a directory is where a file system is mounted. Such
// a one cannot be renamed.
func isMount(dir string) bool {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, dir, unix.AT_SYMLINK_NOFOLLOW, 0, &stat)
	return err == nil && stat.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}
