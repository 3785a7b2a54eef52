package archive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ayna/record"
)

// Query selects records of a kind that lists show and that are not gone.
type Query struct {
	Kind  record.Kind
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
	// Records that no list showed, or whose damaged JSON was quarantined, have
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
	reader := r.once
	if q.Where == nil && len(q.Order.By) == 0 && q.Skip == 0 {
		reader = r.recurs // clients' queries differ without end
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
	if len(order.By) == 0 && q.Kind == record.Folder {
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
