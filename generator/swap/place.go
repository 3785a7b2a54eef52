// Package swap publishes directory trees in one step (docs/disk.md). In
// goes a complete stage, out comes the published tree; the content of the files is
// the caller's.
//
// Beside the published tree, say public, is the hidden directory .public.ayna with
// two more trees: stage, which starts empty and is published when it is complete,
// and previous, which a rollback publishes again.
//
// Begin with [Place] in place.go, which opens and locks a place. swap.go exchanges
// trees and recovers after a crash, foreign.go copies the owner's files from tree to
// tree, tree.go writes and links files.
package swap

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// ErrLocked is returned while another process publishes to the same place.
var ErrLocked = errors.New("another run is publishing there")

// ErrPlace is returned for a directory that cannot be exchanged in one step.
var ErrPlace = errors.New("the folder is unsuitable")

// The trees of a place.
const (
	Published = "published" // its name on disk is the owner's choice
	Stage     = "stage"     // to be published next
	Previous  = "previous"  // published before
)

// Other names in the hidden directory.
const (
	aside    = "aside" // the published tree, during an exchange in two steps
	lockName = "lock"
	nextName = "next" // names the tree that will be published, during an exchange
)

// Reserved is the prefix of the program's own files in a tree, and of temporary
// names in the hidden directory.
const Reserved = ".ayna-"

// Identity is the file whose digest identifies a tree: its manifest.
const Identity = "manifest.sha256"

// isReserved reports whether a name at the root of a tree is one of the program's
// own files.
func isReserved(name string) bool { return name == Identity || strings.HasPrefix(name, Reserved) }

// Place is a directory to publish to, and the hidden directory beside it.
type Place struct {
	name   string // of the published tree, in its parent
	top    *os.Root
	hidden *os.Root
	locks  []*flock.Flock
}

// Open locks the place of the published tree at dir, which need not exist yet, and
// recovers from a run that was killed. It follows symbolic links to the tree. The
// error is [ErrLocked] or [ErrPlace], or one of the file system.
func Open(dir string) (*Place, error) {
	p, err := lockPlace(dir, (*flock.Flock).TryLock)
	if err != nil {
		return nil, err
	}
	if err := p.recover(); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// OpenShared is [Open] for a run that does not change the published tree. Several
// such runs may hold the place at the same time.
func OpenShared(dir string) (*Place, error) { return lockPlace(dir, (*flock.Flock).TryRLock) }

func lockPlace(dir string, how func(*flock.Flock) (bool, error)) (_ *Place, err error) {
	dir, err = resolve(dir)
	if err != nil {
		return nil, err
	}
	parent, name := filepath.Split(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, err
	}
	p := &Place{name: name}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
		}
	}()
	if p.top, err = os.OpenRoot(parent); err != nil {
		return nil, err
	}
	if err := p.openHidden(); err != nil {
		return nil, err
	}
	return p, p.lock(lockName, how)
}

// resolve returns the path of the directory that will be exchanged.
func resolve(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(dir); err == nil {
			return "", fmt.Errorf("%w: it is a dangling link; remove it, or create its target", ErrPlace)
		}
		return dir, nil
	}
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", errors.Join(err, fmt.Errorf("%w: %s is not a folder; name another one", ErrPlace, real))
	}
	if real == filepath.Dir(real) || isMount(real) {
		return "", fmt.Errorf("%w: %s is a mount point, which cannot be exchanged with another folder; publish to a folder in it, and serve that", ErrPlace, real)
	}
	return real, nil
}

// HiddenName returns the name of the hidden directory beside a published tree
// of that name.
func HiddenName(name string) string { return "." + strings.TrimPrefix(name, ".") + ".ayna" }

// inTop returns the path of a name in the hidden directory from the parent of
// the published tree.
func (p *Place) inTop(name string) string { return HiddenName(p.name) + "/" + name }

func (p *Place) openHidden() error {
	name := HiddenName(p.name)
	if err := p.top.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create the staging folder beside the published tree: %w", err)
	}
	info, err := p.top.Lstat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%w: %s must be the staging folder, but is a file; remove it", ErrPlace, filepath.Join(p.top.Name(), name))
	}
	p.hidden, err = p.top.OpenRoot(name)
	return err
}

