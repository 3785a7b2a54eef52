package output

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"time"
)

// worker decides about files one after the other, with buffers and open
// directories of its own.
type worker struct {
	*build
	from          *folders // of the published tree, nil if there is none
	to            *folders // of the work tree, nil until it is needed
	plain, packed bytes.Buffer
	compressors   compressors
}

// maxBuffer bounds what a worker holds on to after a large file.
const maxBuffer = 4 << 20

func (b *build) newWorker() *worker {
	w := &worker{build: b}
	if b.served != nil {
		w.from = newFolders(b.served, false, b.options.Jobs)
	}
	return w
}

func (w *worker) close() {
	for _, f := range []*folders{w.from, w.to} {
		if f != nil {
			f.close()
		}
	}
}

// target returns the folders of the work tree, ready to be changed.
func (w *worker) target() (*folders, error) {
	if w.to == nil {
		if err := w.open(); err != nil {
			return nil, err
		}
		w.to = newFolders(w.work, w.place.chmod, w.options.Jobs)
	}
	return w.to, nil
}

// do decides about a file. If the trees have it under its key in all its
// forms, these are taken, else it is made anew.
func (w *worker) do(ctx context.Context, t task) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var places [3]whereabouts
	for i, f := range t.forms {
		var err error
		places[i], err = w.find(f, func(e entry) bool { return e.key == t.file.Key && e.key != Key{} })
		if err != nil {
			return err
		}
		if places[i].fate == undecided {
			return w.produce(ctx, t)
		}
	}
	for i, f := range t.forms {
		if err := w.take(f, places[i].entry, places[i].fate); err != nil {
			return err
		}
	}
	return nil
}

// whereabouts are bytes that are in one of the trees: the published one if the
// fate is kept, the work tree if it is placed.
type whereabouts struct {
	entry
	fate fate
}

// find looks for a file's bytes in the trees.
func (w *worker) find(f form, match func(entry) bool) (whereabouts, error) {
	served, ok := f.row.served()
	if ok && match(served) && w.publishedHas(f.path, served.size) {
		return whereabouts{served, kept}, nil
	}
	work, ok := w.table.work(f.row)
	if !ok || !match(work) {
		return whereabouts{}, nil
	}
	if work.sum == served.sum && w.publishedHas(f.path, work.size) {
		return whereabouts{work, kept}, nil
	}
	to, err := w.target()
	if err != nil {
		return whereabouts{}, err
	}
	if dir, name, err := to.of(f.path); err == nil && dir.isFile(name, work.size) {
		return whereabouts{work, placed}, nil
	}
	return whereabouts{}, nil
}

func (w *worker) publishedHas(path string, size int64) bool {
	if w.from == nil {
		return false
	}
	dir, name, err := w.from.of(path)
	return err == nil && dir.isFile(name, size)
}

// take settles that a file is to be as it was found.
func (w *worker) take(f form, e entry, fate fate) error {
	if fate == kept {
		w.note(f, kept, e, unchanged)
		return nil
	}
	if err := w.date(f, time.Time{}); err != nil {
		return err
	}
	w.note(f, placed, e, written)
	return nil
}

// produce makes a file in all its forms.
func (w *worker) produce(ctx context.Context, t task) error {
	if t.file.Link != "" && len(t.forms) == 1 {
		if done, err := w.link(t.file, t.forms[0]); done || err != nil {
			return err
		}
	}
	w.plain.Reset()
	if err := t.file.Write(ctx, &w.plain); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return w.fail(ctx, t, err)
	}
	return w.putAll(t, t.file.Key)
}

// putAll settles that a file is to be, in all its forms, what was rendered.
func (w *worker) putAll(t task, key Key) error {
	for _, f := range t.forms {
		content, err := w.form(f.method)
		if err != nil {
			return err
		}
		if err := w.put(f, key, content); err != nil {
			return err
		}
	}
	if w.plain.Cap() > maxBuffer {
		w.plain, w.packed = bytes.Buffer{}, bytes.Buffer{}
	}
	return nil
}

// put settles that a file is to have these bytes.
func (w *worker) put(f form, key Key, content []byte) error {
	e := entry{key: key, sum: sha256.Sum256(content), size: int64(len(content))}
	place, err := w.find(f, func(known entry) bool { return known.sum == e.sum && known.size == e.size })
	if err != nil {
		return err
	}
	if place.fate != undecided {
		return w.take(f, e, place.fate)
	}
	if same, err := w.adopt(f, content); err != nil {
		return err
	} else if same {
		w.note(f, placed, e, unchanged)
		return nil
	}
	if err := w.write(f, content); err != nil {
		return err
	}
	w.note(f, placed, e, written)
	return nil
}

// adopt takes over a file of a published tree without a manifest, if it has
// these bytes.
func (w *worker) adopt(f form, content []byte) (bool, error) {
	if w.listed || !w.publishedHas(f.path, int64(len(content))) {
		return false, nil
	}
	dir, name, err := w.from.of(f.path)
	if err != nil {
		return false, nil
	}
	if there, err := dir.root.ReadFile(name); err != nil || !bytes.Equal(there, content) {
		return false, nil
	}
	return true, w.bring(f.path)
}

// bring links a file of the published tree into the work tree.
func (w *worker) bring(path string) error {
	from, name, err := w.from.of(path)
	if err != nil {
		return err
	}
	return w.into(path, func(to *folder, _ string) error { return linkOrCopy(from, name, to) })
}

// into makes a file of the work tree. If something is in its place, that goes
// first: what is there may be shared with the published tree, and is not
// written to.
func (w *worker) into(path string, make func(to *folder, name string) error) error {
	to, err := w.target()
	if err != nil {
		return err
	}
	dir, name, err := to.make(path)
	if err != nil {
		return err
	}
	err = make(dir, name)
	if errors.Is(err, fs.ErrExist) {
		if err := dir.root.RemoveAll(name); err != nil {
			return err
		}
		err = make(dir, name)
	}
	return err
}

func (w *worker) write(f form, content []byte) error {
	err := w.into(f.path, func(to *folder, name string) error { return to.create(name, content, w.place.chmod) })
	if err != nil {
		return err
	}
	return w.date(f, time.Now())
}

// date gives a file of the work tree, which has a time stamp or, if that is
// zero, one that does not count, a later one if it needs it.
func (w *worker) date(f form, stamp time.Time) error {
	if w.from == nil || !f.row.has(inServed) && w.listed {
		return nil
	}
	least, ok := w.from.successor(f.path)
	if !ok || stamp.After(least) {
		return nil
	}
	return w.to.postdate(f.path, least)
}
