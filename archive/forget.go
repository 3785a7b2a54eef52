package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// Forget removes a record for good, with its revisions, its hits, its words in the
// index, and the entries of pictures that no other record shows. It is never stored
// again, also if it was unknown. files are those of the pictures, for
// [Archive.Scrub].
func (t *Tx) Forget(kind Kind, id string) (f Forgotten, files []string, err error) {
	f = Forgotten{Kind: kind, ID: id}
	record, err := t.Get(kind, id)
	switch {
	case err == nil:
		f.URL = record.URL
		files, err = t.erase(record)
	case errors.Is(err, ErrNotFound):
		err = nil
	}
	if err == nil {
		err = t.exec(`INSERT INTO forgotten (kind, id, url) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, kind, id, f.URL)
	}
	if err != nil {
		return f, nil, fmt.Errorf("forget %s %s: %w", kind, id, err)
	}
	return f, files, nil
}

func (t *Tx) erase(record *Record) ([]string, error) {
	for _, statement := range []string{`DELETE FROM hit WHERE id = ?`, `DELETE FROM hit_json WHERE id = ?`} {
		if err := t.exec(statement, record.ID); err != nil {
			return nil, err
		}
	}
	const alone = `SELECT url FROM image AS own WHERE row = ?1
		AND NOT EXISTS (SELECT 1 FROM image WHERE url = own.url AND row <> ?1)`
	files, err := all(t.ctx, t.tx, "read names", column[string], `SELECT DISTINCT name FROM media WHERE name <> '' AND url IN (`+alone+`)
		AND NOT EXISTS (SELECT 1 FROM media AS other WHERE other.name = media.name AND other.url NOT IN (`+alone+`))`, record.Row)
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{
		`DELETE FROM media WHERE url IN (` + alone + `)`,
		`DELETE FROM search WHERE rowid = ?1`,
		`DELETE FROM image WHERE row = ?1`,
		`DELETE FROM revision WHERE row = ?1`,
		`DELETE FROM raw WHERE row = ?1`,
		`DELETE FROM record WHERE row = ?1`,
	} {
		if err := t.exec(statement, record.Row); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Redact rewrites every JSON document that contains a text. It stores what redact
// returns for the documents of revisions and hits. It returns the records with
// changed JSON, whose metadata the caller derives anew before [Tx.Replace].
func (t *Tx) Redact(text string, redact func(document []byte) ([]byte, error)) ([]*Record, error) {
	rows, err := all(t.ctx, t.tx, "read rows", column[int64], `SELECT row FROM record `+withRaw+` WHERE instr(list, ?1) > 0 OR instr(single, ?1) > 0 OR instr(hit_json.json, ?1) > 0`, text)
	if err != nil {
		return nil, fmt.Errorf("redact %q: %w", text, err)
	}
	var records []*Record
	for _, row := range rows {
		record, err := fullRecord(t.ctx, t.tx, "read a record", `row = ?`, row)
		if err != nil {
			return nil, fmt.Errorf("redact %q: %w", text, err)
		}
		changed := false
		for _, part := range []*[]byte{&record.List, &record.Single, &record.Hit} {
			if *part == nil {
				continue
			}
			kept, err := redact(*part)
			if err != nil {
				return nil, fmt.Errorf("redact %q in %s %s: %w", text, record.Kind, record.ID, err)
			}
			changed = changed || !bytes.Equal(kept, *part)
			*part = kept
		}
		if changed {
			records = append(records, record)
		}
	}
	for _, table := range []struct{ find, write string }{
		{`SELECT rowid, json FROM revision WHERE instr(json, ?) > 0`, `UPDATE revision SET json = ? WHERE rowid = ?`},
		{`SELECT id, json FROM hit_json WHERE instr(json, ?) > 0`, `UPDATE hit_json SET json = ? WHERE id = ?`},
	} {
		if err := t.redact(table.find, table.write, text, redact); err != nil {
			return nil, fmt.Errorf("redact %q: %w", text, err)
		}
	}
	return records, nil
}

func (t *Tx) redact(find, write, text string, redact func([]byte) ([]byte, error)) error {
	type stored struct {
		key      any
		document []byte
	}
	list, err := all(t.ctx, t.tx, "read documents", func(row scanner) (s stored, err error) {
		err = row.Scan(&s.key, &s.document)
		return s, err
	}, find, text)
	if err != nil {
		return err
	}
	for _, f := range list {
		kept, err := redact(f.document)
		if err != nil {
			return err
		}
		if bytes.Equal(kept, f.document) {
			continue
		}
		if err := t.exec(write, rawJSON(kept), f.key); err != nil {
			return err
		}
	}
	return nil
}

// Replace stores the JSON and metadata of a record of the archive. It makes no
// revision of what it replaces.
func (t *Tx) Replace(r *Record) error {
	r.SetHash()
	err := t.set(r.Row, []string{"hash"}, []any{r.Hash[:]})
	if err == nil {
		err = t.exec(`UPDATE raw SET list = ?, single = ? WHERE row = ?`, text(r.List), text(r.Single), r.Row)
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

// Scrub removes picture files, and overwrites the deleted rows in the database.
func (a *Archive) Scrub(ctx context.Context, files []string) error {
	for _, name := range files {
		if err := removeMedia(a.MediaDir(), name); err != nil {
			return fmt.Errorf("remove picture %s: %w", name, err)
		}
	}
	a.turn.Lock()
	defer a.turn.Unlock()
	return wrap(a.engine.scrub(ctx, a.writer), "overwrite what was deleted")
}

// Forgotten is a record that was removed for good.
type Forgotten struct {
	Kind Kind
	ID   string
	URL  string // its address at the source, which other records may link; "" if unknown
}

// IsForgotten reports whether a record was removed for good.
func (t *Tx) IsForgotten(kind Kind, id string) (forgotten bool, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM forgotten WHERE kind = ? AND id = ?)`, kind, id).Scan(&forgotten)
	return forgotten, wrap(err, "look whether %s %s is forgotten", kind, id)
}

// Forgotten returns the records that were removed for good.
func (a *Archive) Forgotten(ctx context.Context) ([]Forgotten, error) {
	return all(ctx, a.read, "read what was forgotten", func(row scanner) (f Forgotten, err error) {
		err = row.Scan(&f.Kind, &f.ID, &f.URL)
		return f, err
	}, `SELECT kind, id, url FROM forgotten ORDER BY kind, id`)
}
