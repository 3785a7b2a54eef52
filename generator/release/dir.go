package release

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Dir is an open directory of a tree. Its operations name one file, so that the
// path to it is resolved once for many files.
type Dir struct {
	*os.Root
	name string                   // on this machine, for systems that cannot link relative to a directory
	self func() (*os.File, error) // opens the directory itself at the first call

	chmod  bool // of a stage: the process's umask is too strict, so modes are set
	recent bool // used again since it was opened; see [Dirs]
}

func newDir(root *os.Root, name string) *Dir {
	return &Dir{Root: root, name: name, self: sync.OnceValues(func() (*os.File, error) { return root.Open(".") })}
}

func openDir(name string) (*Dir, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return newDir(root, name), nil
}

// Name returns the path of the directory on this machine.
func (d *Dir) Name() string { return d.name }

// Close closes the directory.
func (d *Dir) Close() {
	d.Root.Close() // after which self can no longer open it
	if self, err := d.self(); err == nil {
		self.Close()
	}
}

// Child opens a directory in the directory.
func (d *Dir) Child(name string) (*Dir, error) {
	root, err := d.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return newDir(root, filepath.Join(d.name, name)), nil
}

// Sync writes the names in the directory to disk.
func (d *Dir) Sync() error {
	dir, err := d.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(syncDir(dir), dir.Close())
}

func syncDir(dir *os.File) error {
	if runtime.GOOS == "windows" { // directories cannot be synced there
		return nil
	}
	return dir.Sync()
}

// list returns the entries of the directory, in no order.
func (d *Dir) list() ([]fs.DirEntry, error) {
	dir, err := d.Open(".")
	if err != nil {
		return nil, err
	}
	entries, err := dir.ReadDir(-1)
	return entries, errors.Join(err, dir.Close())
}

// LinkOrCopy gives the directory a file of another one, under the same name. A
// symbolic link stays one.
func (d *Dir) LinkOrCopy(from *Dir, name string) error {
	err := d.Link(from, name)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, infoErr := from.Lstat(name)
	switch {
	case infoErr != nil:
		return infoErr
	case info.Mode().IsRegular():
		return d.copy(from, name, info)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := from.Readlink(name)
		if err != nil {
			return err
		}
		return d.Symlink(target, name)
	}
	return err
}

func (d *Dir) copy(from *Dir, name string, info fs.FileInfo) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return d.Chtimes(name, info.ModTime(), info.ModTime())
}

// maxOpen bounds the directories that all workers hold open in a tree, each of
// which may take two file descriptors.
const maxOpen = 256

// Dirs opens the directories of a tree and keeps recent ones open. It belongs to
// one goroutine.
type Dirs struct {
	top  *Dir
	most int
	open map[string]*Dir
}

// NewDirs returns the directories of a tree for one of several workers.
func NewDirs(top *Dir, workers int) *Dirs {
	return &Dirs{top: top, most: max(8, maxOpen/max(1, workers)), open: make(map[string]*Dir)}
}

// Close closes all directories but the top one.
func (ds *Dirs) Close() {
	for _, d := range ds.open {
		d.Close()
	}
	clear(ds.open)
}

// Of returns the directory that holds a file, and the file's name in it.
func (ds *Dirs) Of(file string) (*Dir, string, error) {
	d, err := ds.get(path.Dir(file))
	return d, path.Base(file), err
}

// Make is Of for a file that will be written: it makes missing directories.
func (ds *Dirs) Make(file string) (*Dir, string, error) {
	d, name, err := ds.Of(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err := ds.makeAll(path.Dir(file)); err != nil {
			return nil, "", err
		}
		return ds.Of(file)
	}
	return d, name, err
}

// makeAll makes a directory and those above it.
func (ds *Dirs) makeAll(dir string) error {
	if _, err := ds.top.Lstat(dir); err == nil || dir == "." {
		return err
	}
	if err := ds.makeAll(path.Dir(dir)); err != nil {
		return err
	}
	if err := ds.top.Mkdir(dir, 0o755); err != nil {
		if errors.Is(err, fs.ErrExist) { // another worker made it
			return nil
		}
		return err
	}
	if ds.top.chmod {
		return ds.top.Chmod(dir, 0o755)
	}
	return nil
}

// Create writes a file that does not exist yet into a stage.
func (ds *Dirs) Create(file string, content []byte) error {
	d, name, err := ds.Make(file)
	if err != nil {
		return err
	}
	f, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil && ds.top.chmod {
		err = f.Chmod(0o644)
	}
	return errors.Join(err, f.Close())
}

func (ds *Dirs) get(dir string) (*Dir, error) {
	if dir == "." {
		return ds.top, nil
	}
	if d, ok := ds.open[dir]; ok {
		d.recent = true
		return d, nil
	}
	d, err := ds.top.Child(dir)
	if err != nil {
		return nil, err
	}
	for len(ds.open) >= ds.most {
		ds.closeOne()
	}
	ds.open[dir] = d
	return d, nil
}

// closeOne closes the first directory that was not used again since it was
// opened, or since it was passed over here.
func (ds *Dirs) closeOne() {
	for dir, d := range ds.open {
		if d.recent {
			d.recent = false
			continue
		}
		d.Close()
		delete(ds.open, dir)
		return
	}
}

// The date in Last-Modified counts seconds and must not go back when a file
// changes, or a client with the older bytes would keep them. So the time stamp
// of new bytes is later than that of the bytes they replace, whatever the clock
// shows.

// Successor returns the least time stamp for bytes that replace those of a
// file, if it exists. The file system's clock may be some milliseconds behind
// the program's.
func (ds *Dirs) Successor(file string) (time.Time, bool) {
	dir, name, err := ds.Of(file)
	if err != nil {
		return time.Time{}, false
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return time.Time{}, false
	}
	return info.ModTime().Truncate(time.Second).Add(time.Second + 100*time.Millisecond), true
}

// Postdate gives a file the time stamp of now, or least if that is later.
func (ds *Dirs) Postdate(file string, least time.Time) error {
	dir, name, err := ds.Of(file)
	if err != nil {
		return err
	}
	stamp := time.Now()
	if stamp.Before(least) {
		stamp = least
	}
	return dir.Chtimes(name, stamp, stamp)
}
