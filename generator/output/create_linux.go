package output

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// create makes a file that is not there, by the three calls of the system that
// this takes: an [os.File] takes five more, to find out that a file never blocks.
// The name has no slash, and no link is followed.
func (to *folder) create(name string, content []byte, chmod bool) error {
	dir, err := to.fd()
	if err != nil {
		return err
	}
	const flags = unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd := -1
	for again := true; again; again = err == unix.EINTR {
		fd, err = unix.Openat(dir, name, flags, 0o644)
	}
	if err != nil {
		return &os.PathError{Op: "create", Path: name, Err: err}
	}
	err = writeAll(fd, content)
	if err == nil && chmod {
		err = unix.Fchmod(fd, 0o644)
	}
	if err := errors.Join(err, unix.Close(fd)); err != nil {
		return &os.PathError{Op: "write", Path: name, Err: err}
	}
	return nil
}

func writeAll(fd int, content []byte) error {
	for len(content) > 0 {
		n, err := unix.Write(fd, content)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		content = content[n:]
	}
	return nil
}
