package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// tree is the directory at a path, whichever that is at the moment: a build
// publishes by putting another one in its place.
type tree struct {
	dir     string
	turn    sync.Mutex // held by the one who opens
	current shared[*folder]
}

// folder is a directory that is open. It stays the same one when it is renamed.
type folder struct {
	*os.Root
	info fs.FileInfo
}

func openTree(dir string) (*tree, error) {
	first, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	t := &tree{dir: dir}
	t.current.replace(first)
	return t, nil
}

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the site: %w; run build first", err)
	}
	info, err := root.Stat(".")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the site: %w", err), root.Close())
	}
	return &folder{root, info}, nil
}

// follow opens the directory at the path if it is another one than before. If
// there is none, the one before remains.
func (t *tree) follow() error {
	t.turn.Lock()
	defer t.turn.Unlock()
	info, err := os.Stat(t.dir)
	if err != nil {
		return fmt.Errorf("look for the site: %w", err)
	}
	now, done := t.current.use()
	same := os.SameFile(info, now.info)
	done()
	if same {
		return nil
	}
	next, err := openFolder(t.dir)
	if err != nil {
		return err
	}
	t.current.replace(next)
	return nil
}

var errFolder = errors.New("is a folder")

// open opens a regular file. No symbolic link is followed, neither at the end
// of the name nor on the way; [os.Root] makes sure that nothing outside is
// reached even if the tree changes meanwhile.
func (d *folder) open(name string) (*os.File, error) {
	for i, c := range name {
		if c != '/' {
			continue
		}
		if info, err := d.Lstat(name[:i]); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, errNotServed
		}
	}
	info, err := d.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errFolder
	case !info.Mode().IsRegular(): // a link, or a pipe that nobody writes to
		return nil, errNotServed
	}
	return d.Open(name)
}

// read returns what is in a file.
func (d *folder) read(name string) ([]byte, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
