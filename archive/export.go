package archive

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Records yields every record that is not kept aside with its JSON, in the order
// of arrival.
func (a *Archive) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return records(ctx, a.read, true, `SELECT `+rawColumns+` FROM record `+withRaw+` WHERE `+notAside+` ORDER BY record.row`)
}

// Restore stores a record as another archive had it, with its times and its
// address. One that is there already stays as it is, and so does one that was
// forgotten: then it reports false. The record must have its hash.
func (t *Tx) Restore(r *Record) (bool, error) {
	known, err := t.names(`SELECT id FROM forgotten WHERE kind = ? AND id = ?`, r.Kind, r.ID)
	if err != nil || len(known) > 0 {
		return false, err
	}
	if old, err := t.Get(r.Kind, r.ID); err == nil && !old.Damaged {
		return false, nil
	} else if err != nil && !errors.Is(err, ErrNotFound) {
		return false, err
	}
	if !r.sound() {
		return false, fmt.Errorf("restore %s %s: its JSON has not the hash that is named: %w", r.Kind, r.ID, ErrDamaged)
	}
	if r.Single == nil && r.Found != nil {
		if err := t.KeepFound(r.ID, r.Found); err != nil {
			return false, err
		}
	}
	vanished, address := r.Vanished, r.Address
	if _, err := t.Put(r, r.Seen); err != nil {
		return false, err
	}
	if address != "" {
		if err := t.SetAddress(r.Row, address); err != nil {
			return false, err
		}
	}
	if !vanished.IsZero() {
		return true, t.Vanish(r.Kind, r.ID, vanished)
	}
	return true, nil
}
