package archive

import (
	"bytes"
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
		`SELECT row FROM revision GROUP BY row ORDER BY max(seen) DESC, row DESC LIMIT ?`, limit)
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
	}, `SELECT part, json, seen FROM revision WHERE row = ? ORDER BY seen DESC, rowid DESC`, row)
}

// Records yields every record that is not kept aside with its JSON, in the order
// of arrival.
func (a *Archive) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return records(ctx, a.read, true, `SELECT `+rawColumns+` FROM record `+withRaw+` WHERE `+notAside+` ORDER BY record.row`)
}

// Import stores a record of another archive with its times and its address, and
// replaces a damaged one. It returns false and changes nothing if the archive has the
// record undamaged or if it was forgotten, and [ErrDamaged] if the JSON does not match
// its hash. earlier are the record's earlier versions, oldest first.
func (t *Tx) Import(r *Record, earlier ...Revision) (bool, error) {
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
	for _, revision := range earlier {
		if err := t.addRevision(r.Row, revision.Part, revision.JSON, revision.ReplacedAt); err != nil {
			return false, err
		}
	}
	if !goneAt.IsZero() {
		return true, t.MarkGone(r.Kind, r.ID, goneAt)
	}
	return true, nil
}

// PutEarlier stores JSON that a part of a record, as [Tx.Get] returned it, had at a time
// before its current version as a revision. It returns false and changes nothing if the
// archive knows that.
func (t *Tx) PutEarlier(r *Record, part string, json []byte, at time.Time) (stored bool, err error) {
	stored, err = t.putEarlier(r, part, json, at)
	if err != nil {
		return false, fmt.Errorf("store an earlier version of %s %s: %w", r.Kind, r.ID, err)
	}
	return stored, nil
}

func (t *Tx) putEarlier(r *Record, part string, json []byte, at time.Time) (bool, error) {
	v, at, err := t.versionAt(r, part, json, at)
	if err != nil || bytes.Equal(v.json, json) {
		return false, err
	}
	isFirst, end := at.Before(v.start), v.end
	switch {
	case isFirst:
		end = v.start
	case v.row != 0:
		err = t.exec(`UPDATE revision SET seen = ? WHERE rowid = ?`, millis(at), v.row)
	case v.follows && at.Before(end): // the current version returned
		err = t.addRevision(r.Row, part, v.json, at)
	}
	if err == nil && (isFirst || v.row == 0 || !bytes.Equal(v.next, json)) { // otherwise the next version began earlier than known
		err = t.addRevision(r.Row, part, json, end)
	}
	if err != nil {
		return false, err
	}
	return true, t.countGeneration()
}

// version is a version of a part of a record, in effect from start until end. The end of
// the current version is when it was seen last.
type version struct {
	row        int64  // of its revision; 0 for the current version
	json, next []byte // next is the version after it
	start, end time.Time
	follows    bool // it follows another version
}

// versionAt returns the version that the archive has for a time. Versions of the same time
// follow each other by a millisecond: it returns the one with the given JSON, or else the
// last one and the time after it.
func (t *Tx) versionAt(r *Record, part string, json []byte, at time.Time) (v version, _ time.Time, err error) {
	v.json, v.end = r.List, r.Listed
	if part == SinglePart {
		v.json, v.end = r.Single, r.Fetched
	}
	v.next = v.json
	err = t.tx.QueryRowContext(t.ctx, `SELECT max(seen) FROM revision WHERE row = ? AND part = ? AND seen <= ?`, r.Row, part, at.UnixMilli()).Scan(instant{&v.start})
	if err != nil {
		return v, at, err
	}
	if v.follows = !v.start.IsZero(); !v.follows {
		v.start = r.Seen
	}
	for later, err := range each(t.ctx, t.tx, "read revisions", func(row scanner) (later version, err error) {
		err = row.Scan(&later.row, &later.json, instant{&later.end})
		return later, err
	}, `SELECT rowid, json, seen FROM revision WHERE row = ? AND part = ? AND seen > ? ORDER BY seen, rowid`, r.Row, part, at.UnixMilli()) {
		if err != nil {
			return v, at, err
		}
		if v.row != 0 {
			v.next = later.json
			break
		}
		if bytes.Equal(later.json, json) || later.end.Sub(at) > time.Millisecond {
			v.row, v.json, v.end = later.row, later.json, later.end
		} else {
			at, v.start, v.follows = later.end, later.end, true
		}
	}
	if v.follows && v.start.Equal(at) {
		at = at.Add(time.Millisecond)
	}
	return v, at, nil
}

// SetSeen notes that a record was seen at a time, if that is earlier than known.
func (t *Tx) SetSeen(row int64, at time.Time) error {
	err := t.exec(`UPDATE record SET seen = ?1 WHERE row = ?2 AND seen > ?1`, at.UnixMilli(), row)
	if err == nil {
		err = t.countGeneration()
	}
	return wrap(err, "note when row %d was seen", row)
}

// countGeneration notes a change that no trigger notes.
func (t *Tx) countGeneration() error {
	return t.exec(`UPDATE state SET value = CAST(value AS bigint) + 1 WHERE name = 'generation'`)
}

func (t *Tx) addRevision(row int64, part string, json []byte, replacedAt time.Time) error {
	return t.exec(`INSERT INTO revision (row, part, json, seen) VALUES (?, ?, ?, ?)`, row, part, text(json), millis(replacedAt))
}