func (p *Place) lock(name string, how func(*flock.Flock) (bool, error)) error {
	file := filepath.Join(p.hidden.Name(), name)
	if info, err := p.hidden.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file; remove it", ErrPlace, file)
	}
	lock := flock.New(file, flock.SetPermissions(0o644))
	held, err := how(lock)
	if err != nil {
		return fmt.Errorf("lock %s: %w", file, err)
	}
	if !held {
		return ErrLocked
	}
	p.locks = append(p.locks, lock)
	return nil
}

// Close unlocks the place.
func (p *Place) Close() error {
	var errs []error
	for _, root := range []*os.Root{p.top, p.hidden} {
		if root != nil {
			errs = append(errs, root.Close())
		}
	}
	for _, lock := range p.locks {
		errs = append(errs, lock.Unlock())
	}
	return errors.Join(errs...)
}

// Hidden returns the hidden directory. It is open as long as the place.
func (p *Place) Hidden() *os.Root { return p.hidden }

// Tree opens a tree; it returns nil if the tree does not exist.
func (p *Place) Tree(name string) (*os.Root, error) {
	parent := p.hidden
	if name == Published {
		parent, name = p.top, p.name
	}
	tree, err := parent.OpenRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return tree, err
}

// NewTree makes an empty tree of that name in the hidden directory. It replaces an
// existing one.
func (p *Place) NewTree(name string) (*os.Root, error) {
	if err := p.Discard(name); err != nil {
		return nil, err
	}
	if err := makeDirs(p.hidden, name); err != nil {
		return nil, err
	}
	return p.hidden.OpenRoot(name)
}

// Has reports whether the hidden directory holds a tree of that name.
func (p *Place) Has(name string) bool {
	info, err := p.hidden.Lstat(name)
	return err == nil && info.IsDir()
}

// Discard removes a tree of the hidden directory, if it exists. It renames the tree
// first, so that a killed process leaves no partial tree of that name.
func (p *Place) Discard(name string) error {
	temp := Reserved + name
	if err := p.remove(temp); err != nil {
		return err
	}
	for p.Has(temp) {
		temp += "-"
	}
	if err := p.hidden.Rename(name, temp); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return p.remove(temp)
}

// remove removes a file or tree of a temporary name. Of a tree it leaves what may not be
// removed, as another user's folders: publishing does not depend on that, and the next
// run tries again.
func (p *Place) remove(temp string) error {
	err := p.hidden.RemoveAll(temp)
	if errors.Is(err, fs.ErrPermission) {
		openDirs(p.hidden, temp)
		err = p.hidden.RemoveAll(temp)
	}
	if errors.Is(err, fs.ErrPermission) && p.Has(temp) {
		return nil
	}
	return err
}

// Put writes a small file of the hidden directory atomically, and syncs it.
func (p *Place) Put(name, content string) error {
	temp := path.Join(path.Dir(name), Reserved+path.Base(name))
	f, err := p.hidden.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, p.hidden.Remove(temp))
	}
	return p.hidden.Rename(temp, name)
}

// Check returns the error with which publishing to a directory would fail. Several
// processes may check at the same time.
func Check(dir string) error {
	p, err := OpenShared(dir)
	if err == nil {
		const name = "try"
		err = p.hidden.WriteFile(name, []byte("x"), 0o644)
		if gone := p.hidden.Remove(name); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
		if err == nil {
			err = p.checkAccess()
		}
		err = errors.Join(err, p.Close())
	}
	if err != nil {
		return fmt.Errorf("publish to %s: %w", dir, err)
	}
	return nil
}

// checkAccess checks the directories that are renamed or removed, and the program's own
// files, which are read.
func (p *Place) checkAccess() error {
	if err := access(p.top.Name(), writable); err != nil {
		return err
	}
	if err := accessAll(p.hidden, func(string) bool { return true }); err != nil {
		return err
	}
	published := filepath.Join(p.top.Name(), p.name)
	if err := access(published, writable); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	tree, err := p.Tree(Published)
	if err != nil || tree == nil {
		return err
	}
	return errors.Join(accessAll(tree, isReserved), tree.Close())
}

// accessAll checks entries of a directory.
func accessAll(dir *os.Root, such func(name string) bool) error {
	entries, err := fs.ReadDir(dir.FS(), ".")
	for _, e := range entries {
		mode := uint32(readable)
		if e.IsDir() {
			mode = writable
		}
		if err == nil && such(e.Name()) {
			err = access(filepath.Join(dir.Name(), e.Name()), mode)
		}
	}
	if errors.Is(err, fs.ErrNotExist) { // another process has removed it
		return nil
	}
	return err
}
