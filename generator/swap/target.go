// Package swap publishes directory trees in one step (docs/disk.md): a stage, complete or with
// new files only, goes in, the published tree comes out. The content of the files is the caller's.
//
// Beside the published tree, say public, is the hidden directory .public.ayna with
// two more trees: stage, which starts empty, and previous, which a rollback publishes
// again. The stage is published when it is complete; or its files change the previous tree into
// the next one, which costs what differs.
//
// Begin with [Target] in target.go, which opens and locks a target. swap.go exchanges
// trees and recovers after a crash, apply.go changes the previous tree, delta.go keeps how the
// trees differ, foreign.go and changed.go carry the owner's files from tree to tree, tree.go
// writes and links files.
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

// ErrLocked is returned while another process publishes to the same target.
var ErrLocked = errors.New("another run is publishing there")

// ErrTarget is returned for a directory that cannot be exchanged in one step.
var ErrTarget = errors.New("the folder is unsuitable")

// The trees of a target.
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
	redoName = "redo" // the changes of an Apply, until they are made
)

// applying is the name in the file next of the previous tree while it is changed.
const applying = "apply"

// Reserved is the prefix of the program's own files in a tree, and of temporary
// names in the hidden directory.
const Reserved = ".ayna-"

// Identity is the file whose digest identifies a tree: its manifest.
const Identity = "manifest.sha256"

// isReserved reports whether a name at the root of a tree is one of the program's
// own files.
func isReserved(name string) bool { return name == Identity || strings.HasPrefix(name, Reserved) }

// Target is a directory to publish to, and the hidden directory beside it.
type Target struct {
	name   string // of the published tree, in its parent
	top    *os.Root
	hidden *os.Root
	locks  []*flock.Flock
}

// Open locks the target of the published tree at dir, which need not exist yet, and
// recovers from a run that was killed. It follows symbolic links to the tree. The
// error is [ErrLocked] or [ErrTarget], or one of the file system.
func Open(dir string) (*Target, error) {
	t, err := lockTarget(dir, (*flock.Flock).TryLock)
	if err != nil {
		return nil, err
	}
	if err := t.recover(); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// OpenShared is [Open] for a run that does not change the published tree. Several
// such runs may hold the target at the same time.
func OpenShared(dir string) (*Target, error) { return lockTarget(dir, (*flock.Flock).TryRLock) }

func lockTarget(dir string, how func(*flock.Flock) (bool, error)) (_ *Target, err error) {
	dir, err = resolve(dir)
	if err != nil {
		return nil, err
	}
	parent, name := filepath.Split(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, err
	}
	t := &Target{name: name}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.Close())
		}
	}()
	if t.top, err = os.OpenRoot(parent); err != nil {
		return nil, err
	}
	if err := t.openHidden(); err != nil {
		return nil, err
	}
	return t, t.lock(lockName, how)
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
			return "", fmt.Errorf("%w: it is a dangling link; remove it, or create its target", ErrTarget)
		}
		return dir, nil
	}
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", errors.Join(err, fmt.Errorf("%w: %s is not a folder; name another one", ErrTarget, real))
	}
	if real == filepath.Dir(real) || isMount(real) {
		return "", fmt.Errorf("%w: %s is a mount point, which cannot be exchanged with another folder; publish to a folder in it, and serve that", ErrTarget, real)
	}
	return real, nil
}

// HiddenName returns the name of the hidden directory beside a published tree
// of that name.
func HiddenName(name string) string { return "." + strings.TrimPrefix(name, ".") + ".ayna" }

// inTop returns the path of a name in the hidden directory from the parent of
// the published tree.
func (t *Target) inTop(name string) string { return HiddenName(t.name) + "/" + name }

func (t *Target) openHidden() error {
	name := HiddenName(t.name)
	if err := t.top.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create the staging folder beside the published tree: %w", err)
	}
	info, err := t.top.Lstat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%w: %s must be the staging folder, but is a file; remove it", ErrTarget, filepath.Join(t.top.Name(), name))
	}
	t.hidden, err = t.top.OpenRoot(name)
	return err
}

