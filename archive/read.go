package archive

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
)

const lightColumns = `row, kind, record.id, type, path, title, spot, url, editor, lead, published, modified, tags, writers, related, links,
	wanted, recheck, tries, again, pass, seen, listed, fetched, changed, vanished, address, hash, pictures`

// rawColumns and withRaw add the JSON to what a query reads of records.
const (
	rawColumns = lightColumns + `, list, single, found.json`
	withRaw    = `LEFT JOIN raw USING (row) LEFT JOIN found
		ON found.id = record.id AND single IS NULL AND kind IN ('article', 'column', 'gallery', 'video')`
)

// Get returns a record with its JSON, or [ErrNotFound].
func (a *Archive) Get(ctx context.Context, kind Kind, id string) (*Record, error) {
	return getRecord(ctx, a.read, kind, id)
}

// Row returns the record of that row, with its JSON.
func (a *Archive) Row(ctx context.Context, row int64) (*Record, error) {
	return rowRecord(ctx, a.read, row)
}

// Raw returns the record of that row with its JSON, and of its metadata only what
// says which it is.
func (a *Archive) Raw(ctx context.Context, row int64) (*Record, error) {
	r := Record{Row: row}
	var hash []byte
	err := a.read.QueryRowContext(ctx, `SELECT kind, record.id, url, hash, list, single, found.json FROM record `+withRaw+` WHERE row = ?`,
		row).Scan(&r.Kind, &r.ID, &r.URL, &hash, &r.List, &r.Single, &r.Found)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read the JSON of row %d of the archive: %w", row, err)
	}
	copy(r.Hash[:], hash)
	r.dropDamaged()
	return &r, nil
}

func rowRecord(ctx context.Context, q *statements, row int64) (*Record, error) {
	r, err := scanRecord(q.QueryRowContext(ctx, `SELECT `+rawColumns+` FROM record `+withRaw+` WHERE row = ?`, row), true)
	if err != nil {
		return nil, fmt.Errorf("read row %d of the archive: %w", row, err)
	}
	return r, nil
}

func getRecord(ctx context.Context, q *statements, kind Kind, id string) (*Record, error) {
	r, err := scanRecord(q.QueryRowContext(ctx, `SELECT `+rawColumns+`
		FROM record `+withRaw+` WHERE kind = ? AND record.id = ?`, kind, id), true)
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	return r, nil
}

// Scan yields every record of some kinds, or of all, that is not kept aside,
// without its JSON, in the order of arrival.
func (a *Archive) Scan(ctx context.Context, kinds ...Kind) iter.Seq2[*Record, error] {
	where, args := "", make([]any, len(kinds))
	if len(kinds) > 0 {
		where = ` AND kind IN (?` + strings.Repeat(", ?", len(kinds)-1) + `)`
	}
	for i, kind := range kinds {
		args[i] = kind
	}
	return records(ctx, a.read, false, `SELECT `+lightColumns+` FROM record WHERE `+notAside+where+` ORDER BY row`, args...)
}

// Wanted is a record whose single record has to be fetched.
type Wanted struct {
	Row  int64
	Kind Kind
	ID   string
	Path string

	Fetched time.Time // zero if the single record has not arrived
	Pass    int       // number of the pass over its kind's list that last saw it
}

const wantedColumns = `SELECT record.row, kind, record.id, path, fetched, pass FROM record `

// Wanted yields the records whose single record has to be fetched, and may be
// tried at the time now, in the order in which they are worth it: editorial
// pages, then what has no text yet, then what has one from a search, then what
// is only checked again, each newest first; and after all of them writers and
// folders, whose lists already tell all that a site shows. What is postponed for
// longer than most was so by a clock that was ahead, and is due.
func (a *Archive) Wanted(ctx context.Context, now time.Time, most time.Duration) iter.Seq2[Wanted, error] {
	return a.wanted(ctx, wantedColumns+`LEFT JOIN found ON found.id = record.id
		WHERE (wanted = 1 OR recheck = 1) AND vanished IS NULL AND (again IS NULL OR again <= ? OR again > ?)
		ORDER BY kind IN ('writer', 'folder'), kind <> 'page', wanted = 0, fetched IS NULL AND found.id IS NOT NULL,
			published DESC NULLS LAST, record.id DESC`, now.UnixMilli(), now.Add(most).UnixMilli())
}

