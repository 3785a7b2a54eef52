package release

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Digest returns the SHA-256 of a file of a tree in hexadecimal digits; "" if
// the tree or the file does not exist. The tree is named in its parent.
func Digest(parent *Dir, tree, file string) (string, error) {
	d, err := parent.Child(tree)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer d.Close()
	if info, err := d.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	f, err := d.Open(file)
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

// Publish publishes a tree of the hidden directory in one step and keeps the
// published one as [Previous]. identity is the digest of its [Identity]. If the
// process is killed, one of the two is published, and the next Open does the
// rest. swapped reports whether the tree was published, also when an error
// followed.
func (p *Place) Publish(name, identity string) (swapped bool, err error) {
	goes, err := Digest(p.top, p.name, Identity)
	if err != nil {
		return false, err
	}
	if err := p.Put(nextName, fmt.Sprintf("%s %s %s\n", name, identity, goes)); err != nil {
		return false, err
	}
	if err := p.sync(); err != nil {
		return false, err
	}
	if err := p.exchange(name); err != nil {
		return false, errors.Join(err, p.recover())
	}
	if err := p.sync(); err != nil {
		return true, err
	}
	return true, p.promote(name)
}

// sync writes the names in both directories to disk.
func (p *Place) sync() error { return errors.Join(syncDir(p.dirs[0]), syncDir(p.dirs[1])) }

// promote makes the tree that was published until now the previous one. It has
// the name of the tree that is published instead.
func (p *Place) promote(name string) error {
	if name != Previous && p.Has(name) {
		if err := p.swapNames(name, Previous); err != nil {
			return err
		}
	}
	if err := p.hidden.Remove(nextName); err != nil {
		return err
	}
	return p.Discard(Stage)
}

// swapNames exchanges two names of the hidden directory; the second may be
// missing.
func (p *Place) swapNames(a, b string) error {
	if !p.Has(b) {
		return errors.Join(p.hidden.RemoveAll(b), p.hidden.Rename(a, b))
	}
	ok, err := exchange(p.dirs[1], a, p.dirs[1], b)
	if ok || err != nil {
		return err
	}
	// The file system cannot exchange names: the older of the two trees goes.
	if err := p.Discard(b); err != nil {
		return err
	}
	return p.hidden.Rename(a, b)
}

// exchange gives the published name to a tree of the hidden directory.
func (p *Place) exchange(name string) error {
	_, err := p.top.Lstat(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return p.top.Rename(HiddenName(p.name)+"/"+name, p.name)
	}
	ok, err := exchange(p.dirs[0], p.name, p.dirs[1], name)
	if ok || err != nil {
		return err
	}
	hidden := HiddenName(p.name) + "/"
	if err := p.top.Rename(p.name, hidden+aside); err != nil {
		return err
	}
	if err := p.top.Rename(hidden+name, p.name); err != nil {
		return err
	}
	return p.top.Rename(hidden+aside, hidden+name)
}

// recover finishes an exchange during which a process was killed: forward if the
// new tree is published, back if not. An unfinished stage goes.
func (p *Place) recover() error {
	if err := p.removeTemp(); err != nil {
		return err
	}
	mark, err := p.hidden.ReadFile(nextName)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(p.recoverAside(Stage), p.Discard(Stage))
	}
	if err != nil {
		return err
	}
	name, rest, _ := strings.Cut(strings.TrimSuffix(string(mark), "\n"), " ")
	comes, goes, ok := strings.Cut(rest, " ")
	if !ok || (name != Stage && name != Previous) {
		return p.hidden.Remove(nextName) // the file was cut off before anything was exchanged
	}
	if err := p.recoverAside(name); err != nil {
		return err
	}
	published, err := Digest(p.top, p.name, Identity)
	if err != nil {
		return err
	}
	other, err := Digest(p.hidden, name, Identity)
	if err != nil {
		return err
	}
	if published == comes && other == goes {
		return p.promote(name)
	}
	return errors.Join(p.hidden.Remove(nextName), p.Discard(Stage))
}

// recoverAside finishes an exchange in two steps.
func (p *Place) recoverAside(name string) error {
	if !p.Has(aside) {
		return nil
	}
	hidden := HiddenName(p.name) + "/"
	if _, err := p.top.Lstat(p.name); errors.Is(err, fs.ErrNotExist) {
		return p.top.Rename(hidden+aside, p.name)
	}
	return p.top.Rename(hidden+aside, hidden+name)
}

// removeTemp removes files that a killed process was writing.
func (p *Place) removeTemp() error {
	entries, err := p.hidden.list()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), Reserved) {
			if err := p.hidden.RemoveAll(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}
