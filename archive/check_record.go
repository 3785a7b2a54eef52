package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// records looks at each record: whether its JSON is what arrived, and whether
// its metadata is what the JSON gives. The texts of the index go into texts,
// unless that is nil.
func (c *check) records(ctx context.Context, texts *texts) error {
	rows, err := c.numbers(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := c.jsonOf(ctx, row)
		if err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		flaw := Flaw{Kind: r.Kind, ID: r.ID, row: row}
		if !r.sound() {
			flaw.What = "its JSON is not what arrived; it is fetched again by the next run"
			flaw.mend = func(tx *Tx) error { return tx.setAside(row) }
		} else if flaw.What, err = c.metadata(ctx, r); err != nil {
			return err
		} else if flaw.What != "" {
			flaw.mend = func(tx *Tx) error { return tx.Replace(r) }
		}
		if flaw.What != "" && !c.flaw(flaw) {
			return nil
		}
		if err := texts.add(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// numbers returns the rows of all records.
func (c *check) numbers(ctx context.Context) ([]int64, error) {
	rows, err := c.read.QueryContext(ctx, `SELECT row FROM record ORDER BY row`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []int64
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, rows.Err()
}

// jsonOf reads of a record what everything else is drawn from.
func (c *check) jsonOf(ctx context.Context, row int64) (*Record, error) {
	r := &Record{Row: row}
	var hash []byte
	err := c.read.QueryRowContext(ctx, `SELECT kind, record.id, wanted, hash, list, single, found.json FROM record `+withRaw+` WHERE row = ?`,
		row).Scan(&r.Kind, &r.ID, &r.Wanted, &hash, &r.List, &r.Single, &r.Found)
	copy(r.Hash[:], hash)
	return r, err
}

// metadata says what is wrong with the metadata of a record, "" if nothing is,
// and draws it anew into r.
func (c *check) metadata(ctx context.Context, r *Record) (string, error) {
	stored, err := rowRecord(ctx, c.read, r.Row)
	if ctx.Err() != nil {
		return "", err
	}
	images, imageErr := listOf(ctx, c.read, `SELECT url FROM image WHERE row = ? ORDER BY position`, r.Row)
	if imageErr != nil {
		return "", imageErr
	}
	json := *r
	if err := c.derive(r); err != nil {
		return "its JSON cannot be read: " + err.Error(), nil
	}
	if err == nil {
		if equal(r, stored) && slices.Equal(r.Images, images) {
			r.standFrom(stored)
			return "", nil
		}
		// Which part was newer when it was drawn may have changed since.
		other := json
		other.Wanted = !json.Wanted
		if c.derive(&other) == nil && equal(&other, stored) && slices.Equal(other.Images, images) {
			*r = other
			r.standFrom(stored)
			return "", nil
		}
		r.standFrom(stored)
	}
	return "its metadata is not what its JSON gives; it is drawn anew", nil
}

// standFrom takes over where the synchronisation stands with a record.
func (r *Record) standFrom(o *Record) {
	r.Wanted, r.Recheck, r.Tries, r.Again, r.Pass = o.Wanted, o.Recheck, o.Tries, o.Again, o.Pass
	r.Seen, r.Listed, r.Fetched, r.Changed, r.Vanished, r.Address = o.Seen, o.Listed, o.Fetched, o.Changed, o.Vanished, o.Address
}

// equal reports whether two records have the same metadata.
func equal(a, b *Record) bool {
	x, err1 := a.columns()
	y, err2 := b.columns()
	const derived = 14 // of columns; the hash and where the synchronisation stands follow
	return err1 == nil && err2 == nil && slices.Equal(x[:derived], y[:derived])
}

// setAside keeps the JSON of a damaged record where nothing shows it, and has it
// fetched again.
func (t *Tx) setAside(row int64) error {
	for _, part := range []string{"list", "single"} {
		if err := t.exec(`INSERT INTO revision (row, part, json, seen)
			SELECT row, 'damaged', `+part+`, seen FROM raw JOIN record USING (row) WHERE row = ? AND `+part+` IS NOT NULL`, row); err != nil {
			return err
		}
	}
	if err := t.exec(`UPDATE raw SET list = NULL, single = NULL WHERE row = ?`, row); err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM found WHERE id IN (SELECT id FROM record WHERE row = ? AND fetched IS NULL)`, row); err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM body WHERE row = ?`, row); err != nil {
		return err
	}
	empty := new(Record).hash()
	return t.exec(`UPDATE record SET wanted = 1, tries = 0, again = NULL, fetched = NULL, hash = ? WHERE row = ?`, empty[:], row)
}

// Hash returns the hash of a record, or [ErrNotFound].
func (a *Archive) Hash(ctx context.Context, kind Kind, id string) ([]byte, error) {
	var hash []byte
	err := a.read.QueryRowContext(ctx, `SELECT hash FROM record WHERE kind = ? AND id = ?`, kind, id).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read the hash of %s %s: %w", kind, id, err)
	}
	return hash, nil
}
