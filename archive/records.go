package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"

	"ayna/archive/database"
	"ayna/record"
)

// Records reads the records of an archive with their JSON, and earlier versions of the JSON.
type Records struct{ read *database.Statements }

// selectRecord and selectFull begin queries for scanRecord, without and with JSON.
var (
	selectRecord = `SELECT ` + strings.Join(namesOf(recordColumns), ", ")
	selectFull   = selectRecord + `, list, single, hit_json.json FROM record ` + withRaw
)

// withRaw adds the JSON to a query for records. A hit stands in for the single JSON of an item
// until that arrives. Hits belong to items only: a writer may have the same id as an item.
const withRaw = `LEFT JOIN raw USING (row) LEFT JOIN hit_json
		ON hit_json.id = record.id AND single IS NULL AND ` + database.IsItem

// Get returns a record with its JSON, or [database.ErrNotFound].
func (s Records) Get(ctx context.Context, kind record.Kind, id string) (*Record, error) {
	return fullRecord(ctx, s.read, fmt.Sprintf("read %s %s", kind, id), `kind = $1 AND record.id = $2`, kind, id)
}

// Row returns the record of a row with its JSON, or [database.ErrNotFound].
func (s Records) Row(ctx context.Context, row int64) (*Record, error) {
	return fullRecord(ctx, s.read, fmt.Sprintf("read row %d of the archive", row), `row = $1`, row)
}

// rawRecord returns the record of a row with its JSON, but of its metadata only kind, id,
// address at the source and FetchDue.
func rawRecord(ctx context.Context, q *database.Statements, row int64) (*Record, error) {
	r, err := scanRaw(q.QueryRowContext(ctx, rawRecords+`row = $1`, row), nil)
	if err != nil {
		return nil, fmt.Errorf("read the JSON of row %d of the archive: %w", row, err)
	}
	return r, nil
}

// rawRecords is a query whose rows scanRaw reads. It ends where the condition belongs.
const rawRecords = `SELECT row, kind, record.id, url, fetch_due, hash, list, single, hit_json.json FROM record ` + withRaw + ` WHERE `

// scanRaw reads the columns of rawRecords. It reads all parts of the JSON because the
// hash covers them all.
func scanRaw(row database.Row, valid *validity) (*Record, error) {
	var r Record
	err := row.Scan(&r.Row, &r.Kind, &r.ID, &r.URL, &r.FetchDue, digest{&r.Hash}, &r.List, &r.Single, &r.Hit)
	if errors.Is(err, sql.ErrNoRows) {
		err = database.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	// Without Single the hash may or may not cover Hit, and verify has to find out; the digest
	// in the cache does not cover it.
	if r.Single == nil || !valid.known(func() bool { return r.Hash == r.hash() }, r.Hash[:], r.List, r.Single) {
		r.verify()
	}
	return &r, nil
}

// records runs a query for the columns of records, and their JSON if raw is set.
func records(ctx context.Context, q *database.Statements, raw bool, query string, args ...any) iter.Seq2[*Record, error] {
	return database.Each(ctx, q, "read the archive", func(row database.Row) (*Record, error) { return scanRecord(row, raw) }, query, args...)
}

// fullRecord returns the record that meets a condition, with its JSON, or [database.ErrNotFound].
// Errors begin with what.
func fullRecord(ctx context.Context, q *database.Statements, what, condition string, args ...any) (*Record, error) {
	r, err := scanRecord(q.QueryRowContext(ctx, selectFull+` WHERE `+condition, args...), true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return r, nil
}

func scanRecord(row database.Row, raw bool) (*Record, error) {
	var r Record
	into := make([]any, len(recordColumns), len(recordColumns)+3)
	for i, c := range recordColumns {
		into[i] = c.field(&r)
	}
	if raw {
		into = append(into, &r.List, &r.Single, &r.Hit)
	}
	if err := row.Scan(into...); errors.Is(err, sql.ErrNoRows) {
		return nil, database.ErrNotFound
	} else if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.Kind, r.ID, err)
	}
	if raw {
		r.verify()
	}
	return &r, nil
}

// All yields every record with its JSON, except those kept aside, in the order of arrival.
func (s Records) All(ctx context.Context) iter.Seq2[*Record, error] {
	return records(ctx, s.read, true, selectFull+` WHERE `+database.NotAside+` ORDER BY record.row`)
}

// Hash returns the hash of a record, or [database.ErrNotFound].
func (s Records) Hash(ctx context.Context, kind record.Kind, id string) ([]byte, error) {
	var hash []byte
	err := s.read.QueryRowContext(ctx, `SELECT hash FROM record WHERE kind = $1 AND id = $2`, kind, id).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = database.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read the hash of %s %s: %w", kind, id, err)
	}
	return hash, nil
}
