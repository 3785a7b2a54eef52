package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// pageSize is the $top of iterators by default: what the real service gave
// without $top, and at most.
const pageSize = 50

// each iterates over the records of all pages, each record once. It advances
// by what was received, which may be less than what was asked for, and ends
// with a page that is empty or holds nothing new. An error ends it, too.
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

// identity tells records apart; the whole JSON does where there is no id.
func (r Record) identity() string { return identity(r.ID, r.Raw) }

func (p Path) identity() string { return identity(p.ID, p.Raw) }

func identity(id string, raw json.RawMessage) string {
	if id != "" {
		return id
	}
	return string(raw)
}
