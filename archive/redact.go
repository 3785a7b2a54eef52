package archive

import (
	"bytes"
	"errors"

	"ayna/archive/database"
	"ayna/record"
)

// redact removes mentions of forgotten records from all other documents.
func (t *Tx) redact(mentions record.Redactor, derive record.DeriveFunc) error {
	rows, err := mentioning[int64](t, mentions, 5, `SELECT record.row, list, single, hit_json.json, related, links FROM record `+withRaw)
	if err != nil {
		return err
	}
	for _, row := range rows { // before their hits, which are part of them
		if err := t.redactRecord(row, mentions, derive); err != nil {
			return err
		}
	}
	for _, d := range []document{{"revision", "json", "rowid"}, {"hit_json", "json", "id"}, {"former_url", "url", "url"}} {
		keys, err := mentioning[any](t, mentions, 1, `SELECT `+d.key+`, `+d.column+` FROM `+d.table)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := t.redactDocument(d, key, mentions); err != nil {
				return err
			}
		}
	}
	if err := t.Comments.redact(t, mentions); err != nil {
		return err
	}
	return t.Originals.redact(mentions)
}

// mentioning returns the keys of the rows of a query that may mention a forgotten record:
// the first column is the key, and that many texts follow.
func mentioning[K any](t *Tx, mentions record.Redactor, texts int, query string) (keys []K, err error) {
	for key, err := range database.Each(t.ctx, t.tx.Statements, "look for mentions of forgotten records", func(row database.Row) (*K, error) {
		key, read := new(K), make([][]byte, texts)
		into := []any{key}
		for i := range read {
			into = append(into, &read[i])
		}
		err := row.Scan(into...)
		if !mentions.Mentions(bytes.Join(read, []byte("\n"))) {
			key = nil
		}
		return key, err
	}, query) {
		if err != nil {
			return nil, err
		}
		if key != nil {
			keys = append(keys, *key)
		}
	}
	return keys, nil
}

// redactRecord removes the mentions from the JSON of a record, and derives its metadata
// anew.
func (t *Tx) redactRecord(row int64, mentions record.Redactor, derive record.DeriveFunc) error {
	record, err := fullRecord(t.ctx, t.tx.Statements, "read a record", `row = $1`, row)
	if err != nil {
		return err
	}
	changed := false
	for _, part := range []*[]byte{&record.List, &record.Single, &record.Hit} {
		if *part == nil {
			continue
		}
		kept, err := mentions.Apply(*part)
		record.Damaged = record.Damaged || err != nil
		changed = changed || !bytes.Equal(kept, *part)
		*part = kept
	}
	if record.Damaged { // what it mentions goes with the revisions
		err := t.exec(`UPDATE record SET related = '[]', links = '[]' WHERE row = $1`, row)
		return errors.Join(err, t.quarantine(row))
	}
	if !changed {
		return nil
	}
	if err := derive(&record.Record); err != nil {
		return err
	}
	return t.replace(record)
}

// document is a column with texts, of rows that have a key.
type document struct{ table, column, key string }

// redactDocument removes the mentions from a text of an archive, or the text if it is not
// JSON.
func (t *Tx) redactDocument(d document, key any, mentions record.Redactor) error {
	var stored []byte
	where := ` WHERE ` + d.key + ` = $1`
	err := t.tx.QueryRowContext(t.ctx, `SELECT `+d.column+` FROM `+d.table+where, key).Scan(&stored)
	if err != nil || stored == nil {
		return err
	}
	kept, err := mentions.Apply(stored)
	switch {
	case err == nil && bytes.Equal(kept, stored):
		return nil
	case err != nil || d.column != "json":
		return t.exec(`DELETE FROM `+d.table+where, key)
	}
	return t.exec(`UPDATE `+d.table+` SET json = $2`+where, key, database.JSON(kept))
}

// replace stores the JSON and metadata of a record of the archive. It makes no revision
// of what it replaces.
func (t *Tx) replace(r *Record) error {
	r.SetHash()
	err := t.set(r.Row, []string{"hash"}, []any{r.Hash[:]})
	if err == nil {
		err = t.exec(`UPDATE raw SET list = $1, single = $2 WHERE row = $3`, text(r.List), text(r.Single), r.Row)
	}
	if err == nil {
		err = t.storeDerived(r)
	}
	return database.Wrap(err, "replace %s %s", r.Kind, r.ID)
}
