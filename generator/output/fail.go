package output

import (
	"context"
	"crypto/sha256"
	"errors"
)

// fail notes that a file cannot be rendered. The version that is published
// stays, or another file stands in for it, and the next build tries again.
func (w *worker) fail(ctx context.Context, t task, reason error) error {
	stands := t.file.Fallback != nil && !w.publishedAsItself(t.forms[0])
	if stands {
		w.plain.Reset()
		if err := t.file.Fallback(ctx, &w.plain); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			stands, reason = false, errors.Join(reason, err)
		}
	}
	w.failed(t.file.Path, reason)
	if stands {
		return w.putAll(t, standIn)
	}
	return w.stay(t)
}

// publishedAsItself reports whether an earlier version of a file is published
// that does not stand in for it.
func (w *worker) publishedAsItself(f form) bool {
	e, ok := f.row.served()
	return ok && e.key != standIn && (!w.listed || w.publishedHas(f.path, e.size))
}

// stay settles that a file stays as it is published.
func (w *worker) stay(t task) error {
	for _, f := range t.forms {
		e, ok := f.row.served()
		switch {
		case !ok:
		case w.listed:
			if w.publishedHas(f.path, e.size) {
				if e.key != standIn {
					e.key = Key{}
				}
				w.note(f, kept, e, stayed)
			}
		default:
			if err := w.adoptUnread(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// adoptUnread takes over a file of which it is not known what it holds.
func (w *worker) adoptUnread(f form) error {
	dir, name, err := w.from.of(f.path)
	if err != nil {
		return nil
	}
	content, err := dir.root.ReadFile(name)
	if err != nil {
		return nil
	}
	if err := w.bring(f.path); err != nil {
		return err
	}
	w.note(f, placed, entry{sum: sha256.Sum256(content), size: int64(len(content))}, stayed)
	return nil
}
