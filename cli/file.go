package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeWhole writes a file atomically, or to a pipe or device of that name.
func writeWhole(name string, write func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", name, err)
		}
	}()
	if isSpecial(name) {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	target := linked(name)
	temp, err := tempIn(filepath.Dir(target))
	if err != nil {
		return err
	}
	err = write(temp)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}

// tempIn creates a temporary file. Its errors name the folder alone.
func tempIn(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".tmp-")
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = fmt.Errorf("folder %s: %w", dir, path.Err)
	}
	return f, err
}

// linked returns the file that a link leads to.
func linked(name string) string {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		return target
	}
	return name
}

// isSpecial reports whether a name is that of a pipe or device.
func isSpecial(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// checkWritable checks before the run that writeWhole can write a file. It does not open
// a pipe, which can be opened only once.
func checkWritable(key, name string) error {
	info, err := os.Stat(name)
	switch {
	case isSpecial(name):
		return nil
	case err == nil && info.IsDir():
		err = errors.New("it is a directory")
	default:
		var temp *os.File
		if temp, err = tempIn(filepath.Dir(linked(name))); err == nil {
			err = errors.Join(temp.Close(), os.Remove(temp.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("%s %s cannot be written: %w; name another file", key, name, err)
	}
	return nil
}

// checkRegular refuses to replace what is not a regular file. what names the flag or
// argument.
func checkRegular(what, name string) error {
	if at, err := os.Lstat(name); err == nil && !at.Mode().IsRegular() {
		return usagef("%s %s is not a regular file; name another place", what, name)
	}
	return nil
}