func (t *Target) lock(name string, how func(*flock.Flock) (bool, error)) error {
	file := filepath.Join(t.hidden.Name(), name)
	if info, err := t.hidden.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file; remove it", ErrTarget, file)
	}
	lock := flock.New(file, flock.SetPermissions(0o644))
	held, err := how(lock)
	if err != nil {
		return fmt.Errorf("lock %s: %w", file, err)
	}
	if !held {
		return ErrLocked
	}
	t.locks = append(t.locks, lock)
	return nil
}

// Close unlocks the target.
func (t *Target) Close() error {
	var errs []error
	for _, root := range []*os.Root{t.top, t.hidden} {
		if root != nil {
			errs = append(errs, root.Close())
		}
	}
	for _, lock := range t.locks {
		errs = append(errs, lock.Unlock())
	}
	return errors.Join(errs...)
}

// Hidden returns the hidden directory. It is open as long as the target.
func (t *Target) Hidden() *os.Root { return t.hidden }

// Tree opens a tree; it returns nil if the tree does not exist.
func (t *Target) Tree(name string) (*os.Root, error) {
	parent := t.hidden
	if name == Published {
		parent, name = t.top, t.name
	}
	tree, err := parent.OpenRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return tree, err
}

// NewTree makes an empty tree of that name in the hidden directory. It replaces an
// existing one.
func (t *Target) NewTree(name string) (*os.Root, error) {
	if err := t.Discard(name); err != nil {
		return nil, err
	}
	if err := makeDirs(t.hidden, name); err != nil {
		return nil, err
	}
	return t.hidden.OpenRoot(name)
}

// Has reports whether the hidden directory holds a tree of that name.
func (t *Target) Has(name string) bool {
	info, err := t.hidden.Lstat(name)
	return err == nil && info.IsDir()
}

// Discard removes a tree of the hidden directory, if it exists. It renames the tree
// first, so that a killed process leaves no partial tree of that name.
func (t *Target) Discard(name string) error {
	temp := Reserved + name
	if err := t.remove(temp); err != nil {
		return err
	}
	for t.Has(temp) {
		temp += "-"
	}
	if err := t.hidden.Rename(name, temp); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return t.remove(temp)
}

// remove removes a file or tree of a temporary name. Of a tree it leaves what may not be
// removed, as another user's folders: publishing does not depend on that, and the next
// run tries again.
func (t *Target) remove(temp string) error {
	err := t.hidden.RemoveAll(temp)
	if errors.Is(err, fs.ErrPermission) {
		openDirs(t.hidden, temp)
		err = t.hidden.RemoveAll(temp)
	}
	if errors.Is(err, fs.ErrPermission) && t.Has(temp) {
		return nil
	}
	return err
}

// Put writes a small file of the hidden directory atomically, and syncs it.
func (t *Target) Put(name, content string) error {
	temp := path.Join(path.Dir(name), Reserved+path.Base(name))
	f, err := t.hidden.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = t.hidden.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, t.hidden.Remove(temp))
	}
	return nil
}

// Check returns the error with which publishing to a directory would fail. Several
// processes may check at the same time.
func Check(dir string) error {
	t, err := OpenShared(dir)
	if err == nil {
		const name = "try"
		err = t.hidden.WriteFile(name, []byte("x"), 0o644)
		if gone := t.hidden.Remove(name); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
		if err == nil {
			err = t.checkAccess()
		}
		err = errors.Join(err, t.Close())
	}
	if err != nil {
		return fmt.Errorf("publish to %s: %w", dir, err)
	}
	return nil
}

// checkAccess checks the directories that are renamed or removed, and the program's own
// files, which are read.
func (t *Target) checkAccess() error {
	if err := access(t.top.Name(), writable); err != nil {
		return err
	}
	if err := accessAll(t.hidden, func(string) bool { return true }); err != nil {
		return err
	}
	published := filepath.Join(t.top.Name(), t.name)
	if err := access(published, writable); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	tree, err := t.Tree(Published)
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
