package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Query selects what an operation returns. The zero Query leaves that to the
// service. List operations take all fields but Oldest, the search takes Top, Skip and
// Oldest; other fields are an error ([ErrQuery]).
type Query struct {
	Filter Filter   // $filter
	Select []string // $select: only these fields
	Expand []string // $expand: relations such as Files, which $select alone leaves out
	Top    int      // $top: records in one answer; in an iterator, the size of a page
	Skip   int      // $skip: records to leave out at the start
	Oldest bool     // s=1: oldest first
}

// A Filter is an OData filter expression. The API document, section 4, lists the
// properties that an operation allows.
type Filter string

// Eq is the filter that property equals value, which it quotes.
func Eq(property, value string) Filter {
	return Filter(property + " eq '" + strings.ReplaceAll(value, "'", "''") + "'")
}

// Since is the filter that the date in property is t or later, in whole seconds.
func Since(property string, t time.Time) Filter {
	return Filter(property + " ge Datetime'" + t.UTC().Format("2006-01-02T15:04:05Z") + "'")
}

// And is the filter that all non-empty filters hold. It sets no parentheses: the
// service is not known to accept any.
func And(filters ...Filter) Filter {
	var texts []string
	for _, f := range filters {
		if f != "" {
			texts = append(texts, string(f))
		}
	}
	return Filter(strings.Join(texts, " and "))
}

// values returns the parameters of a search or of a list operation.
func (q Query) values(search bool) (url.Values, error) {
	narrow := q.Filter != "" || len(q.Select) > 0 || len(q.Expand) > 0
	if search && narrow || !search && q.Oldest {
		return nil, ErrQuery
	}
	v := url.Values{}
	set := func(name, value string, given bool) {
		if given {
			v.Set(name, value)
		}
	}
	set("$filter", string(q.Filter), q.Filter != "")
	set("$select", strings.Join(q.Select, ","), len(q.Select) > 0)
	set("$expand", strings.Join(q.Expand, ","), len(q.Expand) > 0)
	set("$top", strconv.Itoa(q.Top), q.Top > 0)
	set("$skip", strconv.Itoa(q.Skip), q.Skip > 0)
	set("s", "1", q.Oldest)
	return v, nil
}

// singleValues selects fields of a single record. Relations among them are also
// expanded: the real service leaves them out otherwise.
func singleValues(fields []string) url.Values {
	q := Query{Select: fields}
	for _, field := range fields {
		switch field {
		case "Files", "RelatedNews", "PageNews", "Writers":
			q.Expand = append(q.Expand, field)
		}
	}
	v, _ := q.values(false) // fails for Oldest only
	return v
}

// pageSize is the default $top of iterators: the most that the real service gives.
const pageSize = 50

// each iterates over the records of all pages, each record once. It advances by the number
// of records received, which may be fewer than requested, and ends with an error, or after
// a page that is empty or has no new record.
func each[T interface{ identity() string }](ctx context.Context, fetch func(context.Context, Query) (Batch, error), q Query) iter.Seq2[T, error] {
	if q.Top <= 0 {
		q.Top = pageSize
	}
	if len(q.Select) > 0 && !slices.ContainsFunc(q.Select, isID) {
		q.Select = append([]string{"Id"}, q.Select...)
	}
	return func(yield func(T, error) bool) {
		q := q
		seen := map[string]bool{}
		for {
			page, err := nextPage[T](ctx, fetch, &q)
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
			fresh := false
			for _, record := range page {
				if seen[record.identity()] {
					continue
				}
				seen[record.identity()], fresh = true, true
				if !yield(record, nil) {
					return
				}
			}
			if !fresh {
				return
			}
		}
	}
}

// nextPage fetches the records at q and moves q past them.
func nextPage[T any](ctx context.Context, fetch func(context.Context, Query) (Batch, error), q *Query) ([]T, error) {
	batch, err := fetch(ctx, *q)
	if err != nil {
		return nil, err
	}
	if len(batch.Records) == 0 && batch.Skipped > 0 {
		return nil, fmt.Errorf("page at record %d: %w: none of its %d elements can be taken", q.Skip, ErrShape, batch.Skipped)
	}
	q.Skip += len(batch.Records) + batch.Skipped
	records := make([]T, len(batch.Records))
	for i, raw := range batch.Records {
		if err := json.Unmarshal(raw, &records[i]); err != nil {
			return nil, err
		}
	}
	return records, nil
}

func isID(field string) bool { return strings.EqualFold(strings.TrimSpace(field), "Id") }

// identity returns the id of a record, or its JSON if it has none.
func (r Record) identity() string { return identity(r.ID, r.Raw) }

func (p Path) identity() string { return identity(p.ID, p.Raw) }

func identity(id string, raw json.RawMessage) string {
	if id != "" {
		return id
	}
	return string(raw)
}
