package output

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// nextName is a file of the hidden directory that stands there while trees are
// exchanged, and names the two by their identities: what comes and what goes.
const nextName = "next"

// identity tells a tree from others: the digest of its visible manifest, "" if
// it has none.
func identity(parent *folder, name string) (string, error) {
	return digest(parent, name, visibleManifest)
}

// digest returns that of a tree's manifest, "" if it has none.
func digest(parent *folder, name, manifest string) (string, error) {
	tree, err := parent.child(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer tree.close()
	if info, err := tree.root.Lstat(manifest); err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	f, err := tree.root.Open(manifest)
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

// swap publishes a tree of the hidden directory in one step, and keeps the one
// that was published as the previous. A process that ends anywhere in it
// leaves one of the two published, and recover does the rest. comes is the
// tree's identity.
func (p *place) swap(name, comes string) error {
	goes, err := identity(p.top, p.name)
	if err != nil {
		return err
	}
	if err := p.put(nextName, fmt.Sprintf("%s %s %s\n", name, comes, goes)); err != nil {
		return err
	}
	if err := p.sync(); err != nil {
		return err
	}
	if err := p.exchange(name); err != nil {
		return errors.Join(err, p.recover())
	}
	p.swapped = true
	if err := p.sync(); err != nil {
		return err
	}
	return p.settle(name)
}

// settle gives the tree that is not published any more, which has the name of
// the one that is, its new name.
func (p *place) settle(name string) error {
	if name != previousName && p.has(name) {
		if err := p.turn(name, previousName); err != nil {
			return err
		}
	}
	return p.hidden.root.Remove(nextName)
}

// turn exchanges two names of the hidden directory; the second may be missing.
func (p *place) turn(a, b string) error {
	if !p.has(b) {
		return errors.Join(p.hidden.root.RemoveAll(b), p.hidden.root.Rename(a, b))
	}
	ok, err := exchange(p.dirs[1], a, p.dirs[1], b)
	if ok || err != nil {
		return err
	}
	// Not in one step: the older of the two goes.
	if err := p.discard(b); err != nil {
		return err
	}
	return p.hidden.root.Rename(a, b)
}

// exchange gives the published name to a tree of the hidden directory.
func (p *place) exchange(name string) error {
	_, err := p.top.root.Lstat(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return p.top.root.Rename(HiddenName(p.name)+"/"+name, p.name)
	}
	ok, err := exchange(p.dirs[0], p.name, p.dirs[1], name)
	if ok || err != nil {
		return err
	}
	hidden := HiddenName(p.name) + "/"
	if err := p.top.root.Rename(p.name, hidden+asideName); err != nil {
		return err
	}
	if err := p.top.root.Rename(hidden+name, p.name); err != nil {
		return err
	}
	return p.top.root.Rename(hidden+asideName, hidden+name)
}

// recover finishes an exchange that a process was ended in, forward if the
// new tree is published and back if not.
func (p *place) recover() error {
	if err := p.sweep(); err != nil {
		return err
	}
	mark, err := p.hidden.root.ReadFile(nextName)
	if errors.Is(err, fs.ErrNotExist) {
		return p.putBack(workName)
	}
	if err != nil {
		return err
	}
	name, rest, _ := strings.Cut(strings.TrimSuffix(string(mark), "\n"), " ")
	comes, goes, ok := strings.Cut(rest, " ")
	if !ok || (name != workName && name != previousName) {
		return p.hidden.root.Remove(nextName) // cut off: nothing had been done
	}
	if err := p.putBack(name); err != nil {
		return err
	}
	published, err := identity(p.top, p.name)
	if err != nil {
		return err
	}
	other, err := identity(p.hidden, name)
	if err != nil {
		return err
	}
	if published == comes && other == goes {
		return p.settle(name)
	}
	return p.hidden.root.Remove(nextName)
}

// putBack ends an exchange in two steps.
func (p *place) putBack(name string) error {
	if !p.has(asideName) {
		return nil
	}
	hidden := HiddenName(p.name) + "/"
	if _, err := p.top.root.Lstat(p.name); errors.Is(err, fs.ErrNotExist) {
		return p.top.root.Rename(hidden+asideName, p.name)
	}
	return p.top.root.Rename(hidden+asideName, hidden+name)
}

// sweep removes what a process left that was ended while it wrote a file.
func (p *place) sweep() error {
	entries, err := p.hidden.list()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.name, ours) {
			if err := p.discard(e.name); err != nil {
				return err
			}
		}
	}
	return nil
}

// put writes a small file of the hidden directory in one step, and to disk.
func (p *place) put(name, content string) error {
	temp := ours + name
	f, err := p.hidden.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, p.hidden.root.Remove(temp))
	}
	return p.hidden.root.Rename(temp, name)
}
