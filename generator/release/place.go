// Package release publishes directory trees in one step. It knows directories,
// not what their files are.
//
// Two trees and a stage take turns (docs/publishing.md). Beside the published
// tree, say public, stands .public.ayna with the others: previous, which a
// rollback publishes again, and stage, which starts empty and is published when
// it is complete. Begin reading with [Place].
package release

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// ErrLocked is returned while another process publishes to the same place.
var ErrLocked = errors.New("another run is publishing there")

// ErrPlace is returned for a place where nothing can be published in one step.
var ErrPlace = errors.New("cannot be published to")

// The names in the hidden directory.
const (
	Stage    = "stage"    // the tree that will be published next
	Previous = "previous" // the tree that was published before
	aside    = "aside"    // the published tree, during an exchange in two steps
	lockName = "lock"
	nextName = "next" // names the trees of an exchange while it lasts
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
	name   string      // of the published tree, in its parent
	top    *Dir        // the parent
	hidden *Dir        // the hidden directory
	dirs   [2]*os.File // both, opened
	locks  []*flock.Flock
}

// Room is the free space of a file system for a process without privileges. An
// unknown or unlimited value is the largest number.
type Room struct{ Bytes, Files uint64 }

// Holds reports whether the room is enough for need.
func (r Room) Holds(need Room) bool { return r.Bytes >= need.Bytes && r.Files >= need.Files }

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
			p.Close()
		}
	}()
	if p.top, err = openDir(parent); err != nil {
		return nil, err
	}
	if err := p.openHidden(); err != nil {
		return nil, err
	}
	if err := p.lock(lockName, how); err != nil {
		return nil, err
	}
	for i, d := range []*Dir{p.top, p.hidden} {
		if p.dirs[i], err = d.Open("."); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// resolve returns the path of the directory that will be exchanged.
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
			return "", fmt.Errorf("%w: it is a dangling link; remove it, or create its target", ErrPlace)
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

// HiddenName returns the name of the hidden directory beside a published tree
// of that name.
func HiddenName(name string) string { return "." + strings.TrimPrefix(name, ".") + ".ayna" }

func (p *Place) openHidden() error {
	name := HiddenName(p.name)
	if err := p.top.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the stage stands beside the published tree: %w", err)
	}
	info, err := p.top.Lstat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%w: %s, which should hold the stage, is no folder; remove it", ErrPlace, filepath.Join(p.top.name, name))
	}
	p.hidden, err = p.top.Child(name)
	return err
}

// LockTree locks a stage that several processes could fill.
func (p *Place) LockTree(name string) error { return p.lock(name+".lock", (*flock.Flock).TryLock) }

func (p *Place) lock(name string, how func(*flock.Flock) (bool, error)) error {
	if info, err := p.hidden.Lstat(name); err == nil && !info.Mode().IsRegular() {
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

// Close unlocks the place.
func (p *Place) Close() error {
	var errs []error
	for _, f := range p.dirs {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	for _, d := range []*Dir{p.top, p.hidden} {
		if d != nil {
			d.Close()
		}
	}
	for _, lock := range p.locks {
		errs = append(errs, lock.Unlock())
	}
	return errors.Join(errs...)
}

// Hidden returns the hidden directory.
func (p *Place) Hidden() *Dir { return p.hidden }

// Top returns the directory that holds the published tree, and the tree's name
// in it.
func (p *Place) Top() (*Dir, string) { return p.top, p.name }

// Published opens the published tree; it is nil if there is none.
func (p *Place) Published() (*Dir, error) {
	d, err := p.top.Child(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return d, err
}

// NewStage makes an empty tree of that name in the hidden directory, instead of
// one that is there.
func (p *Place) NewStage(name string) (*Dir, error) {
	if err := p.Discard(name); err != nil {
		return nil, err
	}
	if err := p.hidden.Mkdir(name, 0o755); err != nil {
		return nil, err
	}
	stage, err := p.hidden.Child(name)
	if err != nil {
		return nil, err
	}
	info, err := stage.Lstat(".")
	if err == nil && info.Mode().Perm() != 0o755 {
		stage.chmod = true
		err = stage.Chmod(".", 0o755)
	}
	if err != nil {
		stage.Close()
	}
	return stage, err
}

// Has reports whether the hidden directory holds a tree of that name.
func (p *Place) Has(name string) bool {
	info, err := p.hidden.Lstat(name)
	return err == nil && info.IsDir()
}

// Discard removes a tree of the hidden directory, if it is there.
func (p *Place) Discard(name string) error { return p.hidden.RemoveAll(name) }

// Put writes a small file of the hidden directory in one step, and to disk.
func (p *Place) Put(name, content string) error {
	temp := Reserved + name
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
// directory would fail.
func Check(dir string) error {
	p, err := OpenShared(dir)
	if err == nil {
		err = errors.Join(p.tryWrite(), p.Close())
	}
	if err != nil {
		return fmt.Errorf("publish to %s: %w", dir, err)
	}
	return nil
}

// tryWrite makes a file and removes it. Other processes may do so at the same
// time.
func (p *Place) tryWrite() error {
	const name = "try"
	f, err := p.hidden.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString("x")
	if err := p.hidden.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, f.Close())
	}
	return errors.Join(err, f.Close())
}
