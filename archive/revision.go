package archive

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// Revision is an earlier version of one part of a record.
type Revision struct {
	Part string    // "list" or "single"; "damaged" is what a check set aside
	JSON []byte    // as it was received
	Seen time.Time // when the version that followed it was first seen
}

// Revised returns the rows of at most most records that have earlier versions, last
// changed first.
func (a *Archive) Revised(ctx context.Context, most int) ([]int64, error) {
	return all(ctx, a.read, "read what was revised", column[int64],
		`SELECT row FROM revision GROUP BY row ORDER BY max(seen) DESC, row DESC LIMIT ?`, most)
}

// RevisedRows yields the rows of all records that have earlier versions.
func (a *Archive) RevisedRows(ctx context.Context) iter.Seq2[int64, error] {
	return each(ctx, a.read, "read what was revised", column[int64], `SELECT DISTINCT row FROM revision`)
}

// Earlier yields the earlier versions of a record, newest first. It holds only one in
// memory, since a record may have any number of them.
func (a *Archive) Earlier(ctx context.Context, row int64) iter.Seq2[Revision, error] {
	return each(ctx, a.read, fmt.Sprintf("read revisions of row %d", row), func(row scanner) (r Revision, err error) {
		err = row.Scan(&r.Part, &r.JSON, instant{&r.Seen})
		return r, err
	}, `SELECT part, json, seen FROM revision WHERE row = ? ORDER BY seen DESC, rowid DESC`, row)
}

// Records yields every record that is not kept aside with its JSON, in the order
// of arrival.
func (a *Archive) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return records(ctx, a.read, true, `SELECT `+rawColumns+` FROM record `+withRaw+` WHERE `+notAside+` ORDER BY record.row`)
}

// Restore stores a record of another archive with its times and its address. It
// returns false and changes nothing if the archive has the record or it was
// forgotten, and [ErrDamaged] if its JSON does not have its hash.
func (t *Tx) Restore(r *Record) (bool, error) {
	var forgotten bool
	err := t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM forgotten WHERE kind = ? AND id = ?)`, r.Kind, r.ID).Scan(&forgotten)
	if err != nil || forgotten {
		return false, err
	}
	if old, err := t.Get(r.Kind, r.ID); err == nil && !old.Damaged {
		return false, nil
	} else if err != nil && !errors.Is(err, ErrNotFound) {
		return false, err
	}
	if !r.sound() {
		return false, fmt.Errorf("restore %s %s: its JSON does not have its hash: %w", r.Kind, r.ID, ErrDamaged)
	}
	if r.Single == nil && r.Hit != nil {
		if err := t.PutHit(r.ID, r.Hit); err != nil {
			return false, err
		}
	}
	goneAt, address := r.GoneAt, r.Address
	if _, err := t.Put(r, r.Seen); err != nil {
		return false, err
	}
	if address != "" {
		if err := t.SetAddress(r.Row, address); err != nil {
			return false, err
		}
	}
	if !goneAt.IsZero() {
		return true, t.MarkGone(r.Kind, r.ID, goneAt)
	}
	return true, nil
}
