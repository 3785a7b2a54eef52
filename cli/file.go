package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ayna/durable"
)

// writeWhole writes a file whole, or to a pipe or device of that name. Its errors name it.
func writeWhole(name string, content []byte) error {
	if isSpecial(name) {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		return errors.Join(err, f.Close())
	}
	if err := durable.WriteFile(linked(name), content); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
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
		err = durable.Check(linked(name))
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
