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
	Part       string    // "list" or "single"; "damaged" is what [Archive.Mend] replaced
	JSON       []byte    // as it was received
	ReplacedAt time.Time // when the next version was first seen
}

// Revised returns the rows of the records that have earlier versions, most recently
// changed first, up to limit.
func (a *Archive) Revised(ctx context.Context, limit int) ([]int64, error) {
	return all(ctx, a.read, "read what was revised", column[int64],
		`SELECT row FROM revision GROUP BY row ORDER BY max(seen) DESC, row DESC LIMIT $1`, limit)
}

// RevisedRows yields the rows of all records that have earlier versions.
func (a *Archive) RevisedRows(ctx context.Context) iter.Seq2[int64, error] {
	return each(ctx, a.read, "read what was revised", column[int64], `SELECT DISTINCT row FROM revision`)
}

// Earlier yields the earlier versions of a record, newest first. It holds only one in
// memory, since a record may have any number of them.
func (a *Archive) Earlier(ctx context.Context, row int64) iter.Seq2[Revision, error] {
	return each(ctx, a.read, fmt.Sprintf("read revisions of row %d", row), func(row scanner) (r Revision, err error) {
		err = row.Scan(&r.Part, &r.JSON, instant{&r.ReplacedAt})
		return r, err
	}, `SELECT part, json, seen FROM revision WHERE row = $1 ORDER BY seen DESC, rowid DESC`, row)
}

// Records yields every record that is not kept aside with its JSON, in the order
// of arrival.
func (a *Archive) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return records(ctx, a.read, true, `SELECT `+rawColumns+` FROM record `+withRaw+` WHERE `+notAside+` ORDER BY record.row`)
}

// Import stores a record of another archive with its times and its address, and
// replaces a damaged one. It returns false and changes nothing if the archive has the
// record undamaged or if it was forgotten, and [ErrDamaged] if the JSON does not match
// its hash.
func (t *Tx) Import(r *Record) (bool, error) {
	if forgotten, err := t.IsForgotten(r.Kind, r.ID); err != nil || forgotten {
		return false, err
	}
	if old, err := t.Get(r.Kind, r.ID); err == nil && !old.Damaged {
		return false, nil
	} else if err != nil && !errors.Is(err, ErrNotFound) {
		return false, err
	}
	if !r.Sound() {
		return false, fmt.Errorf("import %s %s: its JSON does not match its hash: %w", r.Kind, r.ID, ErrDamaged)
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

func (t *Tx) addRevision(row int64, part string, json []byte, replacedAt time.Time) error {
	return t.exec(`INSERT INTO revision (row, part, json, seen) VALUES ($1, $2, $3, $4)`, row, part, text(json), millis(replacedAt))
}
