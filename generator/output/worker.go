package output

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"ayna/generator/site"
	"ayna/generator/swap"
	"ayna/picture"
)

// worker renders files one after the other, with buffers of its own.
type worker struct {
	*build
	files         *swap.Creator
	plain, packed bytes.Buffer
	compressors   map[string]compressor
}

// maxBuffer bounds the memory that a worker keeps after a large file.
const maxBuffer = 4 << 20

// doAll decides what becomes of the files of a batch.
func (w *worker) doAll(ctx context.Context, batch []task) error {
	files, kept, isSampled := 0, 0, w.isSampled(batch[0].file)
	for i := range batch {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t := &batch[i]
		files += len(t.variants)
		if t.file.Key != nil && w.options.Program != "" {
			t.key = t.file.Key()
		}
		keeps := t.keeps()
		if keeps && !isSampled {
			for _, v := range t.variants {
				v.decide(unchanged, v.row.sum, v.row.size)
			}
			kept += len(t.variants)
		} else if err := w.do(ctx, t, keeps); err != nil {
			return err
		}
	}
	w.progress(files, kept)
	return nil
}

// do renders a file. keeps is true if it should be the one that is published.
func (w *worker) do(ctx context.Context, t *task, keeps bool) error {
	for _, v := range t.variants {
		v.row.key = t.key
	}
	err := w.render(ctx, *t)
	if keeps && err == nil && t.variants[0].row.next == written {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.result.Differing = append(w.result.Differing, t.file.Path)
	}
	return err
}

// render renders a file and keeps the published one if its bytes are the same.
func (w *worker) render(ctx context.Context, t task) error {
	if t.file.Link != "" {
		if done, err := w.link(t.file, t.variants[0]); done || err != nil {
			return err
		}
		return w.copyLinked(ctx, t)
	}
	w.plain.Reset()
	if err := t.file.Write(ctx, &w.plain); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return w.fail(ctx, t, err)
	}
	return w.putAll(t)
}

// putAll publishes the rendered bytes in all variants of a file.
func (w *worker) putAll(t task) error {
	for i, v := range t.variants {
		if i > 0 && t.variants[0].row.next == unchanged && v.row.was == live && v.row.size >= 0 {
			v.decide(unchanged, v.row.sum, v.row.size) // the compressed variant of the same bytes
			continue
		}
		content, err := w.content(v.method)
		if err != nil {
			return err
		}
		if err := w.put(v, content); err != nil {
			return err
		}
	}
	if w.plain.Cap() > maxBuffer {
		w.plain, w.packed = bytes.Buffer{}, bytes.Buffer{}
	}
	return nil
}

func (w *worker) put(v variant, content []byte) error {
	sum, size := sha256.Sum256(content), int64(len(content))
	if v.isPublished(sum, size) {
		v.decide(unchanged, sum, size)
		return nil
	}
	if err := w.files.Create(v.path, content); err != nil {
		return err
	}
	return w.add(v, sum, size, time.Now())
}

// add records that the stage has a file, whose time stamp is given.
func (w *worker) add(v variant, sum [32]byte, size int64, stamp time.Time) error {
	v.decide(written, sum, size)
	if w.published == nil {
		return nil
	}
	return swap.Postdate(w.published, w.stage, v.path, stamp)
}

// decide sets the decision and the next file of a path.
func (v variant) decide(d decision, sum [32]byte, size int64) {
	v.row.next, v.row.sum, v.row.size = d, sum, size
}

// isPublished reports whether the site has published these bytes at the path.
func (v variant) isPublished(sum [32]byte, size int64) bool {
	return v.row.was == live && v.row.sum == sum && v.row.size == size
}