// Unfetched yields the records of a kind whose single record has to be fetched,
// and was neither fetched nor tried since.
func (a *Archive) Unfetched(ctx context.Context, kind Kind, since time.Time) iter.Seq2[Wanted, error] {
	return a.wanted(ctx, wantedColumns+`WHERE kind = ? AND (wanted = 1 OR recheck = 1) AND tries = 0 AND vanished IS NULL
		AND (fetched IS NULL OR fetched < ?)`, kind, since.UnixMilli())
}

// Unseen yields the records of a kind that the pass of that number over its
// list has not seen, and that are not known to be gone.
func (a *Archive) Unseen(ctx context.Context, kind Kind, pass int) iter.Seq2[Wanted, error] {
	return a.wanted(ctx, wantedColumns+`WHERE kind = ? AND pass < ? AND vanished IS NULL ORDER BY row`, kind, pass)
}

// WantedAt returns what [Archive.Wanted] yields of a row, or [ErrNotFound].
func (a *Archive) WantedAt(ctx context.Context, row int64) (Wanted, error) {
	for w, err := range a.wanted(ctx, wantedColumns+`WHERE record.row = ?`, row) {
		return w, err
	}
	return Wanted{}, fmt.Errorf("row %d of the archive: %w", row, ErrNotFound)
}

func (a *Archive) wanted(ctx context.Context, query string, args ...any) iter.Seq2[Wanted, error] {
	return func(yield func(Wanted, error) bool) {
		rows, err := a.read.QueryContext(ctx, query, args...)
		if err != nil {
			yield(Wanted{}, fmt.Errorf("read what is to be fetched: %w", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var w Wanted
			var fetched sql.NullInt64
			if err := rows.Scan(&w.Row, &w.Kind, &w.ID, &w.Path, &fetched, &w.Pass); err != nil {
				yield(w, fmt.Errorf("read what is to be fetched: %w", err))
				return
			}
			w.Fetched = moment(fetched)
			if !yield(w, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Wanted{}, fmt.Errorf("read what is to be fetched: %w", err))
		}
	}
}

// records runs a query for light columns, or, with raw, for these and the JSON.
func records(ctx context.Context, q *statements, raw bool, query string, args ...any) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		rows, err := q.QueryContext(ctx, query, args...)
		if err != nil {
			yield(nil, fmt.Errorf("read the archive: %w", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			r, err := scanRecord(rows, raw)
			if !yield(r, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, fmt.Errorf("read the archive: %w", err))
		}
	}
}

func scanRecord(row interface{ Scan(...any) error }, raw bool) (*Record, error) {
	var r Record
	var published, modified, again, listed, fetched, changed, vanished sql.NullInt64
	var seen int64
	var tags, writers, related, links, hash []byte
	var address sql.NullString
	var list, single, found []byte
	targets := []any{&r.Row, &r.Kind, &r.ID, &r.Type, &r.Path, &r.Title, &r.Spot, &r.URL, &r.Editor, &r.Lead,
		&published, &modified, &tags, &writers, &related, &links,
		&r.Wanted, &r.Recheck, &r.Tries, &again, &r.Pass, &seen, &listed, &fetched, &changed, &vanished, &address, &hash, &r.Pictures}
	if raw {
		targets = append(targets, &list, &single, &found)
	}
	if err := row.Scan(targets...); errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	} else if err != nil {
		return nil, err
	}
	r.Published, r.Modified, r.Seen = moment(published), moment(modified), time.UnixMilli(seen).UTC()
	r.Listed, r.Fetched, r.Changed, r.Vanished = moment(listed), moment(fetched), moment(changed), moment(vanished)
	r.Address = address.String
	copy(r.Hash[:], hash)
	r.List, r.Single, r.Found = list, single, found
	if raw {
		r.dropDamaged()
	}
	r.Again = moment(again)
	for _, part := range []struct {
		json []byte
		into any
	}{{tags, &r.Tags}, {writers, &r.Writers}, {related, &r.Related}, {links, &r.Links}} {
		if len(part.json) <= len("[]") {
			continue
		}
		if err := json.Unmarshal(part.json, part.into); err != nil {
			return nil, fmt.Errorf("%s %s: damaged metadata: %w", r.Kind, r.ID, err)
		}
	}
	return &r, nil
}

func moment(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}
