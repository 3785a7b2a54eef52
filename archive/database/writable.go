package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ayna/durable"
)

// CheckWritable returns the error with which writing to a database, and to some folders, would
// fail. Neither need exist. The database must not be open in this process: to close one of its
// files ends the locks on it.
func CheckWritable(name string, folders ...string) error {
	e, err := engineOf(name, nil)
	if err != nil {
		return err
	}
	if s, ok := e.(*sqlite); ok {
		folders = append([]string{filepath.Dir(s.path)}, folders...)
		err = s.checkFiles()
	}
	for _, dir := range folders {
		if err == nil {
			err = checkFolder(dir)
		}
	}
	if err != nil {
		name, _ := e.location()
		return fmt.Errorf("archive %s cannot be written: %w", name, err)
	}
	return nil
}

// checkFiles opens the files of an archive as SQLite and the lock do.
func (s *sqlite) checkFiles() error {
	for suffix, flag := range map[string]int{"": os.O_RDWR, "-wal": os.O_RDWR, "-shm": os.O_RDWR, ".lock": os.O_RDONLY} {
		name := s.path + suffix
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue // it is created, or refused when it is opened
		}
		f, err := os.OpenFile(name, flag, 0)
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}

// checkFolder checks a folder, or the first one above it that exists.
func checkFolder(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		return checkFolder(filepath.Dir(dir))
	}
	return durable.Check(filepath.Join(dir, "try"))
}
