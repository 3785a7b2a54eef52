package archive

import (
	"context"

	"ayna/archive/database"
	"ayna/record"
)

// Forget enters a record with all its addresses in the list of forgotten records, so
// that it is never stored again. The record itself stays until [Archive.Purge], which
// [runstate.State.PurgeDue] demands from then on. The error is [database.ErrNotFound] if the archive
// never had the record, unless absent is set.
func (t *Tx) Forget(kind record.Kind, id string, absent bool) error {
	known, err := t.knew(kind, id)
	if err == nil && !known && !absent {
		err = database.ErrNotFound
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
		err = t.State.SetPurgeDue()
	}
	return database.Wrap(err, "forget %s %s", kind, id)
}

// alone is an SQL condition: no other record has that address now.
func alone(url string) string {
	return `NOT EXISTS (SELECT 1 FROM record AS other WHERE other.url = ` + url + ` AND other.row <> own.row)`
}

// knew reports whether the archive has or had a record.
func (t *Tx) knew(kind record.Kind, id string) (known bool, err error) {
	if kind == record.Comment {
		err = t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM comment WHERE id = $2) OR EXISTS (SELECT 1 FROM forgotten WHERE kind = $1 AND id = $2)`, kind, id).Scan(&known)
		return known, err
	}
	err = t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM record WHERE kind = $1 AND id = $2) OR EXISTS (SELECT 1 FROM hit WHERE id = $2)
		OR EXISTS (SELECT 1 FROM forgotten WHERE kind = $1 AND id = $2)`, kind, id).Scan(&known)
	return known, err
}

// Unforget removes a record from the list of forgotten records: it is stored again when
// the source lists it. The error is [database.ErrNotFound] if it is not in the list.
func (t *Tx) Unforget(kind record.Kind, id string) error {
	listed, err := t.isForgotten(kind, id)
	if err == nil && !listed {
		err = database.ErrNotFound
	}
	if err == nil {
		err = t.exec(`DELETE FROM forgotten WHERE kind = $1 AND id = $2`, kind, id)
	}
	return database.Wrap(err, "take %s %s off the list of forgotten records", kind, id)
}

// Purge removes all that the archive holds of the forgotten records, but for their list:
// the records with their originals, revisions, hits and words in the index, their mentions
// in other records and originals, and the pictures that no version of a record shows. It may
// be repeated when it was interrupted.
func (a *Archive) Purge(ctx context.Context, mentions record.Redactor, derive record.DeriveFunc) error {
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
		err = a.db.Scrub(ctx)
	}
	if err == nil {
		err = a.Update(ctx, func(tx *Tx) error { return tx.State.ClearPurgeDue() })
	}
	return database.Wrap(err, "remove forgotten records from the archive")
}

// erase deletes the forgotten records.
func (t *Tx) erase() error {
	if err := t.enterWords(); err != nil {
		return err
	}
	const rows = `row IN (SELECT row FROM record JOIN forgotten USING (kind, id))`
	for _, statement := range []string{
		`DELETE FROM hit WHERE id IN (SELECT id FROM forgotten WHERE ` + database.IsItem + `)`,
		`DELETE FROM hit_json WHERE id IN (SELECT id FROM forgotten WHERE ` + database.IsItem + `)`,
		`DELETE FROM search WHERE rowid IN (SELECT row FROM record JOIN forgotten USING (kind, id))`,
		// Texts are prepared with the pages that their links lead to. A link to an address that
		// another record has stays.
		`DELETE FROM body WHERE row IN (SELECT row FROM record WHERE links <> '[]')
			AND EXISTS (SELECT 1 FROM record AS own JOIN forgotten USING (kind, id) WHERE own.url <> '' AND NOT ` + alone("own.url") + `)`,
		`DELETE FROM original WHERE record <> '' AND EXISTS (SELECT 1 FROM forgotten WHERE forgotten.kind = original.kind AND forgotten.id = original.record)`,
		`DELETE FROM image WHERE ` + rows,
		`DELETE FROM revision WHERE ` + rows,
		`DELETE FROM raw WHERE ` + rows,
		`DELETE FROM record WHERE ` + rows, // and what refers to it
	} {
		if err := t.exec(statement); err != nil {
			return err
		}
	}
	return t.Comments.erase()
}

// storeDerived stores the metadata of a record.
func (t *Tx) storeDerived(r *Record) error {
	if err := t.set(r.Row, namesOf(derivedColumns), valuesOf(derivedColumns, r)); err != nil {
		return err
	}
	return t.refreshTables(r)
}

// isForgotten reports whether a record was removed for good.
func (t *Tx) isForgotten(kind record.Kind, id string) (forgotten bool, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM forgotten WHERE kind = $1 AND id = $2)`, kind, id).Scan(&forgotten)
	return forgotten, database.Wrap(err, "look whether %s %s is forgotten", kind, id)
}
