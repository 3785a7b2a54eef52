package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// held is what an archive holds of a record, and what is found wrong with it.
type held struct {
	Record          // kind, id, hash and JSON; then what is drawn from that
	columns  []any  // what was drawn from it, as [Record.columns] has it
	images   string // the addresses of its pictures, divided by U+001F
	names    string // of the files of its pictures, divided by blanks
	pictures []byte // the digest of these names

	flaws []Flaw
	words []any // what the full-text index has of it
}

// derived is how many of the columns that [Record.columns] returns are drawn
// from the JSON. The hash and where the synchronisation stands follow.
const derived = 14

const heldColumns = `SELECT row, kind, record.id, wanted, hash, pictures,
	type, path, title, spot, url, editor, writer_id, lead, published, modified, tags, writers, related, links,
	list, single, found.json,
	(SELECT string_agg(url, ? ORDER BY position) FROM image WHERE image.row = record.row),
	(SELECT string_agg(coalesce(media.name, ''), ' ' ORDER BY position) FROM image LEFT JOIN media USING (url) WHERE image.row = record.row)
	FROM record ` + withRaw

const unitSeparator = "\x1f"

func (h *held) scan(rows *sql.Rows) error {
	var hash []byte
	var texts [derived]string
	var published, modified sql.NullInt64
	var images, names sql.NullString
	into := []any{&h.Row, &h.Kind, &h.ID, &h.Wanted, &hash, &h.pictures}
	const times = 8 // the columns before published and modified
	for i := range texts {
		switch i {
		case times:
			into = append(into, &published)
		case times + 1:
			into = append(into, &modified)
		default:
			into = append(into, &texts[i])
		}
	}
	if err := rows.Scan(append(into, &h.List, &h.Single, &h.Found, &images, &names)...); err != nil {
		return err
	}
	copy(h.Hash[:], hash)
	h.images, h.names = images.String, names.String
	h.columns = make([]any, derived)
	for i, text := range texts {
		h.columns[i] = text
	}
	for i, time := range []sql.NullInt64{published, modified} {
		if h.columns[times+i] = nil; time.Valid {
			h.columns[times+i] = time.Int64
		}
	}
	return nil
}

// size is about how much memory the record takes.
func (h *held) size() int { return len(h.List) + len(h.Single) + len(h.Found) }

// A portion of records is held at once: so many, and not much more than so many
// bytes of JSON.
const (
	portionRecords = 256
	portionBytes   = 4 << 20
)

// records looks at each record: whether its JSON is what arrived, and whether
// its metadata is what the JSON gives. What the full-text index has of it is
// given to texts.
func (c *check) records(ctx context.Context, texts texts) error {
	rows, err := c.read.QueryContext(ctx, heldColumns+` ORDER BY row`, unitSeparator)
	if err != nil {
		return err
	}
	defer rows.Close()
	var portion []*held
	size, done := 0, 0
	look := func() error {
		c.sideBySide(len(portion), func(i int) { c.examine(portion[i]) })
		for _, h := range portion {
			for _, f := range h.flaws {
				if !c.flaw(f) {
					return nil
				}
			}
			if h.words != nil {
				if err := texts.add(ctx, h.words); err != nil {
					return fmt.Errorf("row %d: %w", h.Row, err)
				}
			}
		}
		if done += len(portion); c.Progress != nil {
			c.Progress(done)
		}
		portion, size = portion[:0], 0
		return nil
	}
	for rows.Next() && !c.over {
		h := new(held)
		if err := h.scan(rows); err != nil {
			return err
		}
		portion, size = append(portion, h), size+h.size()
		if len(portion) == portionRecords || size > portionBytes {
			if err := look(); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(ctx.Err(), rows.Err()); err != nil || c.over {
		return err
	}
	return look()
}

// examine finds out what is wrong with a record, and what the full-text index
// should have of it.
func (c *check) examine(h *held) {
	row := h.Row
	flaw := func(what string, mend func(*Tx) error) {
		h.flaws = append(h.flaws, Flaw{h.Kind, h.ID, what, row, mend})
	}
	switch {
	case !h.sound():
		flaw("its JSON is not what arrived; it is fetched again by the next run", func(tx *Tx) error { return tx.setAside(row) })
	case h.List == nil && h.Single == nil: // it was set aside
	default:
		if what := c.metadata(h); what != "" {
			flaw(what, func(tx *Tx) error { return tx.redraw(row, c.Derive) })
		} else if searched(h.Kind) {
			_, h.words = c.engine.index(&h.Record)
		}
	}
	if string(h.pictures) != string(digestOf(h.names)) {
		flaw("its pictures are not those that it had; they are looked for again by the next run", func(tx *Tx) error { return tx.digestPictures(row) })
	}
	h.List, h.Single, h.Found, h.Text = nil, nil, nil, ""
}

// metadata draws the metadata of a record from its JSON, and says what is wrong
// with that it has, "" if nothing is. Which part of the JSON was newer when it
// was drawn may have changed since.
func (c *check) metadata(h *held) string {
	stored := h.Wanted
	for _, wanted := range []bool{stored, !stored} {
		h.Wanted = wanted
		if err := c.Derive(&h.Record); err != nil {
			return "its JSON cannot be read: " + err.Error()
		}
		columns, err := h.Record.columns()
		if err != nil {
			return "what its JSON gives cannot be stored: " + err.Error()
		}
		images := []any{strings.Join(h.Images, unitSeparator)}
		if slices.Equal(c.engine.values(columns[:derived]), h.columns) && c.engine.values(images)[0] == h.images {
			return ""
		}
	}
	return "its metadata is not what its JSON gives; it is drawn anew"
}

// redraw draws the metadata of a record from its JSON anew.
func (t *Tx) redraw(row int64, derive func(*Record) error) error {
	r := Record{Row: row}
	err := t.tx.QueryRowContext(t.ctx, `SELECT kind, record.id, wanted, list, single, found.json FROM record `+withRaw+` WHERE row = ?`,
		row).Scan(&r.Kind, &r.ID, &r.Wanted, &r.List, &r.Single, &r.Found)
	if err != nil {
		return err
	}
	if err := derive(&r); err != nil {
		return nil // it is shown as it is; the flaw says so
	}
	columns, err := r.columns()
	if err != nil {
		return err
	}
	err = t.exec(`UPDATE record SET type = ?, path = ?, title = ?, spot = ?, url = ?, editor = ?, writer_id = ?, lead = ?,
		published = ?, modified = ?, tags = ?, writers = ?, related = ?, links = ? WHERE row = ?`, append(columns[:derived:derived], row)...)
	if err != nil {
		return err
	}
	return t.index(&r)
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
	for _, drawn := range []string{`DELETE FROM body WHERE row = ?`, `DELETE FROM search WHERE rowid = ?`} {
		if err := t.exec(drawn, row); err != nil {
			return err
		}
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
