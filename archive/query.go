package archive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ayna/archive/database"
	"ayna/archive/query"
	"ayna/record"
)

// Rows returns the rows of a query's records in its order. It reads only the columns
// that the condition uses, most of them from an index.
func (r *Reader) Rows(ctx context.Context, q query.Query) (found []int64, err error) {
	// Records that no list showed, or whose damaged JSON was quarantined, have
	// nothing to show. They are few and have an index of their own.
	var args parameters
	where := `kind = ` + args.add(q.Kind) + ` AND gone_at IS NULL AND row NOT IN (SELECT row FROM raw WHERE list IS NULL)`
	condition := cmp.Or(q.Where, &query.Condition{Exact: true})
	for _, bound := range condition.Bounds {
		where += " AND " + sqlOf(bound, r.recurs, &args)
	}
	page, skip := "", q.Skip
	if condition.Exact && q.Limit != query.All {
		page, skip = limits(q.Limit, q.Skip), 0
	}
	reader := r.once
	if q.Where == nil && len(q.Order.By) == 0 && q.Skip == 0 {
		reader = r.recurs // clients' queries differ without end
	}
	var row int64
	values := values{dialect: r.recurs, uses: condition.Uses, columns: make([]any, len(condition.Uses))}
	columns, into := "row", []any{&row}
	for i, p := range condition.Uses {
		columns, into = columns+", "+string(p), append(into, &values.columns[i])
	}
	for _, err := range database.Each(ctx, reader, "list "+string(q.Kind)+"s", func(s database.Row) (struct{}, error) { return struct{}{}, s.Scan(into...) },
		`SELECT `+columns+` FROM record WHERE `+where+` ORDER BY `+order(q, r.recurs)+page, args...) {
		switch {
		case err != nil:
			return nil, err
		case q.Limit != query.All && len(found) >= q.Limit:
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

func order(q query.Query, e database.Dialect) string {
	o := q.Order
	if len(o.By) == 0 && q.Kind == record.Folder {
		o = query.Order{By: []query.Property{query.ByTitle}, Down: []bool{false}}
	}
	var terms []string
	for i, property := range o.By {
		direction := " NULLS FIRST"
		if o.Down[i] {
			direction = " DESC NULLS LAST"
		}
		column := string(property)
		if property == query.ByTitle {
			column = e.ReceivedTitle() // the column has it without blanks around it
		}
		terms = append(terms, column+direction)
	}
	if !slices.Contains(q.Order.By, query.ByPublished) {
		terms = append(terms, "published DESC NULLS LAST")
	}
	return strings.Join(append(terms, string(query.ByID)+" DESC"), ", ")
}

// sqlOf returns a bound as a condition of SQL, and adds its parameter.
func sqlOf(b query.Bound, e database.Dialect, args *parameters) string {
	parameter := args.add(b.Value)
	if _, ok := b.Value.(string); ok {
		return e.Equals(string(b.Property), parameter)
	}
	return string(b.Property) + " " + string(b.Operator) + " " + parameter
}

// values implements [query.Values].
type values struct {
	dialect database.Dialect
	uses    []query.Property
	columns []any // beside uses
}

func (v *values) Of(p query.Property) any {
	value := v.columns[slices.Index(v.uses, p)]
	if p.IsDate() {
		if date, known := value.(int64); known {
			return float64(date)
		}
		return nil
	}
	text, _ := value.(string)
	return text
}

func (v *values) Stored(text string) string { return v.dialect.Values([]any{text})[0].(string) }

// parameters are those of a statement that is put together.
type parameters []any

// add adds a parameter, and returns how the statement names it.
func (p *parameters) add(value any) string {
	*p = append(*p, value)
	return fmt.Sprintf("$%d", len(*p))
}
