package output

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"ayna/generator/release"
)

// worker renders files one after the other, with buffers and open directories
// of its own.
type worker struct {
	*build
	from          *release.Dirs // of the published tree, or nil
	to            *release.Dirs // of the stage, nil until it is needed
	plain, packed bytes.Buffer
	compressors   compressors
}

// maxBuffer bounds the memory that a worker keeps after a large file.
const maxBuffer = 4 << 20

func newWorker(b *build) *worker {
	w := &worker{build: b}
	if b.published != nil {
		w.from = release.NewDirs(b.published, b.options.Jobs)
	}
	return w
}

func (w *worker) close() {
	for _, dirs := range []*release.Dirs{w.from, w.to} {
		if dirs != nil {
			dirs.Close()
		}
	}
}

// target returns the directories of the stage.
func (w *worker) target() (*release.Dirs, error) {
	if w.to == nil {
		stage, err := w.openStage()
		if err != nil {
			return nil, err
		}
		w.to = release.NewDirs(stage, w.options.Jobs)
	}
	return w.to, nil
}

// do renders a file and keeps the published one if its bytes are the same.
func (w *worker) do(ctx context.Context, t task) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
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
	return w.putAll(t, regular)
}

// putAll publishes the rendered bytes in all forms of a file.
func (w *worker) putAll(t task, m mark) error {
	for i, f := range t.forms {
		if i > 0 && t.forms[0].row.decision == kept && f.row.mark == m && w.isPublished(f.path, f.row.size) {
			w.decide(f, kept, f.row.entry, unchanged) // the compressed form of the same bytes
			continue
		}
		content, err := w.form(f.method)
		if err != nil {
			return err
		}
		if err := w.put(f, m, content); err != nil {
			return err
		}
	}
	if w.plain.Cap() > maxBuffer {
		w.plain, w.packed = bytes.Buffer{}, bytes.Buffer{}
	}
	return nil
}

func (w *worker) put(f form, m mark, content []byte) error {
	e := entry{sha256.Sum256(content), int64(len(content)), m}
	if w.hasPublished(f, e) {
		w.decide(f, kept, e, unchanged)
		return nil
	}
	to, err := w.target()
	if err != nil {
		return err
	}
	if err := to.Create(f.path, content); err != nil {
		return err
	}
	if err := w.date(f, time.Now()); err != nil {
		return err
	}
	w.decide(f, placed, e, written)
	return nil
}

// hasPublished reports whether the published tree has these bytes at the path.
func (w *worker) hasPublished(f form, e entry) bool {
	return f.row.wasPublished && f.row.sum == e.sum && f.row.size == e.size &&
		f.row.mark == e.mark && w.isPublished(f.path, e.size)
}

// isPublished reports whether the published tree has a regular file of that
// size.
func (w *worker) isPublished(path string, size int64) bool {
	info := w.stat(path)
	return info != nil && info.Mode().IsRegular() && info.Size() == size
}

// stat returns nil if the published tree does not have the path.
func (w *worker) stat(path string) fs.FileInfo {
	if w.from == nil {
		return nil
	}
	dir, name, err := w.from.Of(path)
	if err != nil {
		return nil
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return nil
	}
	return info
}

// date makes the time stamp of a file in the stage later than that of the bytes
// it replaces.
func (w *worker) date(f form, stamp time.Time) error {
	if w.from == nil {
		return nil
	}
	least, ok := w.from.Successor(f.path)
	if !ok || stamp.After(least) {
		return nil
	}
	return w.to.Postdate(f.path, least)
}

// link publishes the file that File.Link names. done is false if there is no
// such file or it cannot be linked: then the file has to be written.
func (w *worker) link(file File, f form) (done bool, err error) {
	info, err := os.Lstat(file.Link)
	if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
		return false, nil
	}
	e := entry{size: info.Size(), mark: regular}
	switch {
	case file.known != nil:
		e = *file.known
	case f.row.wasPublished && f.row.size == e.size && w.isSame(f.path, info):
		e.sum = f.row.sum
	default:
		if e.sum, err = sumOf(file.Link); err != nil {
			return false, nil
		}
	}
	if w.hasPublished(f, e) {
		w.decide(f, kept, e, unchanged)
		return true, nil
	}
	to, err := w.target()
	if err != nil {
		return false, err
	}
	dir, name, err := to.Make(f.path)
	if err != nil {
		return false, err
	}
	if dir.LinkOutside(file.Link, name) != nil {
		return false, nil
	}
	if err := w.date(f, info.ModTime()); err != nil {
		return false, err
	}
	w.decide(f, placed, e, written)
	return true, nil
}

// isSame reports whether the published file is a link to the same bytes.
func (w *worker) isSame(path string, info fs.FileInfo) bool {
	published := w.stat(path)
	return published != nil && os.SameFile(published, info)
}

// sumOf returns the SHA-256 of a file, from its name if that holds it.
func sumOf(name string) (sum [32]byte, err error) {
	base, _, _ := strings.Cut(filepath.Base(name), ".")
	if len(base) == 2*len(sum) {
		if _, err := hex.Decode(sum[:], []byte(base)); err == nil {
			return sum, nil
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum, err
	}
	return [32]byte(h.Sum(nil)), nil
}

// fail records that a file could not be rendered. Its published version stays,
// or the fallback is published.
func (w *worker) fail(ctx context.Context, t task, reason error) error {
	if t.file.Fallback != nil && !w.publishedAsItself(t.forms[0]) {
		w.plain.Reset()
		err := t.file.Fallback(ctx, &w.plain)
		if err == nil {
			w.failed(t.file.Path, reason, false)
			return w.putAll(t, standIn)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		reason = errors.Join(reason, err)
	}
	w.failed(t.file.Path, reason, w.publishedAsItself(t.forms[0]))
	for _, f := range t.forms {
		if err := w.stay(f); err != nil {
			return err
		}
	}
	return nil
}

// publishedAsItself reports whether an earlier version of a file is published
// that is not a fallback.
func (w *worker) publishedAsItself(f form) bool {
	return f.row.wasPublished && f.row.mark != standIn &&
		(f.row.size == unknownSize || w.isPublished(f.path, f.row.size))
}

// stay keeps a file as it is published. A distrusted file is read, since the
// manifest lists its digest.
func (w *worker) stay(f form) error {
	e := f.row.entry
	if !f.row.wasPublished {
		return nil
	}
	if e.size == unknownSize {
		dir, name, err := w.from.Of(f.path)
		if err != nil {
			return nil
		}
		content, err := dir.ReadFile(name)
		if err != nil {
			return nil
		}
		e = entry{sha256.Sum256(content), int64(len(content)), e.mark}
	}
	if w.isPublished(f.path, e.size) {
		if e.mark == lingering {
			e.mark = regular
		}
		w.decide(f, kept, e, stayed)
	}
	return nil
}
