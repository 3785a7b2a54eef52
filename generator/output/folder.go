package output

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// folder is an open directory of a tree. Operations in it name one file, so
// that the path to it is walked once.
type folder struct {
	root *os.Root
	name string                   // on this machine, for systems that cannot link relative to a directory
	self func() (*os.File, error) // opens the directory itself, when it is first needed

	recent bool // used again, in [folders]
}

func newFolder(root *os.Root, name string) *folder {
	return &folder{root: root, name: name, self: sync.OnceValues(func() (*os.File, error) { return root.Open(".") })}
}

func (f *folder) close() {
	f.root.Close() // after which it can no longer be opened
	if self, err := f.self(); err == nil {
		self.Close()
	}
}

// fd returns a descriptor of the directory.
func (f *folder) fd() (int, error) {
	self, err := f.self()
	if err != nil {
		return -1, err
	}
	return int(self.Fd()), nil
}

// listed is an entry of a directory.
type listed struct {
	name  string
	kind  kind
	inode uint64 // 0 if the system does not tell
}

// kind is what sort of thing an entry of a directory is.
type kind uint8

const (
	otherKind kind = iota // a link, a pipe, …
	dirKind
	fileKind
	unknownKind
)

// list lists the directory, in no order.
func (f *folder) list() ([]listed, error) {
	v, err := f.view()
	if err != nil {
		return nil, err
	}
	defer v.close()
	return v.list()
}

// child opens a directory in the directory.
func (f *folder) child(name string) (*folder, error) {
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return newFolder(root, filepath.Join(f.name, name)), nil
}

// sync brings the names in a directory to disk.
func (f *folder) sync() error {
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(syncDir(dir), dir.Close())
}

// maxOpen bounds the directories that all workers hold open in a tree, each of
// which may take two file descriptors.
const maxOpen = 256

// folders opens the directories of a tree, and keeps recent ones open. It
// belongs to one goroutine.
type folders struct {
	top   *folder
	chmod bool // modes must be set, since the process masks them
	most  int
	open  map[string]*folder
}

// newFolders returns the directories of a tree for one of several workers.
func newFolders(top *folder, chmod bool, workers int) *folders {
	return &folders{top: top, chmod: chmod, most: max(8, maxOpen/max(1, workers)), open: make(map[string]*folder)}
}

func (fs *folders) close() {
	for _, f := range fs.open {
		f.close()
	}
	clear(fs.open)
}

// of returns the directory that holds a file, and the file's name in it.
func (fs *folders) of(name string) (*folder, string, error) {
	f, err := fs.get(path.Dir(name))
	return f, path.Base(name), err
}

func (fs *folders) get(dir string) (*folder, error) {
	if dir == "." {
		return fs.top, nil
	}
	if f, ok := fs.open[dir]; ok {
		f.recent = true
		return f, nil
	}
	f, err := fs.top.child(dir)
	if err != nil {
		return nil, err
	}
	for len(fs.open) >= fs.most {
		fs.closeOne()
	}
	fs.open[dir] = f
	return f, nil
}

// closeOne closes the first directory that was not used again since it was
// opened, or passed over here.
func (fs *folders) closeOne() {
	for dir, f := range fs.open {
		if f.recent {
			f.recent = false
			continue
		}
		f.close()
		delete(fs.open, dir)
		return
	}
}

// make is of for a file that is to be written: it makes the directories. What
// stands in their way is removed.
func (fs *folders) make(name string) (*folder, string, error) {
	f, base, err := fs.of(name)
	if err == nil || path.Dir(name) == "." {
		return f, base, err
	}
	if err := fs.makeAll(path.Dir(name)); err != nil {
		return nil, "", err
	}
	return fs.of(name)
}

func (fs *folders) makeAll(dir string) error {
	err := fs.top.root.MkdirAll(dir, 0o755)
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, os.ErrExist) {
		if err = fs.clearWay(dir); err == nil {
			err = fs.top.root.MkdirAll(dir, 0o755)
		}
	}
	if err == nil && fs.chmod {
		err = fs.eachParent(dir, func(parent string) error { return fs.top.root.Chmod(parent, 0o755) })
	}
	return err
}

// clearWay removes files that stand where directories are needed.
func (fs *folders) clearWay(dir string) error {
	return fs.eachParent(dir, func(parent string) error {
		if info, err := fs.top.root.Lstat(parent); err != nil || info.IsDir() {
			return nil
		}
		return fs.top.root.Remove(parent)
	})
}

// eachParent calls do for the directories on the way to dir and for dir.
func (fs *folders) eachParent(dir string, do func(parent string) error) error {
	for i := range len(dir) + 1 {
		if i == len(dir) || dir[i] == '/' {
			if err := do(dir[:i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// below joins a directory of a tree, "." for its root, and a name in it.
func below(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// isOurs reports whether a name at the root of a tree is for our own use.
func isOurs(name string) bool { return name == visibleManifest || strings.HasPrefix(name, ours) }
