package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gofrs/flock"
)

// ErrLocked is returned while another process publishes to the same place.
var ErrLocked = errors.New("another run is publishing there")

// ErrPlace is returned for a place where nothing can be published in one step.
var ErrPlace = errors.New("cannot be published to")

// The names in the hidden directory.
const (
	workName     = "work"     // the tree that a build changes
	previousName = "previous" // the site before the published one
	asideName    = "aside"    // the published tree, for the moment of an exchange in two steps
	lockName     = "lock"
	shardPrefix  = "shard-"
)

// place is where a site is published: a directory, and the hidden one beside
// it that holds the trees with which it takes turns.
type place struct {
	name    string      // of the published tree, in its parent
	top     *folder     // its parent
	hidden  *folder     // the hidden directory
	dirs    [2]*os.File // both, opened
	locks   []*flock.Flock
	chmod   bool // the process masks modes, so that they must be set
	swapped bool // another tree is published now than when the place was opened
}

// openPlace opens the place of a published tree, alone, and brings order after
// a run that was ended half-way. The tree itself may be missing. A symbolic
// link to it is followed, and stays.
func openPlace(dir string) (*place, error) {
	p, err := lockPlace(dir, (*flock.Flock).TryLock)
	if err != nil {
		return nil, err
	}
	if err := p.recover(); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// sharePlace is openPlace for a run that leaves the published tree as it is,
// beside others that do.
func sharePlace(dir string) (*place, error) { return lockPlace(dir, (*flock.Flock).TryRLock) }

func lockPlace(dir string, how func(*flock.Flock) (bool, error)) (_ *place, err error) {
	dir, err = resolve(dir)
	if err != nil {
		return nil, err
	}
	parent, name := filepath.Split(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, err
	}
	p := &place{name: name}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.top, err = openFolder(parent); err != nil {
		return nil, err
	}
	if err := p.openHidden(); err != nil {
		return nil, err
	}
	if err := p.lock(lockName, how); err != nil {
		return nil, err
	}
	for i, f := range []*folder{p.top, p.hidden} {
		if p.dirs[i], err = f.root.Open("."); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// resolve returns the path of the directory that is to be exchanged.
func resolve(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(dir)
	switch {
	case err == nil:
		dir = real
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	default:
		if _, err := os.Lstat(dir); err == nil {
			return "", fmt.Errorf("%w: it is a link to nowhere; remove it, or make what it names", ErrPlace)
		}
		return dir, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", errors.Join(err, fmt.Errorf("%w: %s is no folder", ErrPlace, dir))
	}
	if dir == filepath.Dir(dir) || isMount(dir) {
		return "", fmt.Errorf("%w: %s is a mount point, which cannot be exchanged with another folder; publish to a folder in it, and serve that", ErrPlace, dir)
	}
	return dir, nil
}

func openFolder(name string) (*folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return newFolder(root, name), nil
}

// HiddenName returns the name of the directory that stands beside a published
// one of a name, and holds the trees with which it takes turns.
func HiddenName(name string) string { return "." + strings.TrimPrefix(name, ".") + ".ayna" }

func (p *place) openHidden() error {
	name := HiddenName(p.name)
	if err := p.top.root.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the work tree stands beside the published one: %w", err)
	}
	info, err := p.top.root.Lstat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%w: %s, which holds the work tree, is no folder; remove it", ErrPlace, filepath.Join(p.top.name, name))
	}
	p.hidden, err = p.top.child(name)
	return err
}

// learnModes finds out whether the process masks the modes of files, so that
// they must be set, and sets that of a new tree.
func (p *place) learnModes(tree *folder) error {
	const name = ours + "mode"
	if err := tree.create(name, nil, false); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := tree.root.Lstat(name)
	if err := errors.Join(err, tree.root.Remove(name)); err != nil {
		return err
	}
	if p.chmod = runtime.GOOS != "windows" && info.Mode().Perm() != 0o644; !p.chmod {
		return nil
	}
	return tree.root.Chmod(".", 0o755)
}

func (p *place) lock(name string, how func(*flock.Flock) (bool, error)) error {
	if info, err := p.hidden.root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is no regular file; remove it", ErrPlace, filepath.Join(p.hidden.name, name))
	}
	lock := flock.New(filepath.Join(p.hidden.name, name), flock.SetPermissions(0o644))
	held, err := how(lock)
	if err != nil {
		return fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	if !held {
		return ErrLocked
	}
	p.locks = append(p.locks, lock)
	return nil
}

func (p *place) close() error {
	var errs []error
	for _, f := range p.dirs {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	for _, f := range []*folder{p.top, p.hidden} {
		if f != nil {
			f.close()
		}
	}
	for _, lock := range p.locks {
		errs = append(errs, lock.Unlock())
	}
	return errors.Join(errs...)
}

// served opens the published tree, nil if there is none.
func (p *place) served() (*folder, error) {
	f, err := p.top.child(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// discard removes a tree of the hidden directory. First goes what says that it
// is whole.
func (p *place) discard(name string) error {
	err := p.hidden.root.Remove(name + "/" + hiddenManifest)
	if err != nil && p.has(name) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return p.hidden.root.RemoveAll(name)
}

// sync brings the names in both directories to disk.
func (p *place) sync() error {
	return errors.Join(syncDir(p.dirs[0]), syncDir(p.dirs[1]))
}

// syncDir brings the names in a directory to disk.
func syncDir(dir *os.File) error {
	if runtime.GOOS == "windows" { // where directories cannot be synced
		return nil
	}
	return dir.Sync()
}

// has reports whether the hidden directory has a tree of that name.
func (p *place) has(name string) bool {
	info, err := p.hidden.root.Lstat(name)
	return err == nil && info.IsDir()
}

// Ready reports whether a site can be published to a directory, before the
// work: the error is that which [Publish] would end with.
func Ready(dir string) error {
	p, err := lockPlace(dir, (*flock.Flock).TryRLock)
	if err == nil {
		err = errors.Join(p.tryWrite(), p.close())
	}
	if err != nil {
		return fmt.Errorf("publish to %s: %w", dir, err)
	}
	return nil
}

// tryWrite makes a file and removes it. Others may do so at the same time.
func (p *place) tryWrite() error {
	const name = "try"
	f, err := p.hidden.root.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString("x")
	if err := p.hidden.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, f.Close())
	}
	return errors.Join(err, f.Close())
}
