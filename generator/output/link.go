package output

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// link puts the file that File.Link names into the work tree. It is not done
// where there is no such file or no link can be made to it: the file then has
// to be written.
func (w *worker) link(file File, f form) (done bool, err error) {
	info, err := os.Lstat(file.Link)
	if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
		return false, nil
	}
	e := entry{key: file.Key, size: info.Size()}
	if file.sum != nil {
		e.sum = file.sum.sum
	} else if e.sum, err = sumOf(file.Link); err != nil {
		return false, nil
	}
	place, err := w.find(f, func(known entry) bool { return known.sum == e.sum && known.size == e.size })
	if err != nil {
		return false, err
	}
	if place.fate != undecided {
		return true, w.take(f, e, place.fate)
	}
	refused := false
	err = w.into(f.path, func(to *folder, name string) error {
		err := linkOutside(file.Link, to, name)
		refused = err != nil
		return err
	})
	if refused {
		return false, nil
	}
	if err == nil {
		err = w.date(f, info.ModTime())
	}
	if err == nil {
		w.note(f, placed, e, written)
	}
	return true, err
}

// sumOf returns the SHA-256 of a file, from its name if that says it.
func sumOf(name string) (sum [32]byte, err error) {
	base, _, _ := strings.Cut(filepath.Base(name), ".")
	if len(base) == 2*len(sum) {
		if _, err := hex.Decode(sum[:], []byte(base)); err == nil {
			return sum, nil
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum, err
	}
	return [32]byte(h.Sum(nil)), nil
}

// linkOrCopy gives a directory a file of another one, under the same name. A
// symbolic link stays one.
func linkOrCopy(from *folder, name string, to *folder) error {
	err := linkIn(from, name, to, name)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, infoErr := from.root.Lstat(name)
	switch {
	case infoErr != nil:
		return infoErr
	case info.Mode().IsRegular():
		return copyFile(from, name, to, info)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := from.root.Readlink(name)
		if err != nil {
			return err
		}
		return to.root.Symlink(target, name)
	}
	return err
}

func copyFile(from *folder, name string, to *folder, info fs.FileInfo) error {
	in, err := from.root.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := to.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return to.root.Chtimes(name, info.ModTime(), info.ModTime())
}
