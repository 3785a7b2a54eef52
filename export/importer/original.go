package importer

import (
	"context"
	"fmt"

	"ayna/archive"
	"ayna/source/get"
)

// importingState is the name of the state that is set while originals are imported, so that an
// import that was cut short can be repeated.
const importingState = "importing originals"

// takesOriginals reports whether originals may be stored: the archive has none, or an import
// of them was cut short.
func takesOriginals(ctx context.Context, a *archive.Archive) (bool, error) {
	any, err := a.Originals.Any(ctx)
	if err != nil || !any {
		return !any, err
	}
	state, err := a.State.Get(ctx, importingState)
	return state != "", err
}

// addOriginal adds an original to the batch.
func (im *importer) addOriginal(ctx context.Context, l line) error {
	o := l.original
	if !im.originals {
		return nil
	}
	if im.keys.InJSON(o.Data) || im.keys.InText(o.Type+" "+o.ID+" "+o.Record+" "+o.Operation+" "+o.Reader) {
		return fmt.Errorf("line %d %w: %w; remove the key from the file", l.number, ErrLine, get.ErrSecret)
	}
	kept, err := im.redaction.Apply(o.Data)
	if err != nil { // the error may have a part of the file
		return fmt.Errorf("line %d %w: its JSON cannot be read", l.number, ErrLine)
	}
	o.Data = kept
	return im.collect(ctx, l, len(kept))
}

func (im *importer) storeOriginal(tx *archive.Tx, l line, counts *Imported) error {
	stored, err := tx.Originals.Import(*l.original)
	if err == nil && stored {
		counts.Originals++
		err = tx.State.Set(importingState, "1")
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", l.number, err)
	}
	return nil
}

// finish notes that an import has come to its end. Records may have come without originals.
func (im *importer) finish(ctx context.Context) error {
	return im.archive.Update(ctx, func(tx *archive.Tx) error {
		if err := tx.State.Set(importingState, ""); err != nil {
			return err
		}
		return tx.State.Set(archive.OriginalsState, "")
	})
}
