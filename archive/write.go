package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ayna/archive/database"
	"ayna/archive/runstate"
	"ayna/archive/schedule"
	"ayna/record"
)

// Change is the effect of storing a record.
type Change int

// The changes, from least to most.
const (
	Unchanged Change = iota
	Changed
	New
)

// Tx is a transaction that writes. Its own methods write records; its parts write what the
// parts of an [Archive] of the same names read.
type Tx struct {
	transaction
	Originals OriginalsTx
	Schedule  schedule.Tx
	State     runstate.Tx
	Hits      HitsTx
	Comments  CommentsTx
}

type transaction struct {
	ctx     context.Context
	tx      database.Tx
	waiting *waiting
}

// Update runs fn in a transaction. It commits if fn returns nil, and rolls back
// otherwise.
func (a *Archive) Update(ctx context.Context, fn func(*Tx) error) error {
	return a.db.Update(ctx, func(tx database.Tx) error {
		t := transaction{ctx, tx, &waiting{words: make(map[int64][]string)}}
		all := &Tx{t, OriginalsTx{t}, schedule.Within(tx), runstate.Within(tx), HitsTx{t}, CommentsTx{t}}
		if err := fn(all); err != nil {
			return err
		}
		return all.enterWords()
	})
}

// Get returns a record with its JSON, or [database.ErrNotFound].
func (t *Tx) Get(kind record.Kind, id string) (*Record, error) {
	return fullRecord(t.ctx, t.tx.Statements, fmt.Sprintf("read %s %s", kind, id), `kind = $1 AND record.id = $2`, kind, id)
}

// Put stores r under its kind and id, and the JSON that it replaces as revisions. now
// is the time of the answer. Put sets Row, Seen, Changed, Address and Hash of r. In the
// archive the record is neither gone nor kept aside then, but for one that the source says to
// be none: that stays so until it has a single record.
func (t *Tx) Put(r *Record, now time.Time) (Change, error) {
	change, err := t.put(r, now)
	if err != nil {
		return 0, fmt.Errorf("store %s %s: %w", r.Kind, r.ID, err)
	}
	return change, nil
}

func (t *Tx) put(r *Record, now time.Time) (Change, error) {
	r.SetHash()
	old, err := t.Get(r.Kind, r.ID)
	switch {
	case errors.Is(err, database.ErrNotFound):
		r.Seen = now
		if err := t.insert(r); err != nil {
			return 0, err
		}
		return New, errors.Join(t.addURLs(r, ""), t.refreshTables(r))
	case err != nil:
		return 0, err
	}
	r.Row, r.Seen, r.Address, r.Changed, r.NoRecord = old.Row, old.Seen, old.Address, old.Changed, old.NoRecord
	if old.Hash == r.Hash && !old.Damaged {
		r.GoneAt = old.GoneAt
		return Unchanged, t.Touch(r)
	}
	if err := t.revise(old, r, now); err != nil {
		return 0, err
	}
	if err := t.update(r); err != nil {
		return 0, err
	}
	return Changed, errors.Join(t.addURLs(r, old.URL), t.refreshTables(r))
}

// addURLs stores the addresses of a record besides its present one: the replaced one, and
// those of other parts of its JSON.
func (t *Tx) addURLs(r *Record, replaced string) error {
	for _, url := range append(r.URLs, replaced) {
		if url == "" || url == r.URL {
			continue
		}
		if err := t.exec(`INSERT INTO former_url (row, url) VALUES ($1, $2) ON CONFLICT DO NOTHING`, r.Row, url); err != nil {
			return err
		}
	}
	return nil
}

// Touch stores the synchronisation state of a record as Get has returned it, whose JSON has not
// changed. It clears gone_at and the mark of a provisional record.
func (t *Tx) Touch(r *Record) error {
	err := t.set(r.Row, namesOf(syncColumns), valuesOf(syncColumns, r))
	if err != nil || r.GoneAt.IsZero() {
		return err
	}
	// In a statement of its own: most indexes hold this column.
	return t.exec(`UPDATE record SET gone_at = NULL, aside = 0 WHERE row = $1 AND aside <> 2`, r.Row)
}

// TouchListed stores that a pass has seen some records in a list, and when. Their other state has
// not changed.
func (t *Tx) TouchListed(rows []int64, pass int, listed time.Time) error {
	among, arg := t.tx.Among(rows, "$3")
	err := t.exec(`UPDATE record SET listed = $1, pass = CASE WHEN pass < $2 THEN $2 ELSE pass END WHERE `+among, database.Millis(listed), pass, arg)
	return database.Wrap(err, "store that %d records are listed", len(rows))
}

// revise stores the parts of old that r replaces as revisions. The first arrival of a
// part is no change.
func (t *Tx) revise(old, r *Record, now time.Time) error {
	parts := []struct {
		name     string
		old, new []byte
	}{{"list", old.List, r.List}, {"single", old.Single, r.Single}}
	for _, part := range parts {
		if part.old == nil || bytes.Equal(part.old, part.new) {
			continue
		}
		r.Changed = now
		if err := t.addRevision(r.Row, part.name, part.old, now); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) insert(r *Record) error {
	names := append(namesOf(putColumns), "kind", "id", "seen")
	values := append(valuesOf(putColumns, r), r.Kind, r.ID, database.Millis(r.Seen))
	err := t.tx.QueryRowContext(t.ctx, `INSERT INTO record (`+strings.Join(names, ", ")+`)
		VALUES (`+numbered(make([]string, len(names)))+`) RETURNING row`, values...).Scan(&r.Row)
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO raw (row, list, single) VALUES ($1, $2, $3)`, r.Row, text(r.List), text(r.Single))
}

func (t *Tx) update(r *Record) error {
	goneAt, aside := any(nil), 0
	if r.NoRecord && r.Single == nil {
		goneAt, aside = database.Millis(r.Seen), 2
	}
	if err := t.set(r.Row, append(namesOf(putColumns), "gone_at", "aside"), append(valuesOf(putColumns, r), goneAt, aside)); err != nil {
		return err
	}
	return t.exec(`UPDATE raw SET list = $1, single = $2 WHERE row = $3`, text(r.List), text(r.Single), r.Row)
}

// set sets columns of a record.
func (t *Tx) set(row int64, names []string, values []any) error {
	set := make([]string, len(names))
	for i, name := range names {
		set[i] = name + " = "
	}
	return t.exec(`UPDATE record SET `+numbered(set)+fmt.Sprintf(` WHERE row = $%d`, len(names)+1), append(values, row)...)
}

func (t transaction) exec(query string, args ...any) error { return t.tx.Exec(query, args...) }

// MarkGone marks a record as gone from the source. It stays marked to be fetched, for when
// a list shows it again.
func (t *Tx) MarkGone(kind record.Kind, id string, now time.Time) error {
	err := t.exec(`UPDATE record SET gone_at = $1 WHERE kind = $2 AND id = $3 AND gone_at IS NULL`,
		database.Millis(now), kind, id)
	return database.Wrap(err, "mark %s %s as gone", kind, id)
}

// SetAddress stores the address of a record's page.
func (t *Tx) SetAddress(row int64, address string) error {
	err := t.exec(`UPDATE record SET address = $1 WHERE row = $2`, address, row)
	return database.Wrap(err, "keep address %s", address)
}
