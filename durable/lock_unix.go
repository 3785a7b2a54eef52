//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// openLocked opens a file, or creates it, and locks it.
func openLocked(name string, wait bool) (*os.File, error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o644)
		if err != nil {
			return nil, err
		}
		if err := lock(f, wait); err != nil {
			f.Close()
			return nil, err
		}
		if hasName(f, name) {
			return f, nil
		}
		f.Close() // who held the lock has renamed or removed the file
	}
}

func lock(f *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	err := syscall.Flock(int(f.Fd()), how)
	for errors.Is(err, syscall.EINTR) {
		err = syscall.Flock(int(f.Fd()), how)
	}
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrLocked
	case errors.Is(err, errors.ErrUnsupported): // the file system has no locks
		return nil
	}
	return err
}

func hasName(f *os.File, name string) bool {
	named, err := os.Lstat(name)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(named, info)
}
