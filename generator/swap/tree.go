package swap

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"
)

// Creator creates files in a tree. Goroutines may share it.
type Creator struct {
	tree *os.Root
	dir  *os.File // the tree's own directory
}

// NewCreator returns a creator that the caller must close.
func NewCreator(tree *os.Root) (*Creator, error) {
	dir, err := tree.Open(".")
	return &Creator{tree, dir}, err
}

// Close closes the creator.
func (c *Creator) Close() error { return c.dir.Close() }

// Create writes a new file, and makes its directories.
func (c *Creator) Create(file string, content []byte) error {
	return create(c.tree, file, bytes.NewReader(content), c.open)
}

// Copy is Create for a large file.
func (c *Creator) Copy(file string, content io.Reader) error {
	return create(c.tree, file, content, c.open)
}

func (c *Creator) open(file string) (*os.File, error) {
	f, err := createBelow(c.dir, file)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	return openNew(c.tree, file)
}

// openNew creates a file that does not exist.
func openNew(tree *os.Root, file string) (*os.File, error) {
	return tree.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// create writes a new file that open opens, and makes its directories.
func create(tree *os.Root, file string, content io.Reader, open func(file string) (*os.File, error)) error {
	f, err := open(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeDirs(tree, path.Dir(file)); err != nil {
			return err
		}
		f, err = open(file)
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Chmod(0o644), f.Close()) // the umask may be stricter
}

// makeDirs makes a directory of a tree and its parents, with the mode 0755 under any
// umask. Several goroutines may make the same one.
func makeDirs(tree *os.Root, dir string) error {
	if dir == "." {
		return nil
	}
	err := tree.Mkdir(dir, 0o755)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeDirs(tree, path.Dir(dir)); err != nil {
			return err
		}
		err = tree.Mkdir(dir, 0o755)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info, err := tree.Lstat(dir); err != nil || info.Mode().Perm() == 0o755 {
		return err
	}
	return tree.Chmod(dir, 0o755)
}

// Linker makes hard links in one tree to the files of another. It keeps the
// directory of the last file open, so it is fast for sorted paths.
type Linker struct {
	from, to       *os.Root
	dir            string
	source, target *os.File // dir in both trees; nil before the first file
	copied         bool
}

// NewLinker returns a linker that the caller must close.
func NewLinker(from, to *os.Root) *Linker { return &Linker{from: from, to: to} }

// Close closes the linker.
func (l *Linker) Close() {
	for _, dir := range []*os.File{l.source, l.target} {
		if dir != nil {
			dir.Close()
		}
	}
	l.source, l.target = nil, nil
}

func (l *Linker) open(dir string) (err error) {
	if l.target != nil && l.dir == dir {
		return nil
	}
	l.Close()
	l.dir = dir
	if l.source, err = l.from.Open(dir); err != nil {
		return err
	}
	if err := makeDirs(l.to, dir); err != nil {
		return err
	}
	l.target, err = l.to.Open(dir)
	return err
}

// Copied reports whether a file was copied, since it could not be linked.
func (l *Linker) Copied() bool { return l.copied }

// Link links a file under the same name, or copies it where links are not possible.
// It copies a symbolic link as a link.
func (l *Linker) Link(file string) error {
	if err := l.open(path.Dir(file)); err != nil {
		return err
	}
	err := link(l.source, path.Base(file), l.target, path.Base(file))
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, infoErr := l.from.Lstat(file)
	switch {
	case infoErr != nil:
		return infoErr
	case info.Mode().IsRegular():
		return l.copy(file, info)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := l.from.Readlink(file)
		if err != nil {
			return err
		}
		return l.to.Symlink(target, file)
	}
	return err
}

func (l *Linker) copy(file string, info fs.FileInfo) error {
	l.copied = true
	content, err := l.from.Open(file)
	if err != nil {
		return err
	}
	if err := errors.Join(create(l.to, file, content, func(file string) (*os.File, error) { return openNew(l.to, file) }), content.Close()); err != nil {
		return err
	}
	return errors.Join(l.to.Chmod(file, info.Mode().Perm()), l.to.Chtimes(file, info.ModTime(), info.ModTime()))
}

// Sizes looks up the sizes of a tree's files. It keeps the directory of the last file
// open, so it is fast for sorted paths.
type Sizes struct {
	tree *os.Root
	dir  string
	last *os.Root // dir; nil before the first file, and if it cannot be opened
}

// NewSizes returns the sizes of a tree. The caller must close them.
func NewSizes(tree *os.Root) *Sizes { return &Sizes{tree: tree} }

// Close closes the directory.
func (s *Sizes) Close() {
	if s.last != nil {
		s.last.Close()
	}
}

// Of returns the size of a file in bytes, -1 if the tree has no such regular file.
func (s *Sizes) Of(file string) int64 {
	if dir := path.Dir(file); dir != s.dir {
		s.Close()
		s.dir = dir
		s.last, _ = s.tree.OpenRoot(dir)
	}
	if s.last == nil {
		return -1
	}
	info, err := s.last.Lstat(path.Base(file))
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// LinkOutside makes a hard link in a tree to a file outside of it, and makes its
// directories.
func LinkOutside(tree *os.Root, source, file string) error {
	if err := makeDirs(tree, path.Dir(file)); err != nil {
		return err
	}
	dir, err := tree.Open(path.Dir(file))
	if err != nil {
		return err
	}
	return errors.Join(link(nil, source, dir, path.Base(file)), dir.Close())
}

// Postdate makes the time stamp of a file at least a second later than that of the
// file that it replaces in another tree. stamp is its present one. Last-Modified
// counts seconds and must increase when a file changes, or a client would keep the
// older bytes. A margin covers the file system's clock, which may be some
// milliseconds behind the program's.
func Postdate(from, to *os.Root, file string, stamp time.Time) error {
	info, err := from.Lstat(file)
	if err != nil {
		return nil // it replaces nothing
	}
	least := info.ModTime().Truncate(time.Second).Add(time.Second + 100*time.Millisecond)
	if stamp.After(least) {
		return nil
	}
	if now := time.Now(); now.After(least) {
		least = now
	}
	return to.Chtimes(file, least, least)
}
