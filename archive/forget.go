package archive

import (
	"bytes"
	"context"
	"errors"
)

// Forgotten is an address of a record that was removed for good.
type Forgotten struct {
	Kind Kind
	ID   string
	// URL is an address that other records may link: at the source, or, until
	// [Archive.Purge] and without a slash in front, of its page in the published site. It
	// is "" in one entry of each record.
	URL string
}

// Forget enters a record with all its addresses in the list of forgotten records, so
// that it is never stored again. The record itself stays until [Archive.Purge], which
// [State.Forgetting] demands from then on. The error is [ErrNotFound] if the archive
// never had the record, unless absent is set.
func (t *Tx) Forget(kind Kind, id string, absent bool) error {
	known, err := t.knew(kind, id)
	if err == nil && !known && !absent {
		err = ErrNotFound
	}
	for _, statement := range []string{
		`INSERT INTO forgotten (kind, id, url) SELECT kind, id, url FROM record AS own WHERE kind = $1 AND id = $2 AND url <> '' AND ` + alone("own.url") + ` ON CONFLICT DO NOTHING`,
		`INSERT INTO forgotten (kind, id, url) SELECT kind, id, address FROM record WHERE kind = $1 AND id = $2 AND address <> '' ON CONFLICT DO NOTHING`,
		`INSERT INTO forgotten (kind, id, url) SELECT kind, id, former_url.url FROM former_url JOIN record AS own USING (row)
			WHERE kind = $1 AND id = $2 AND ` + alone("former_url.url") + ` ON CONFLICT DO NOTHING`,
	} {
		if err == nil {
			err = t.exec(statement, kind, id)
		}
	}
	if err == nil {
		err = t.exec(`INSERT INTO forgotten (kind, id, url) VALUES ($1, $2, '') ON CONFLICT DO NOTHING`, kind, id)
	}
	if err == nil {
		err = t.State.Set(forgettingState, "1")
	}
	return wrap(err, "forget %s %s", kind, id)
}

// alone is an SQL condition: no other record has that address now.
func alone(url string) string {
	return `NOT EXISTS (SELECT 1 FROM record AS other WHERE other.url = ` + url + ` AND other.row <> own.row)`
}

