package output

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// seal writes the manifests of the work tree, and brings it to disk.
func (b *build) seal() error {
	names := make([]string, len(b.changes), len(b.changes)+2)
	for i, c := range b.changes {
		if !b.table.get(idOf(c.path)).found() {
			return fmt.Errorf("%s was written and is not in the work tree; run again", c.path)
		}
		names[i] = c.path
	}
	if err := b.writeManifests(b.work); err != nil {
		return err
	}
	if err := syncTree(b.work, append(names, visibleManifest, newManifest)); err != nil {
		return err
	}
	if err := b.work.root.Rename(newManifest, hiddenManifest); err != nil {
		return err
	}
	return b.work.sync()
}

// newManifest is the hidden manifest while it is written.
const newManifest = hiddenManifest + ".new"

// writeManifests writes both manifests to a tree, the hidden one under its
// name until it counts.
func (b *build) writeManifests(to *folder) error {
	visible, err := b.writer(to, visibleManifest)
	if err != nil {
		return err
	}
	hidden, err := b.writer(to, newManifest)
	if err != nil {
		return errors.Join(err, visible.close())
	}
	hidden.WriteString(manifestHeader + "\n")
	var scratch []byte
	err = b.eachNext(func(l line) error {
		scratch = l.hidden(scratch[:0])
		if _, err := hidden.Write(scratch); err != nil || l.key == lingering {
			return err
		}
		scratch = l.visible(scratch[:0])
		_, err := visible.Write(scratch)
		return err
	})
	return errors.Join(err, visible.close(), hidden.close())
}

// eachNext calls do for every file of the next site, in order: those that are
// as published stand in the published manifest, the others among the changes.
func (b *build) eachNext(do func(line) error) error {
	slices.SortFunc(b.changes, func(x, y change) int { return strings.Compare(x.path, y.path) })
	changes, last := b.changes, ""
	upTo := func(path string) error {
		for len(changes) > 0 && (path == "" || changes[0].path < path) {
			c := changes[0]
			changes = changes[1:]
			if err := do(line{c.path, b.table.entry(c.next)}); err != nil {
				return err
			}
		}
		return nil
	}
	if b.served != nil && b.listed {
		for l, err := range readManifest(b.served.root) {
			if err != nil {
				return err
			}
			if l.path <= last {
				return fmt.Errorf("read %s: %s: %w", hiddenManifest, l.path, ErrDamaged)
			}
			last = l.path
			s := b.table.get(idOf(l.path))
			if s.fate() != kept {
				continue
			}
			if !s.found() && b.opened {
				return fmt.Errorf("%s is not in the work tree; run again", l.path)
			}
			if err := upTo(l.path); err != nil {
				return err
			}
			if err := do(line{l.path, b.table.entry(s.place())}); err != nil {
				return err
			}
		}
	}
	return upTo("")
}

// file is one that is written line by line.
type file struct {
	*bufio.Writer
	f *os.File
}

func (b *build) writer(to *folder, name string) (*file, error) {
	if err := to.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := to.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	if b.place.chmod {
		if err := f.Chmod(0o644); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return &file{bufio.NewWriterSize(f, 1<<16), f}, nil
}

func (f *file) close() error { return errors.Join(f.Flush(), f.f.Close()) }

// writeKeys writes the hidden manifest of a published tree of which nothing
// has changed but keys.
func (b *build) writeKeys() error {
	hidden, err := b.writer(b.place.hidden, newManifest)
	if err != nil {
		return err
	}
	hidden.WriteString(manifestHeader + "\n")
	var scratch []byte
	err = b.eachNext(func(l line) error {
		scratch = l.hidden(scratch[:0])
		_, err := hidden.Write(scratch)
		return err
	})
	if err == nil {
		err = errors.Join(hidden.Flush(), hidden.f.Sync())
	}
	if err := errors.Join(err, hidden.f.Close()); err != nil {
		return errors.Join(err, b.place.hidden.root.Remove(newManifest))
	}
	to := b.place.name + "/" + hiddenManifest
	return b.place.top.root.Rename(HiddenName(b.place.name)+"/"+newManifest, to)
}

// keepWork makes a work tree that was not finished one of which the next build
// knows what it holds.
func (b *build) keepWork() error {
	if err := syncTree(b.work, nil); err != nil {
		return err
	}
	w, err := b.writer(b.work, newManifest)
	if err != nil {
		return err
	}
	w.WriteString(manifestHeader + "\n")
	var scratch []byte
	err = eachFile(b.work, ".", func(path string) error {
		s := b.table.get(idOf(path))
		at := s.work
		if s.fate() == placed || s.found() {
			at = s.place()
		}
		if at == 0 || !validPath(path) {
			return nil
		}
		scratch = line{path, b.table.entry(at)}.hidden(scratch[:0])
		_, err := w.Write(scratch)
		return err
	})
	if err := errors.Join(err, w.Flush(), w.f.Sync(), w.f.Close()); err != nil {
		return err
	}
	return b.work.root.Rename(newManifest, hiddenManifest)
}

// eachFile calls do for every file of a tree.
func eachFile(in *folder, dir string, do func(path string) error) error {
	entries, err := in.list()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.kind != dirKind {
			err = do(below(dir, e.name))
		} else {
			var inner *folder
			if inner, err = in.child(e.name); err == nil {
				err = eachFile(inner, below(dir, e.name), do)
				inner.close()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
