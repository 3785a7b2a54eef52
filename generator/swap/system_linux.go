package swap

import (
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// exchange swaps the names of two directories atomically (renameat2(2),
// RENAME_EXCHANGE). ok is false if the file system does not support that.
func exchange(a *os.Root, nameA string, b *os.Root, nameB string) (ok bool, err error) {
	dirA, err := a.Open(".")
	if err != nil {
		return false, err
	}
	defer dirA.Close()
	dirB, err := b.Open(".")
	if err != nil {
		return false, err
	}
	defer dirB.Close()
	err = unix.Renameat2(int(dirA.Fd()), nameA, int(dirB.Fd()), nameB, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return false, nil
	}
	if err != nil {
		return false, &os.LinkError{Op: "exchange", Old: nameA, New: nameB, Err: err}
	}
	return true, nil
}

// createBelow creates a file below a directory, and follows no symbolic link on the way
// (openat2(2)). [os.Root] opens each directory of the path instead, and a full build takes
// 7 % more processor time. An error may also be that of an old kernel.
func createBelow(dir *os.File, file string) (*os.File, error) {
	fd, err := unix.Openat2(int(dir.Fd()), file, &unix.OpenHow{
		Flags: unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL | unix.O_CLOEXEC, Mode: 0o644,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return nil, &os.PathError{Op: "create", Path: file, Err: err}
	}
	return os.NewFile(uintptr(fd), file), nil
}

// link makes a hard link in a directory to a file in another one, or to any file if
// from is nil.
func link(from *os.File, file string, to *os.File, name string) error {
	source := unix.AT_FDCWD
	if from != nil {
		source = int(from.Fd())
	}
	if err := unix.Linkat(source, file, int(to.Fd()), name, 0); err != nil {
		return &os.LinkError{Op: "link", Old: file, New: name, Err: err}
	}
	return nil
}

// rename moves a file from one directory to another one, under the same name.
func rename(from, to *os.File, name string) error {
	if err := unix.Renameat(int(from.Fd()), name, int(to.Fd()), name); err != nil {
		return &os.LinkError{Op: "rename", Old: from.Name(), New: to.Name() + "/" + name, Err: err}
	}
	return nil
}

// stampAt returns the stamp of a directory below another one.
func stampAt(at *os.File, dir string) (Stamp, error) {
	var s unix.Stat_t
	if err := unix.Fstatat(int(at.Fd()), dir, &s, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return Stamp{}, &os.PathError{Op: "stat", Path: dir, Err: err}
	}
	return Stamp{s.Ino, s.Mode, s.Mtim.Nano(), s.Ctim.Nano()}, nil
}

// setTime sets the modification time of a directory below another one.
func setTime(at *os.File, dir string, to time.Time) error {
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, unix.NsecToTimespec(to.UnixNano())}
	if err := unix.UtimesNanoAt(int(at.Fd()), dir, times, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return &os.PathError{Op: "set the time of", Path: dir, Err: err}
	}
	return nil
}

// What [access] asks for.
const (
	readable = unix.R_OK
	writable = unix.R_OK | unix.W_OK | unix.X_OK // of a directory
)

// access returns the error with which using a file or directory would fail.
func access(name string, mode uint32) error {
	if err := unix.Faccessat(unix.AT_FDCWD, name, mode, unix.AT_EACCESS); err != nil {
		return &os.PathError{Op: "write to", Path: name, Err: err}
	}
	return nil
}

// SyncTree syncs a tree to disk, with one call for its whole file system: a call for
// each file takes fifteen times as long.
func SyncTree(tree *os.Root) error {
	dir, err := tree.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	return os.NewSyscallError("syncfs "+tree.Name(), unix.Syncfs(int(dir.Fd())))
}

// isMount reports whether a directory is a mount point, which cannot be renamed.
func isMount(dir string) bool {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, dir, unix.AT_SYMLINK_NOFOLLOW, 0, &stat)
	return err == nil && stat.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}

// FreeSpace returns the bytes and files that a process without privileges can add
// to the file system of a directory (statfs(2)). An unknown or unlimited number
// is the largest one.
func FreeSpace(dir string) (bytes, files uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, fmt.Errorf("read the free space at %s: %w", dir, err)
	}
	bytes, files = math.MaxUint64, math.MaxUint64
	if s.Blocks > 0 {
		bytes = s.Bavail * uint64(s.Bsize)
	}
	if s.Files > 0 { // some file systems add inodes as they are needed
		files = s.Ffree
	}
	return bytes, files, nil
}