// knew reports whether the archive has or had a record.
func (t *Tx) knew(kind Kind, id string) (known bool, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM record WHERE kind = $1 AND id = $2) OR EXISTS (SELECT 1 FROM hit WHERE id = $2)
		OR EXISTS (SELECT 1 FROM forgotten WHERE kind = $1 AND id = $2)`, kind, id).Scan(&known)
	return known, err
}

// Unforget removes a record from the list of forgotten records: it is stored again when
// the source lists it. The error is [ErrNotFound] if it is not in the list.
func (t *Tx) Unforget(kind Kind, id string) error {
	listed, err := t.isForgotten(kind, id)
	if err == nil && !listed {
		err = ErrNotFound
	}
	if err == nil {
		err = t.exec(`DELETE FROM forgotten WHERE kind = $1 AND id = $2`, kind, id)
	}
	return wrap(err, "take %s %s off the list of forgotten records", kind, id)
}

// forgettingState is the name of the state that is set from [Tx.Forget] to the end of
// [Archive.Purge].
const forgettingState = "forgetting"

// Forgetting reports whether the archive may still hold forgotten records.
func (s State) Forgetting(ctx context.Context) (bool, error) {
	state, err := s.Get(ctx, forgettingState)
	return state != "", err
}

// Redaction removes mentions of forgotten records from texts.
type Redaction interface {
	// Mentions reports whether a text may mention one. The text need not be JSON.
	Mentions(text []byte) bool
	// Apply removes the mentions from JSON. It fails for a mention in what is not JSON.
	Apply(raw []byte) ([]byte, error)
}

// Purge removes all that the archive holds of the forgotten records, but for their list:
// the records with their revisions, hits and words in the index, their mentions in other
// records, and the pictures that no version of a record shows. It may be repeated when
// it was interrupted. derive sets the metadata of a record from its JSON.
func (a *Archive) Purge(ctx context.Context, mentions Redaction, derive func(*Record) error) error {
	err := a.Update(ctx, func(tx *Tx) error {
		if err := tx.erase(); err != nil {
			return err
		}
		if err := tx.redact(mentions, derive); err != nil {
			return err
		}
		return tx.exec(`DELETE FROM forgotten WHERE url <> '' AND url NOT LIKE '/%' AND url NOT LIKE '%//%'`)
	})
	if err == nil {
		err = a.Pictures.removeUnused(ctx, derive)
	}
	if err == nil {
		err = a.scrub(ctx)
	}
	if err == nil {
		err = a.Update(ctx, func(tx *Tx) error { return tx.exec(`DELETE FROM state WHERE name = $1`, forgettingState) })
	}
	return wrap(err, "remove forgotten records from the archive")
}

// erase deletes the forgotten records.
func (t *Tx) erase() error {
	const rows = `row IN (SELECT row FROM record JOIN forgotten USING (kind, id))`
	for _, statement := range []string{
		`DELETE FROM hit WHERE id IN (SELECT id FROM forgotten WHERE ` + isItem + `)`,
		`DELETE FROM hit_json WHERE id IN (SELECT id FROM forgotten WHERE ` + isItem + `)`,
		`DELETE FROM search WHERE rowid IN (SELECT row FROM record JOIN forgotten USING (kind, id))`,
		// Texts are prepared with the pages that their links lead to. A link to an address that
		// another record has stays.
		`DELETE FROM body WHERE row IN (SELECT row FROM record WHERE links <> '[]')
			AND EXISTS (SELECT 1 FROM record AS own JOIN forgotten USING (kind, id) WHERE own.url <> '' AND NOT ` + alone("own.url") + `)`,
		`DELETE FROM image WHERE ` + rows,
		`DELETE FROM revision WHERE ` + rows,
		`DELETE FROM raw WHERE ` + rows,
		`DELETE FROM record WHERE ` + rows, // and what refers to it
	} {
		if err := t.exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// redact removes mentions of forgotten records from all other documents.
func (t *Tx) redact(mentions Redaction, derive func(*Record) error) error {
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
	return nil
}

// mentioning returns the keys of the rows of a query that may mention a forgotten record:
// the first column is the key, and that many texts follow.
func mentioning[K any](t *Tx, mentions Redaction, texts int, query string) (keys []K, err error) {
	for key, err := range each(t.ctx, t.tx, "look for mentions of forgotten records", func(row scanner) (*K, error) {
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
func (t *Tx) redactRecord(row int64, mentions Redaction, derive func(*Record) error) error {
	record, err := fullRecord(t.ctx, t.tx, "read a record", `row = $1`, row)
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
	if err := derive(record); err != nil {
		return err
	}
	return t.replace(record)
}

// document is a column with texts, of rows that have a key.
type document struct{ table, column, key string }

// redactDocument removes the mentions from a text of an archive, or the text if it is not
// JSON.
func (t *Tx) redactDocument(d document, key any, mentions Redaction) error {
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
	return t.exec(`UPDATE `+d.table+` SET json = $2`+where, key, rawJSON(kept))
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
	return wrap(err, "replace %s %s", r.Kind, r.ID)
}

// storeDerived stores the metadata of a record.
func (t *Tx) storeDerived(r *Record) error {
	derived, err := r.derived()
	if err == nil {
		err = t.set(r.Row, derivedColumns, derived)
	}
	if err == nil {
		err = t.refreshDerived(r)
	}
	return err
}

// scrub overwrites the deleted rows in the database.
func (a *Archive) scrub(ctx context.Context) error {
	a.turn.Lock()
	defer a.turn.Unlock()
	return wrap(a.engine.scrub(ctx, a.writer), "overwrite what was deleted")
}

// isForgotten reports whether a record was removed for good.
func (t *Tx) isForgotten(kind Kind, id string) (forgotten bool, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM forgotten WHERE kind = $1 AND id = $2)`, kind, id).Scan(&forgotten)
	return forgotten, wrap(err, "look whether %s %s is forgotten", kind, id)
}

// Forgotten returns the addresses of the records that were removed for good.
func (s State) Forgotten(ctx context.Context) ([]Forgotten, error) {
	return all(ctx, s.read, "read what was forgotten", func(row scanner) (f Forgotten, err error) {
		err = row.Scan(&f.Kind, &f.ID, &f.URL)
		return f, err
	}, `SELECT kind, id, url FROM forgotten ORDER BY kind, id, url`)
}
