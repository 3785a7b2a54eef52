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
func (p *Place) Digest(name string) (string, error) {
	tree, err := p.Tree(name)
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

// Publish publishes the tree [Stage] or [Previous] in one step. The published tree
// becomes the previous one. If the process is killed, one of the two trees is
// published, and the next Open finishes or undoes the exchange. After an error
// Publish does so itself, and removes an unpublished stage.
func (p *Place) Publish(name string) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, p.recover())
		}
	}()
	digest, err := p.Digest(name)
	if err != nil {
		return err
	}
	if err := p.Put(nextName, name+" "+digest+"\n"); err != nil {
		return err
	}
	if err := p.sync(); err != nil {
		return err
	}
	if err := p.exchange(name); err != nil {
		return err
	}
	if err := p.sync(); err != nil {
		return err
	}
	return p.finish(name)
}

// sync syncs the parent of the published tree and the hidden directory.
func (p *Place) sync() error { return errors.Join(syncDir(p.top), syncDir(p.hidden)) }

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
func (p *Place) exchange(name string) error {
	_, err := p.top.Lstat(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return p.top.Rename(p.inTop(name), p.name)
	}
	ok, err := exchange(p.top, p.name, p.hidden, name)
	if ok || err != nil {
		return err
	}
	if err := p.top.Rename(p.name, p.inTop(aside)); err != nil {
		return err
	}
	if err := p.top.Rename(p.inTop(name), p.name); err != nil {
		return err
	}
	return p.hidden.Rename(aside, name)
}

// finish makes the replaced tree the previous one. name is the former name of the
// tree that is published now.
func (p *Place) finish(name string) error {
	if name == Stage && p.Has(Stage) {
		if err := p.Discard(Previous); err != nil {
			return err
		}
		if err := p.hidden.Rename(Stage, Previous); err != nil {
			return err
		}
	}
	if err := p.hidden.Remove(nextName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return p.Discard(Stage)
}

// recover finishes an exchange that was interrupted: forward if the new tree is
// published, else back. It removes an unfinished stage.
func (p *Place) recover() error {
	if err := p.removeTemp(); err != nil {
		return err
	}
	next, err := p.hidden.ReadFile(nextName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	name, digest, _ := strings.Cut(strings.TrimSpace(string(next)), " ")
	if name != Previous {
		name = Stage
	}
	if p.Has(aside) {
		to := p.inTop(name)
		if _, err := p.top.Lstat(p.name); errors.Is(err, fs.ErrNotExist) {
			to = p.name
		}
		if err := p.top.Rename(p.inTop(aside), to); err != nil {
			return err
		}
	}
	published, err := p.Digest(Published)
	if err != nil {
		return err
	}
	if digest == "" || published != digest { // nothing was exchanged
		if err := p.Discard(Stage); err != nil {
			return err
		}
	}
	return p.finish(name)
}

// removeTemp removes the temporary files and trees of earlier processes.
func (p *Place) removeTemp() error {
	entries, err := fs.ReadDir(p.hidden.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), Reserved) {
			if err := p.remove(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}
