package archive

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"ayna/archive/database"
	"ayna/record"
)

// examined is a record to check: its JSON, and the metadata that the archive stores.
type examined struct {
	Record        // kind, id, hash and JSON; check.metadata adds the metadata that it derives from the JSON
	stored []any  // the stored metadata, in the order of derivedColumns
	images string // the stored addresses of its files, separated by U+001F
}

var examinedColumns = `SELECT row, kind, record.id, fetch_due, hash, ` + strings.Join(namesOf(derivedColumns), ", ") + `, list, single, hit_json.json,
	(SELECT string_agg(url || attached, $1 ORDER BY position) FROM image WHERE image.row = record.row)
	FROM record ` + withRaw

const unitSeparator = "\x1f"

func scanExamined(row database.Row) (*examined, error) {
	h := &examined{stored: make([]any, len(derivedColumns))}
	var images sql.NullString
	into := []any{&h.Row, &h.Kind, &h.ID, &h.FetchDue, digest{&h.Hash}}
	for i := range h.stored {
		into = append(into, &h.stored[i])
	}
	err := row.Scan(append(into, &h.List, &h.Single, &h.Hit, &images)...)
	h.images = images.String
	return h, err
}

// size returns about how many bytes of memory the record takes.
func (h *examined) size() int { return len(h.List) + len(h.Single) + len(h.Hit) }

// records checks that the JSON of each record has its hash, and that its metadata is
// what the JSON gives. It adds up the digests of the words that the full-text index should
// have.
func (c *check) records(ctx context.Context) error {
	done := 0
	return examine(ctx, c, database.Each(ctx, c.read, "read records", scanExamined, examinedColumns+` ORDER BY row`, unitSeparator), (*examined).size, c.record, func(n int) {
		if done += n; c.progress != nil {
			c.progress(done)
		}
	})
}

func (c *check) record(h *examined) []Flaw {
	row := h.Row
	flaw := func(what string, mend func(*Tx) error) []Flaw { return []Flaw{{h.Kind, h.ID, what, mend}} }
	if !h.Sound() {
		return flaw("its JSON is not what arrived; it is fetched again by the next run", func(tx *Tx) error { return tx.quarantine(row) })
	}
	if h.List == nil && h.Single == nil { // quarantine removed the JSON
		return nil
	}
	if what := c.metadata(h); what != "" {
		return flaw(what, func(tx *Tx) error { return tx.rederive(row, c.derive) })
	}
	if searched(h.Kind) {
		c.expected.Add(c.db.WordsDigest(row, h.indexedWords()))
	}
	return nil
}

// metadata derives the metadata of a record from its JSON and describes what is
// wrong with the stored metadata, "" if nothing is. It tries both values of FetchDue, which
// selects the part of the JSON that counts: FetchDue may have changed since the metadata was
// stored.
func (c *check) metadata(h *examined) string {
	stored := h.FetchDue
	for _, due := range []bool{stored, !stored} {
		h.FetchDue = due
		if err := c.derive(&h.Record.Record); err != nil {
			return "its JSON cannot be read: " + err.Error()
		}
		files := slices.Clone(h.Images)
		for _, a := range h.Attachments {
			files = append(files, a.URL+string(a.Kind))
		}
		images := []any{strings.Join(files, unitSeparator)}
		if slices.Equal(c.read.Values(valuesOf(derivedColumns, &h.Record)), h.stored) && c.read.Values(images)[0] == h.images {
			return ""
		}
	}
	return "its metadata is not what its JSON gives; it is derived anew"
}

// rederive derives the metadata of a record from its JSON anew.
func (t *Tx) rederive(row int64, derive record.DeriveFunc) error {
	r, err := rawRecord(t.ctx, t.tx.Statements, row)
	if err != nil {
		return err
	}
	if err := derive(&r.Record); err != nil {
		return nil // the flaw remains
	}
	return t.storeDerived(r)
}

// quarantine moves the JSON of a damaged record to its revisions and has the record
// fetched again.
func (t *Tx) quarantine(row int64) error {
	if err := t.enterWords(); err != nil {
		return err
	}
	for _, statement := range []string{
		`INSERT INTO revision (row, part, json, seen) SELECT row, 'damaged', list, seen FROM raw JOIN record USING (row) WHERE row = $1 AND list IS NOT NULL`,
		`INSERT INTO revision (row, part, json, seen) SELECT row, 'damaged', single, seen FROM raw JOIN record USING (row) WHERE row = $1 AND single IS NOT NULL`,
		`UPDATE raw SET list = NULL, single = NULL WHERE row = $1`,
		`DELETE FROM hit_json WHERE id IN (SELECT id FROM record WHERE row = $1 AND fetched IS NULL AND ` + database.IsItem + `)`,
		`DELETE FROM body WHERE row = $1`,
		`DELETE FROM search WHERE rowid = $1`,
	} {
		if err := t.exec(statement, row); err != nil {
			return err
		}
	}
	empty := new(Record).hash()
	return t.exec(`UPDATE record SET fetch_due = 1, attempts = 0, retry_at = NULL, fetched = NULL, hash = $1 WHERE row = $2`, empty[:], row)
}
