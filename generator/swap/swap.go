package swap

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// Digest returns the SHA-256 of a tree's file [Identity] in hexadecimal digits, ""
// if the tree or the file does not exist.
func (t *Target) Digest(name string) (string, error) {
	tree, err := t.Tree(name)
	if tree == nil || err != nil {
		return "", err
	}
	defer tree.Close()
	if info, err := tree.Lstat(Identity); err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	f, err := tree.Open(Identity)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Publish publishes the tree [Stage] or [Previous] in one step. digest is that of the tree,
// "" if the caller does not know it. The published tree becomes the previous one. If the process
// is killed, one of the two trees is published, and the next Open finishes or undoes the
// exchange. After an error Publish does so itself, and removes an unpublished stage.
func (t *Target) Publish(name, digest string) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, t.recover())
		}
	}()
	if digest == "" {
		if digest, err = t.Digest(name); err != nil {
			return err
		}
	}
	if err := t.Put(nextName, name+" "+digest+"\n"); err != nil {
		return err
	}
	if err := t.sync(); err != nil {
		return err
	}
	if err := t.exchange(name); err != nil {
		return err
	}
	if err := t.sync(); err != nil {
		return err
	}
	return t.finish(name)
}

// sync syncs the parent of the published tree and the hidden directory.
func (t *Target) sync() error { return errors.Join(syncDir(t.top), syncDir(t.hidden)) }

func syncDir(root *os.Root) error {
	if runtime.GOOS == "windows" { // directories cannot be synced there
		return nil
	}
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// exchange swaps the names of the published tree and of a tree of the hidden
// directory.
func (t *Target) exchange(name string) error {
	_, err := t.top.Lstat(t.name)
	if errors.Is(err, fs.ErrNotExist) {
		return t.top.Rename(t.inTop(name), t.name)
	}
	ok, err := exchange(t.top, t.name, t.hidden, name)
	if ok || err != nil {
		return err
	}
	if err := t.top.Rename(t.name, t.inTop(aside)); err != nil {
		return err
	}
	if err := t.top.Rename(t.inTop(name), t.name); err != nil {
		return err
	}
	return t.hidden.Rename(aside, name)
}

// finish makes the replaced tree the previous one. name is the former name of the
// tree that is published now.
func (t *Target) finish(name string) error {
	if name == Stage && t.Has(Stage) {
		if err := t.Discard(Previous); err != nil {
			return err
		}
		if err := t.hidden.Rename(Stage, Previous); err != nil {
			return err
		}
	}
	for _, note := range []string{nextName, redoName} {
		if err := t.hidden.Remove(note); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return t.Discard(Stage)
}

// recover finishes an exchange that was interrupted: forward if the new tree is
// published or [Target.Apply] has begun, else back. It removes an unfinished stage.
func (t *Target) recover() error {
	if err := t.removeTemp(); err != nil {
		return err
	}
	next, err := t.hidden.ReadFile(nextName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fields := append(strings.Fields(string(next)), "", "", "") // the note may be cut off
	name, digest, record := fields[0], fields[1], fields[2]
	isApplied := name == applying
	switch {
	case isApplied:
		name = Previous
	case name != Previous:
		name = Stage
	}
	if t.Has(aside) {
		to := t.inTop(name)
		if _, err := t.top.Lstat(t.name); errors.Is(err, fs.ErrNotExist) {
			to = t.name
		}
		if err := t.top.Rename(t.inTop(aside), to); err != nil {
			return err
		}
	}
	published := ""
	if digest != "" {
		if published, err = t.Digest(Published); err != nil {
			return err
		}
	}
	if digest == "" || published != digest { // nothing was exchanged
		if isApplied {
			return t.resume(digest, record)
		}
		if err := t.Discard(Stage); err != nil {
			return err
		}
	}
	return t.finish(name)
}

// removeTemp removes the temporary files and trees of earlier processes.
func (t *Target) removeTemp() error {
	entries, err := fs.ReadDir(t.hidden.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), Reserved) {
			if err := t.remove(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}
