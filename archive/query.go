package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// Query selects records of a kind that lists show and that are not gone.
type Query struct {
	Kind  Kind
	Where Condition // nil: all of them
	Order Order
	Limit int
	Skip  int
}

// Order is how a list is sorted. Records that are equal in it come newest
// first. The zero Order is that of the service: newest first, folders by title
// as it was received.
type Order struct {
	By   []Property
	Down []bool // beside each of By: greatest first
}

// List yields the records of a query as lists show them. In place of one that is
// damaged, of which it yields no JSON, another follows the last.
func (a *Archive) List(ctx context.Context, q Query) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		if beyond, err := a.beyond(ctx, q.Skip); err != nil || beyond {
			if err != nil {
				yield(Document{}, err)
			}
			return
		}
		where, order := q.where(a.engine), q.order(a.engine)
		// The page is found first: what is left out has its JSON not read.
		query := `SELECT ` + documentColumns + ` FROM (SELECT row FROM record WHERE ` + where.sql.String() + `
			ORDER BY ` + order + ` LIMIT ? OFFSET ?) AS page JOIN record USING (row) ` + withRaw + ` ORDER BY ` + order
		readOn(q.Limit, q.Skip, func(limit, skip int) iter.Seq2[Document, error] {
			return documents(ctx, a.readerOf(q.Where), asListed, query, append(slices.Clone(where.args), limit, skip)...)
		})(yield)
	}
}

// Count returns how many records a query has without its limits.
func (a *Archive) Count(ctx context.Context, q Query) (int, error) {
	where := q.where(a.engine)
	var n int
	err := a.readerOf(q.Where).QueryRowContext(ctx, `SELECT count(*) FROM record WHERE `+where.sql.String(), where.args...).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count %ss: %w", q.Kind, err)
	}
	return n, nil
}

// beyond reports whether skip leaves nothing of any list, without counting:
// there are no more records than the greatest number of a row.
func (a *Archive) beyond(ctx context.Context, skip int) (bool, error) {
	if skip == 0 {
		return false, nil
	}
	var last sql.NullInt64
	if err := a.read.QueryRowContext(ctx, `SELECT max(row) FROM record`).Scan(&last); err != nil {
		return false, fmt.Errorf("find the last record: %w", err)
	}
	return int64(skip) >= last.Int64, nil
}

func (q Query) where(e engine) *clause {
	c := &clause{engine: e}
	// Of those that lists never showed, and those whose JSON was set aside, there is
	// nothing to show. They are few, and found by an index of their own.
	c.add("kind = ? AND vanished IS NULL AND row NOT IN (SELECT row FROM raw WHERE list IS NULL)", q.Kind)
	if q.Where != nil {
		c.add(" AND ")
		q.Where.write(c)
	}
	return c
}

func (q Query) order(e engine) string {
	order := q.Order
	if len(order.By) == 0 && q.Kind == Folder {
		order = Order{By: []Property{ByTitle}, Down: []bool{false}}
	}
	var terms []string
	for i, property := range order.By {
		direction := " NULLS FIRST"
		if order.Down[i] {
			direction = " DESC NULLS LAST"
		}
		column := propertyColumns[property]
		if property == ByTitle {
			column = e.receivedTitle() // the column has it without blanks around it
		}
		terms = append(terms, column+direction)
	}
	if !slices.Contains(q.Order.By, ByPublished) {
		terms = append(terms, "published DESC NULLS LAST")
	}
	return strings.Join(append(terms, propertyColumns[ByID]+" DESC"), ", ")
}

// readerOf keeps the statements of simple conditions only: there is no end of
// the others.
func (a *Archive) readerOf(where Condition) reader {
	switch where.(type) {
	case nil, Compare:
		return a.read
	}
	return unkept{a.readers, a.engine}
}

// Single returns a record as its own operation shows it; no JSON if that has
// not arrived, or is damaged. It is [ErrNotFound] if there is no such record or
// it is gone.
func (a *Archive) Single(ctx context.Context, kind Kind, id string) (Document, error) {
	d, err := scanDocument(a.read.QueryRowContext(ctx, `SELECT `+documentColumns+` FROM record `+withRaw+`
		WHERE kind = ? AND record.id = ? AND vanished IS NULL`, kind, id), func(r *Record) []byte { return r.Single })
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return d, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	return d, nil
}

// Strangers reports whether an item that was first seen after since, and not
// later than now, names a writer, or lies in a folder, that has no record of its
// own, and is to have one.
func (a *Archive) Strangers(ctx context.Context, kind Kind, since, now time.Time) (bool, error) {
	known := `own.kind = 'folder' AND own.path = item.path`
	if kind == Writer {
		known = `own.kind = 'writer' AND own.id = item.writer_id OR item.writer_id = ''
			OR EXISTS (SELECT 1 FROM forgotten WHERE kind = 'writer' AND id = item.writer_id)`
	}
	var strangers bool
	err := a.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM record AS item WHERE seen > ? AND seen <= ? AND `+notAside+`
		AND kind IN ('article', 'column', 'gallery', 'video') AND NOT EXISTS (SELECT 1 FROM record AS own WHERE `+known+`))`,
		since.UnixMilli(), now.UnixMilli()).Scan(&strangers)
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

// Among returns the number of records of each kind that are not gone and whose
// folder is wanted.
func (a *Archive) Among(ctx context.Context, wants func(path string) bool) (map[Kind]int, error) {
	n := make(map[Kind]int)
	if err := a.count(ctx, n, wants, `SELECT kind, path, count(*) FROM record WHERE vanished IS NULL GROUP BY kind, path`); err != nil {
		return nil, fmt.Errorf("count records: %w", err)
	}
	return n, nil
}

// Counts returns the number of records of each kind that are not gone, and of
// those among them whose single record has not arrived though their folder is
// wanted. It reads indexes only.
func (a *Archive) Counts(ctx context.Context, wants func(path string) bool) (all, waiting map[Kind]int, err error) {
	all, waiting = make(map[Kind]int), make(map[Kind]int)
	err = a.count(ctx, all, nil, `SELECT kind, '', count(*) FROM record WHERE vanished IS NULL GROUP BY kind`)
	if err == nil {
		err = a.count(ctx, waiting, wants, `SELECT kind, path, count(*) FROM record WHERE fetched IS NULL AND vanished IS NULL GROUP BY kind, path`)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("count records: %w", err)
	}
	return all, waiting, nil
}

// count adds up what a query counts, by kind. wants may be nil.
func (a *Archive) count(ctx context.Context, into map[Kind]int, wants func(path string) bool, query string) error {
	rows, err := a.read.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var kind Kind
		var path string
		var n int
		if err := rows.Scan(&kind, &path, &n); err != nil {
			return err
		}
		if wants == nil || wants(path) {
			into[kind] += n
		}
	}
	return rows.Err()
}
