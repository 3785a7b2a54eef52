// Package release publishes directory trees in one step. It knows directories,
// not what their files are.
//
// Two trees and a stage take turns (docs/publishing.md). Beside the published
// tree, say public, stands .public.ayna with the others: previous, which a
// rollback publishes again, and stage, which starts empty and is published when
// it is complete. Begin reading with [Place]: place.go opens and locks it,
// swap.go exchanges trees and recovers, foreign.go carries the owner's files
// from tree to tree, and tree.go writes and links files in trees.
package release

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

// ErrPlace is returned for a place where nothing can be published in one step.
var ErrPlace = errors.New("cannot be published to")

// The trees of a place. Shards have trees of other names in the hidden
// directory.
const (
	Published = "published" // whatever its name on disk
	Stage     = "stage"     // will be published next
	Previous  = "previous"  // was published before
)

// Other names in the hidden directory.
const (
	aside    = "aside" // the published tree, during an exchange in two steps
	lockName = "lock"
	nextName = "next" // names the tree that will be published, during an exchange
)

// Reserved begins every name in a tree that belongs to neither the site nor its
// owner, and temporary names in the hidden directory.
const Reserved = ".ayna-"

// Identity is the file of a tree whose digest tells the tree from others.
const Identity = "manifest.sha256"

// IsReserved reports whether a name at the root of a tree belongs to neither the
// site nor its owner.
func IsReserved(name string) bool { return name == Identity || strings.HasPrefix(name, Reserved) }

// Place is a directory to publish to, and the hidden directory beside it.
type Place struct {
	name   string // of the published tree, in its parent
	top    *os.Root
	hidden *os.Root
	locks  []*flock.Flock
}

// Open locks the place of a published tree, which need not exist yet, and
// recovers from a run that was killed. A symbolic link to the tree is followed
// and kept.
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

// OpenShared is [Open] for a run that leaves the published tree as it is; other
// such runs may go on at the same time.
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
		return "", errors.Join(err, fmt.Errorf("%w: %s is no folder", ErrPlace, real))
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
		return fmt.Errorf("make the folder of the stage beside the published tree: %w", err)
	}
	info, err := p.top.Lstat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%w: %s, which should hold the stage, is no folder; remove it", ErrPlace, filepath.Join(p.top.Name(), name))
	}
	p.hidden, err = p.top.OpenRoot(name)
	return err
}

// LockTree locks a tree of the hidden directory that several processes could
// make.
func (p *Place) LockTree(name string) error { return p.lock(name+".lock", (*flock.Flock).TryLock) }

func (p *Place) lock(name string, how func(*flock.Flock) (bool, error)) error {
	file := filepath.Join(p.hidden.Name(), name)
	if info, err := p.hidden.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is no regular file; remove it", ErrPlace, file)
	}
	lock := flock.New(file, flock.SetPermissions(0o644))
	held, err := how(lock)
	if err != nil {
		return fmt.Errorf("lock %s: %w", file, err)
	}
	if !held { //guard:site-lock
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

// Tree opens a tree; it is nil if it does not exist.
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

// NewTree makes an empty tree of that name in the hidden directory, instead of
// one that is there.
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

// Discard removes a tree of the hidden directory, if it is there. Its name goes
// first, so that a killed process leaves no half of it.
func (p *Place) Discard(name string) error {
	temp := Reserved + name
	if err := p.hidden.RemoveAll(temp); err != nil {
		return err
	}
	if err := p.hidden.Rename(name, temp); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return p.hidden.RemoveAll(temp)
}

// Put writes a small file of the hidden directory in one step, and to disk.
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

// Check reports, before any work, the error with which publishing to a
// directory would fail. Other processes may check it at the same time.
func Check(dir string) error {
	p, err := OpenShared(dir)
	if err == nil {
		const name = "try"
		err = p.hidden.WriteFile(name, []byte("x"), 0o644)
		if gone := p.hidden.Remove(name); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
		err = errors.Join(err, p.Close())
	}
	if err != nil {
		return fmt.Errorf("publish to %s: %w", dir, err)
	}
	return nil
}
