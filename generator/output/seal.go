package output

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"
)

// newManifest is the hidden manifest while it is written.
const newManifest = hiddenManifest + ".new"

// manifests are those of the work tree while they are written, the hidden one
// under its name until it counts.
type manifests struct {
	visible, hidden *file
	sum             hash.Hash // of the visible one
	scratch         []byte
	files           int
}

func (b *build) writeManifests() (_ *manifests, err error) {
	m := &manifests{sum: sha256.New()}
	if m.visible, err = b.writer(b.work, visibleManifest, m.sum); err != nil {
		return nil, err
	}
	if m.hidden, err = b.writer(b.work, newManifest); err != nil {
		return nil, errors.Join(err, m.visible.close())
	}
	m.hidden.WriteString(manifestHeader + "\n")
	return m, nil
}

// add adds a file, after those whose paths come before its own.
func (m *manifests) add(path []byte, e *entry) error {
	m.files++
	m.scratch = appendHidden(m.scratch[:0], path, e)
	if _, err := m.hidden.Write(m.scratch); err != nil || e.key == lingering {
		return err
	}
	m.scratch = appendVisible(m.scratch[:0], path, e)
	_, err := m.visible.Write(m.scratch)
	return err
}

func (m *manifests) close() error { return errors.Join(m.visible.close(), m.hidden.close()) }

// seal brings the work tree, whose manifests have been written, to disk, and
// makes it whole.
func (b *build) seal(m *manifests) error {
	if lost := b.placed + b.kept - m.files; lost != 0 {
		return fmt.Errorf("%d files of the site are not in the work tree; run again", lost)
	}
	if err := syncTree(b.work, b.isNew); err != nil {
		return err
	}
	if err := b.work.root.Rename(newManifest, hiddenManifest); err != nil {
		return err
	}
	b.identity = hex.EncodeToString(m.sum.Sum(nil))
	return b.work.sync()
}

// isNew reports whether a file of the work tree was written by this build.
func (b *build) isNew(path string) bool { return isOurs(path) || b.table.find(idOf(path)).is(placed) }

// file is one that is written line by line.
type file struct {
	*bufio.Writer
	f *os.File
}

// writer makes a file, and has also what is to see all that is written to it.
func (b *build) writer(to *folder, name string, also ...io.Writer) (*file, error) {
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
	return &file{bufio.NewWriterSize(io.MultiWriter(append(also, f)...), 1<<16), f}, nil
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
	for l, err := range readManifest(b.served.root) {
		if err == nil {
			if row := b.table.find(idOf(l.path)); row.is(kept) {
				l.entry = row.entry
			}
			scratch = appendHidden(scratch[:0], l.path, &l.entry)
			_, err = hidden.Write(scratch)
		}
		if err != nil {
			return errors.Join(err, hidden.close(), b.place.hidden.root.Remove(newManifest))
		}
	}
	if err := errors.Join(hidden.Flush(), hidden.f.Sync(), hidden.f.Close()); err != nil {
		return errors.Join(err, b.place.hidden.root.Remove(newManifest))
	}
	to := b.place.name + "/" + hiddenManifest
	return b.place.top.root.Rename(HiddenName(b.place.name)+"/"+newManifest, to)
}

// keepWork makes a work tree that was not finished one of which the next build
// knows what it holds.
func (b *build) keepWork() error {
	if err := syncTree(b.work, b.isNew); err != nil {
		return err
	}
	w, err := b.writer(b.work, newManifest)
	if err != nil {
		return err
	}
	w.WriteString(manifestHeader + "\n")
	var scratch []byte
	err = eachFile(b.work, ".", func(path string) error {
		row := b.table.find(idOf(path))
		if row == nil || !validPath(path) {
			return nil
		}
		e, ok := b.table.work(row)
		if row.is(placed) || row.has(found) {
			e, ok = row.entry, true
		}
		if !ok {
			return nil
		}
		scratch = appendHidden(scratch[:0], path, &e)
		_, err := w.Write(scratch)
		return err
	})
	if err := errors.Join(err, w.Flush(), w.f.Sync(), w.f.Close()); err != nil {
		return err
	}
	return b.work.root.Rename(newManifest, hiddenManifest)
}

// eachFile calls do for every file of a tree, in the order of their paths.
func eachFile(in *folder, dir string, do func(path string) error) error {
	entries, err := in.list()
	if err != nil {
		return err
	}
	slices.SortFunc(entries, listed.compare)
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
