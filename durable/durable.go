// Package durable writes files that are complete, also after a power cut: a name leads
// to the bytes that it had before, or to all of the new ones on the disk.
//
// A file is written beside its target, as .NAME.part, under a lock. What a killed process
// has left there, the next one that writes the same target replaces or removes. Begin with
// [Write].
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// ErrLocked is returned while another process writes the same file.
var ErrLocked = errors.New("another run is writing this file")

// File is a file that is being written.
type File struct {
	*os.File
	target string
}

// Write calls write with a file that replaces the one of that name, unless there is an
// error. Its folder must exist. The error is [ErrLocked] while another process does the
// same.
func Write(name string, write func(*File) error) error {
	f, err := create(name, false)
	if err != nil {
		return err
	}
	if err = os.RemoveAll(f.scratch()); err == nil { // of a killed process
		err = write(f)
	}
	return f.end(errors.Join(err, os.RemoveAll(f.scratch())))
}

// WriteFile writes a small file. It waits while another process does the same.
func WriteFile(name string, content []byte) error {
	f, err := create(name, true)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return f.end(err)
}

// Check returns the error with which writing a file would fail. The file stays.
func Check(name string) error {
	f, err := create(name, true)
	if err != nil {
		return err
	}
	return f.abort()
}

// Scratch makes an empty folder beside the file, which is removed when the file is
// complete. Programs that a killed process had started do not know its name.
func (f *File) Scratch() (dir string, err error) {
	if err := os.Mkdir(f.scratch(), 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(f.scratch(), "")
}

func (f *File) scratch() string { return beside(f.target, ".scratch") }

func beside(name, suffix string) string {
	return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+suffix)
}

// create creates the file that becomes name, empty and locked. Its errors name the
// folder, since nobody knows the file.
func create(name string, wait bool) (*File, error) {
	part := beside(name, ".part")
	if info, err := os.Lstat(part); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file; remove it", part)
	}
	f, err := openLocked(part, wait)
	if err == nil {
		if err = f.Truncate(0); err == nil {
			return &File{f, name}, nil
		}
		f.Close()
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = fmt.Errorf("folder %s: %w", filepath.Dir(name), path.Err)
	}
	return nil, err
}

// end gives the file its name, or removes it after an error. The lock lasts until it has
// its name, where a file that is open can be renamed.
func (f *File) end(err error) error {
	if err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync()) // the umask may be stricter
	}
	if runtime.GOOS == "windows" {
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		err = os.Rename(f.Name(), f.target)
	}
	if err != nil {
		return errors.Join(err, f.abort())
	}
	f.Close() // its bytes are on the disk
	return syncDir(filepath.Dir(f.target))
}

// abort removes the file.
func (f *File) abort() error {
	if runtime.GOOS == "windows" {
		f.Close()
	}
	err := os.Remove(f.Name())
	f.Close()
	return err
}

// Rename gives a file another name, when its bytes are on the disk.
func Rename(from, to string) error {
	f, err := os.OpenFile(from, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncDir(filepath.Dir(to))
}

// syncDir writes the names in a folder to the disk. Some systems cannot.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
