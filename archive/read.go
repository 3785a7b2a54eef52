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

const recordColumns = `row, kind, record.id, type, path, title, spot, url, editor, lead, published, modified, tags, writers, related, links,
	fetch_due, recheck, attempts, retry_at, pass, seen, listed, fetched, changed, gone_at, aside, address, hash`

// isItem is a condition: the record is news, which searches look for.
const isItem = `kind IN ('article', 'column', 'gallery', 'video')`

// rawColumns and withRaw add the JSON to what a query reads of records.
const (
	rawColumns = recordColumns + `, list, single, hit_json.json`
	withRaw    = `LEFT JOIN raw USING (row) LEFT JOIN hit_json
		ON hit_json.id = record.id AND single IS NULL AND ` + isItem
)

// Get returns a record with its JSON, or [ErrNotFound].
func (a *Archive) Get(ctx context.Context, kind Kind, id string) (*Record, error) {
	return getRecord(ctx, a.read, kind, id)
}

// Row returns the record of that row, with its JSON.
func (a *Archive) Row(ctx context.Context, row int64) (*Record, error) {
	return rowRecord(ctx, a.read, row)
}

// Raw returns the record of that row with its JSON; of its metadata only kind, id
// and address at the source.
func (a *Archive) Raw(ctx context.Context, row int64) (*Record, error) {
	return rawRecord(ctx, a.read, row)
}

func rawRecord(ctx context.Context, q *statements, row int64) (*Record, error) {
	r, err := scanRaw(q.QueryRowContext(ctx, rawRecords+`row = ?`, row), nil)
	if err != nil {
		return nil, fmt.Errorf("read the JSON of row %d of the archive: %w", row, err)
	}
	return r, nil
}

// rawRecords begins a query for what scanRaw reads.
const rawRecords = `SELECT row, kind, record.id, url, fetch_due, hash, list, single, hit_json.json FROM record ` + withRaw + ` WHERE `

// scanRaw reads a record with its JSON, and little else. All of the JSON is read
// whichever part is shown, because the hash is of all of it.
func scanRaw(row scanner, valid *validity) (*Record, error) {
	var r Record
	var hash []byte
	err := row.Scan(&r.Row, &r.Kind, &r.ID, &r.URL, &r.FetchDue, &hash, &r.List, &r.Single, &r.Hit)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	copy(r.Hash[:], hash)
	if r.Single == nil || !valid.known(func() bool { return r.Hash == r.hash() }, hash, r.List, r.Single) {
		r.dropDamaged()
	}
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
	return records(ctx, a.read, false, `SELECT `+recordColumns+` FROM record WHERE `+notAside+where+` ORDER BY row`, args...)
}

// records runs a query for the columns of records, and their JSON if raw is set.
func records(ctx context.Context, q *statements, raw bool, query string, args ...any) iter.Seq2[*Record, error] {
	return each(ctx, q, "read the archive", func(row scanner) (*Record, error) { return scanRecord(row, raw) }, query, args...)
}

func scanRecord(row scanner, raw bool) (*Record, error) {
	var r Record
	var published, modified, retryAt, listed, fetched, changed, goneAt sql.NullInt64
	var seen int64
	var tags, writers, related, links, hash []byte
	var address sql.NullString
	var list, single, found []byte
	targets := []any{&r.Row, &r.Kind, &r.ID, &r.Type, &r.Path, &r.Title, &r.Spot, &r.URL, &r.Editor, &r.Lead,
		&published, &modified, &tags, &writers, &related, &links,
		&r.FetchDue, &r.Recheck, &r.Attempts, &retryAt, &r.Pass, &seen, &listed, &fetched, &changed, &goneAt, &r.aside, &address, &hash}
	if raw {
		targets = append(targets, &list, &single, &found)
	}
	if err := row.Scan(targets...); errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	} else if err != nil {
		return nil, err
	}
	r.Published, r.Modified, r.Seen = moment(published), moment(modified), time.UnixMilli(seen).UTC()
	r.Listed, r.Fetched, r.Changed, r.GoneAt = moment(listed), moment(fetched), moment(changed), moment(goneAt)
	r.Address = address.String
	copy(r.Hash[:], hash)
	r.List, r.Single, r.Hit = list, single, found
	if raw {
		r.dropDamaged()
	}
	r.RetryAt = moment(retryAt)
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
