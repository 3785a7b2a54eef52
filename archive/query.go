package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
)

// Property is what a list can be narrowed by.
type Property string

// The properties of conditions.
const (
	ByID       Property = "record.id"
	ByPath     Property = "path"
	ByWriter   Property = "writer_id"
	ByModified Property = "modified"
)

// Operator compares a property with a value.
type Operator string

// The operators of conditions.
const (
	Equal   Operator = "="
	AtLeast Operator = ">="
	AtMost  Operator = "<="
)

// Condition is one comparison. Value is a string, or for ByModified a
// time.Time.
type Condition struct {
	Property Property
	Operator Operator
	Value    any
}

// Query selects records of a kind that were listed and are not gone.
type Query struct {
	Kind  Kind
	Where []Condition // all of them hold
	Limit int
	Skip  int
}

// List yields the records of a query with their JSON: newest first, folders by
// path.
func (a *Archive) List(ctx context.Context, q Query) iter.Seq2[*Record, error] {
	where, args := []string{"kind = ?", "vanished IS NULL", "list IS NOT NULL"}, []any{q.Kind}
	for _, c := range q.Where {
		where = append(where, string(c.Property)+" "+string(c.Operator)+" ?")
		if t, ok := c.Value.(time.Time); ok {
			args = append(args, t.UnixMilli())
		} else {
			args = append(args, c.Value)
		}
	}
	order := "published DESC, length(record.id) DESC, record.id DESC"
	if q.Kind == Folder {
		order = "path, record.id"
	}
	return records(ctx, a.read, true, `SELECT `+rawColumns+` FROM record `+withRaw+`
		WHERE `+strings.Join(where, " AND ")+` ORDER BY `+order+` LIMIT ? OFFSET ?`, append(args, q.Limit, q.Skip)...)
}

// Search returns how many records hold all words of text, the last one as the
// beginning of a word, and yields some of them with their JSON, newest first
// or oldest first.
func (a *Archive) Search(ctx context.Context, text string, oldest bool, limit, skip int) (int, iter.Seq2[*Record, error], error) {
	match := matchExpression(text)
	if match == "" {
		return 0, func(func(*Record, error) bool) {}, nil
	}
	const from = `FROM search JOIN record ON record.row = search.rowid WHERE search MATCH ? AND vanished IS NULL`
	var count int
	if err := a.read.QueryRowContext(ctx, `SELECT count(*) `+from, match).Scan(&count); err != nil {
		return 0, nil, fmt.Errorf("search %q: %w", text, err)
	}
	order := "published DESC, length(record.id) DESC, record.id DESC"
	if oldest {
		order = "published, length(record.id), record.id"
	}
	hits := records(ctx, a.read, true, `SELECT `+rawColumns+` FROM record `+withRaw+`
		WHERE row IN (SELECT search.rowid `+from+`) ORDER BY `+order+` LIMIT ? OFFSET ?`, match, limit, skip)
	return count, hits, nil
}

// Strangers reports whether an item that was first seen after since names a
// writer, or lies in a folder, that has no record of its own.
func (a *Archive) Strangers(ctx context.Context, kind Kind, since time.Time) (bool, error) {
	known := `own.kind = 'folder' AND own.path = item.path`
	if kind == Writer {
		known = `own.kind = 'writer' AND own.id = item.writer_id OR item.writer_id = ''`
	}
	var strangers bool
	err := a.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM record AS item WHERE seen > ?
		AND kind IN ('article', 'column', 'gallery', 'video') AND NOT EXISTS (SELECT 1 FROM record AS own WHERE `+known+`))`,
		since.UnixMilli()).Scan(&strangers)
	if err != nil {
		return false, fmt.Errorf("look for unknown %ss: %w", kind, err)
	}
	return strangers, nil
}

// Held returns the number of records of a kind that are not gone.
func (a *Archive) Held(ctx context.Context, kind Kind) (int, error) {
	var n int
	err := a.read.QueryRowContext(ctx, `SELECT count(*) FROM record WHERE kind = ? AND vanished IS NULL`, kind).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count %ss: %w", kind, err)
	}
	return n, nil
}

// Counts returns the number of records of each kind that are not gone, and of
// those among them whose single record has not arrived though their folder is
// wanted.
func (a *Archive) Counts(ctx context.Context, wants func(path string) bool) (all, waiting map[Kind]int, err error) {
	rows, err := a.read.QueryContext(ctx, `SELECT kind, CASE WHEN fetched IS NULL THEN path END, count(*) FROM record
		WHERE vanished IS NULL GROUP BY 1, 2`)
	if err != nil {
		return nil, nil, fmt.Errorf("count records: %w", err)
	}
	defer rows.Close()
	all, waiting = make(map[Kind]int), make(map[Kind]int)
	for rows.Next() {
		var kind Kind
		var path sql.NullString // of those that wait
		var n int
		if err := rows.Scan(&kind, &path, &n); err != nil {
			return nil, nil, fmt.Errorf("count records: %w", err)
		}
		all[kind] += n
		if path.Valid && wants(path.String) {
			waiting[kind] += n
		}
	}
	return all, waiting, rows.Err()
}

// LastModified returns the latest date of modification among the records of a
// kind that are not gone, and the id of a record with it; no id if there is
// none.
func (a *Archive) LastModified(ctx context.Context, kind Kind) (time.Time, string, error) {
	var ms int64
	var id string
	err := a.read.QueryRowContext(ctx, `SELECT modified, id FROM record WHERE kind = ? AND modified IS NOT NULL
		AND vanished IS NULL ORDER BY modified DESC, id DESC LIMIT 1`, kind).Scan(&ms, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, "", nil
	}
	if err != nil {
		return time.Time{}, "", fmt.Errorf("read the last change: %w", err)
	}
	return time.UnixMilli(ms).UTC(), id, nil
}