// link publishes the file that File.Link names by a link. done is false if it
// cannot be linked; then the caller copies it.
func (w *worker) link(file File, v variant) (done bool, err error) {
	info, err := os.Lstat(file.Link)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
		return false, nil
	}
	var sum [32]byte
	if v.row.sum != sum && w.isSame(v.path, info) {
		sum = v.row.sum
	} else if sum, err = sumOf(file.Link); err != nil {
		return false, nil
	}
	if v.isPublished(sum, info.Size()) {
		v.decide(unchanged, sum, info.Size())
		return true, nil
	}
	if swap.LinkOutside(w.stage, file.Link, v.path) != nil {
		return false, nil
	}
	return true, w.add(v, sum, info.Size(), info.ModTime())
}

// isSame reports whether the published tree has that file at the path.
func (b *build) isSame(path string, file fs.FileInfo) bool {
	info, err := b.published.Lstat(path)
	return err == nil && os.SameFile(info, file)
}

// sumOf returns the SHA-256 of a file, from its name if that holds it.
func sumOf(name string) (sum [32]byte, err error) {
	base, _, _ := strings.Cut(filepath.Base(name), ".")
	if len(base) == 2*len(sum) {
		if _, err := hex.Decode(sum[:], []byte(base)); err == nil {
			return sum, nil
		}
	}
	h := sha256.New()
	_, err = copyFile(h, name)
	return [32]byte(h.Sum(nil)), err
}

// copyLinked copies the file that File.Link names. One that is empty has lost its bytes in a power
// cut.
func (w *worker) copyLinked(ctx context.Context, t task) error {
	h := sha256.New()
	size, err := copyFile(h, t.file.Link)
	if err == nil && size == 0 {
		err = fmt.Errorf("%s is empty: %w", t.file.Link, fs.ErrNotExist)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: the file is lost; the next build that asks the source fetches it again", err)
	}
	if err != nil {
		return w.fail(ctx, t, err)
	}
	v, sum := t.variants[0], [32]byte(h.Sum(nil))
	if v.isPublished(sum, size) {
		v.decide(unchanged, sum, size)
		return nil
	}
	f, err := picture.Open(t.file.Link)
	if err != nil {
		return w.fail(ctx, t, err)
	}
	defer f.Close()
	if err := w.files.Copy(v.path, f); err != nil {
		return err
	}
	return w.add(v, sum, size, time.Now())
}

func copyFile(to io.Writer, name string) (int64, error) {
	f, err := picture.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(to, f)
}

// fail records that a file could not be rendered. Its published version stays,
// or the fallback is published.
func (w *worker) fail(ctx context.Context, t task, reason error) error {
	for _, v := range t.variants {
		v.row.key = site.Digest{} // the next build tries again
	}
	first := t.variants[0]
	stays := first.row.was != unpublished && first.row.size >= 0
	if t.file.Fallback != nil && !stays {
		w.plain.Reset()
		err := t.file.Fallback(ctx, &w.plain)
		if err == nil {
			w.failed(t.file.Path, reason)
			return w.putAll(t)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		reason = errors.Join(reason, err)
	}
	w.failed(t.file.Path, reason)
	if stays {
		w.tolerate(reason)
	}
	for _, v := range t.variants {
		w.keepPublished(v)
	}
	return nil
}

// failed records that a file could not be rendered.
func (b *build) failed(path string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.result.Failed = append(b.result.Failed, Failure{path, err})
}

// tolerate counts a file that stays as it is published because its record is unreadable.
func (b *build) tolerate(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.options.Unreadable != nil && b.options.Unreadable(err) {
		b.tolerated++
	}
}

// keepPublished keeps a file as it is published. A distrusted file is read, since the
// manifest will list its digest.
func (b *build) keepPublished(v variant) {
	if v.row.was == unpublished || v.row.size < 0 {
		return
	}
	sum, size := v.row.sum, v.row.size
	if sum == [32]byte{} {
		f, err := b.published.Open(v.path)
		if err != nil {
			return
		}
		defer f.Close()
		h := sha256.New()
		if size, err = io.Copy(h, f); err != nil {
			return
		}
		sum = [32]byte(h.Sum(nil))
	}
	v.decide(stale, sum, size)
}
