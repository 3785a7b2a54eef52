package archive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Query selects records of a kind that lists show and that are not gone.
type Query struct {
	Kind  Kind
	Where *Condition // nil selects all of them
	Order Order
	Limit int // the largest number of records, or [All]
	Skip  int // the number of records to leave out before
}

// Order is how a list is sorted. Records that are equal in it come newest
// first. The zero Order is that of the service: newest first, folders by title
// as it was received.
type Order struct {
	By   []Property
	Down []bool // beside each of By: greatest first
}

// All as a limit means no limit.
const All = -1

// Rows returns the rows of a query's records in its order. It reads only the columns
// that the condition uses, most of them from an index.
func (r *Reader) Rows(ctx context.Context, q Query) (found []int64, err error) {
	// Records that no list showed, or whose JSON is damaged and was set aside, have
	// nothing to show. They are few and have an index of their own.
	var args parameters
	where := `kind = ` + args.add(q.Kind) + ` AND gone_at IS NULL AND row NOT IN (SELECT row FROM raw WHERE list IS NULL)`
	condition := cmp.Or(q.Where, &Condition{Exact: true})
	for _, bound := range condition.Bounds {
		where += " AND " + bound.sql(r.engine, &args)
	}
	page, skip := "", q.Skip
	if condition.Exact && q.Limit != All {
		page, skip = limits(q.Limit, q.Skip), 0
	}
	reader := r.others
	if q.Where == nil && len(q.Order.By) == 0 && q.Skip == 0 {
		reader = r.kept // clients' queries differ without end
	}
	var row int64
	values := Values{engine: r.engine, uses: condition.Uses, columns: make([]any, len(condition.Uses))}
	columns, into := "row", []any{&row}
	for i, p := range condition.Uses {
		columns, into = columns+", "+string(p), append(into, &values.columns[i])
	}
	for _, err := range each(ctx, reader, "list "+string(q.Kind)+"s", func(s scanner) (struct{}, error) { return struct{}{}, s.Scan(into...) },
		`SELECT `+columns+` FROM record WHERE `+where+` ORDER BY `+q.order(r.engine)+page, args...) {
		switch {
		case err != nil:
			return nil, err
		case q.Limit != All && len(found) >= q.Limit:
			return found, nil
		case !condition.Exact && !condition.Holds(&values):
		case skip > 0:
			skip--
		default:
			found = append(found, row)
		}
	}
	return found, nil
}

// limits returns the clause for a page. The numbers stand in the statement, since
// SQLite would prepare one with parameters anew each time to plan for them. The
// limit is rounded up, for there to be few statements.
func limits(limit, skip int) string {
	most := 16
	for most < limit {
		most *= 2
	}
	clause := fmt.Sprintf(` LIMIT %d`, most)
	if skip > 0 {
		clause += fmt.Sprintf(` OFFSET %d`, skip)
	}
	return clause
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
		column := string(property)
		if property == ByTitle {
			column = e.receivedTitle() // the column has it without blanks around it
		}
		terms = append(terms, column+direction)
	}
	if !slices.Contains(q.Order.By, ByPublished) {
		terms = append(terms, "published DESC NULLS LAST")
	}
	return strings.Join(append(terms, string(ByID)+" DESC"), ", ")
}

// UnknownReferences reports whether an item that was first seen after since and
// until now refers to a record of a kind, [Writer] or [Folder], that is missing and
// was not forgotten.
func (a *Archive) UnknownReferences(ctx context.Context, kind Kind, since, now time.Time) (bool, error) {
	missing := `NOT EXISTS (SELECT 1 FROM record AS own WHERE own.kind = 'folder' AND own.path = item.path)`
	if kind == Writer {
		missing = `item.writer_id <> '' AND NOT EXISTS (SELECT 1 FROM record AS own WHERE own.kind = 'writer' AND own.id = item.writer_id)
			AND NOT EXISTS (SELECT 1 FROM forgotten WHERE kind = 'writer' AND id = item.writer_id)`
	}
	var unknown bool
	err := a.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM record AS item WHERE seen > $1 AND seen <= $2 AND `+notAside+`
		AND `+isItem+` AND `+missing+`)`,
		since.UnixMilli(), now.UnixMilli()).Scan(&unknown)
	return unknown, wrap(err, "look for unknown %ss", kind)
}

// Count returns the number of records of a kind that are not gone.
func (a *Archive) Count(ctx context.Context, kind Kind) (int, error) {
	var n int
	err := a.read.QueryRowContext(ctx, `SELECT count(*) FROM record WHERE kind = $1 AND gone_at IS NULL`, kind).Scan(&n)
	return n, wrap(err, "count %ss", kind)
}

// CountWanted returns the number of records of each kind that are not gone and whose
// folders wants selects.
func (a *Archive) CountWanted(ctx context.Context, wants func(paths []string) bool) (map[Kind]int, error) {
	return a.count(ctx, wants, `SELECT kind, path, paths, count(*) FROM record WHERE gone_at IS NULL GROUP BY kind, path, paths`)
}

// Counts returns for each kind the number of records that are not gone, and of those
// among them whose folders wants selects and whose single record has not arrived. It
// reads indexes only.
func (a *Archive) Counts(ctx context.Context, wants func(paths []string) bool) (all, waiting map[Kind]int, err error) {
	all, err = a.count(ctx, nil, `SELECT kind, '', '[]', count(*) FROM record WHERE gone_at IS NULL GROUP BY kind`)
	if err == nil {
		waiting, err = a.count(ctx, wants, `SELECT kind, path, paths, count(*) FROM record WHERE fetched IS NULL AND gone_at IS NULL GROUP BY kind, path, paths`)
	}
	return all, waiting, err
}

// count adds up the counts of a query by kind. A nil wants selects every record.
func (a *Archive) count(ctx context.Context, wants func(paths []string) bool, query string) (map[Kind]int, error) {
	type group struct {
		kind  Kind
		paths []string
		n     int
	}
	n := make(map[Kind]int)
	for g, err := range each(ctx, a.read, "count records", func(row scanner) (g group, err error) {
		var path string
		err = row.Scan(&g.kind, &path, encoded{&g.paths}, &g.n)
		g.paths = foldersOf(path, g.paths)
		return g, err
	}, query) {
		if err != nil {
			return nil, err
		}
		if wants == nil || wants(g.paths) {
			n[g.kind] += g.n
		}
	}
	return n, nil
}
