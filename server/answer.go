package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"ayna/archive"
	"ayna/archive/analysis"
	"ayna/archive/database"
	"ayna/archive/query"
	"ayna/record"
)

// maxTop is the largest $top, and its default, as in the real service.
const maxTop = 50

// list answers a list operation.
func (s *api) list(g *group, r *http.Request, q parameters) (document, error) {
	l, err := s.readList(g, q)
	if err != nil {
		return document{}, err
	}
	return s.consistent(r, func(ctx context.Context, v view) (document, error) { return s.page(ctx, v, l) })
}

// page answers a page of a list. It reads the first page by itself, because most
// clients want only that. For other pages, and to count, it reads the rows of the
// whole list once in each state of the archive: 8 bytes a record.
func (s *api) page(ctx context.Context, v view, l list) (d document, err error) {
	for all := l.counted || l.Skip > 0; ; all = true {
		var found rows
		if all {
			found, err = s.allRows(ctx, v, l)
		} else {
			found, err = v.Rows(ctx, l.Query)
		}
		if err != nil {
			return d, err
		}
		if l.counted {
			d.total = new(len(found))
		}
		found = found[min(l.Skip, len(found)):]
		records, err := v.Lists(ctx, found, l.Limit)
		if err == nil && slices.Contains(summarizedKinds, l.Kind) && !slices.ContainsFunc(records, hasSummary) {
			records, err = v.Hits(ctx, found, l.Limit) // with single records, which have the summaries
		}
		if err != nil {
			return d, err
		}
		if !all && slices.ContainsFunc(records, func(r *archive.Record) bool { return r.Damaged }) {
			continue // with all rows, so that later records take the place of damaged ones
		}
		d.body = s.array(nil, records, func(b []byte, r *archive.Record) []byte { return project(b, summarized(r), l.fields) })
		return d, nil
	}
}

// allRows returns the rows of a list without its limits.
func (s *api) allRows(ctx context.Context, v view, l list) (rows, error) {
	l.Limit, l.Skip = query.All, 0
	return s.rows(ctx, v, "list "+l.key, func(ctx context.Context) (rows, error) { return v.Rows(ctx, l.Query) })
}

// array appends records as a JSON array, without damaged ones; write appends each of them.
func (s *api) array(b []byte, records []*archive.Record, write func([]byte, *archive.Record) []byte) []byte {
	size := len("[]}")
	for _, r := range records {
		size += len(searched(r)) + len(",")
	}
	b = append(slices.Grow(b, size), '[')
	start := len(b)
	for _, r := range records {
		if s.isDamaged(r) {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		b = write(b, r)
	}
	return append(b, ']')
}

// count answers OData's path for the number of records of a list.
func (s *api) count(g *group, r *http.Request, q parameters) (document, error) {
	l, err := s.readList(g, q)
	if err != nil {
		return document{}, err
	}
	return s.consistent(r, func(ctx context.Context, v view) (document, error) {
		found, err := s.allRows(ctx, v, l)
		return document{contentType: textContent, body: []byte(strconv.Itoa(len(found)))}, err
	})
}

// single answers with one record.
func (s *api) single(ctx context.Context, g *group, q parameters, id string) (document, error) {
	stored, err := s.archive.Reader().Single(ctx, g.kind, id)
	switch {
	case errors.Is(err, database.ErrNotFound):
		return document{}, &apiError{status: http.StatusNotFound, message: fmt.Sprintf("no record %q in %s", id, g.Name)}
	case err != nil:
		return document{}, err
	case s.isDamaged(stored):
		return document{}, unavailable("the record %q is damaged in the archive", id)
	case stored.Single == nil:
		return document{}, unavailable("the record %q has not reached the archive yet", id)
	}
	// Single compared the hash with the bytes, so the hash identifies them.
	tag := fmt.Sprintf("%x", stored.Hash[:16])
	fields := q.fields(g.Fields)
	if fields == nil {
		return document{body: stored.Single, tag: tag}, nil
	}
	tag += fmt.Sprintf("-%08x", crc32.ChecksumIEEE([]byte(strings.Join(fields, ","))))
	return document{body: project(nil, stored.Single, fields), tag: tag}, nil
}

// search answers a search. Its parameter s is 1 for the oldest records first.
func (s *api) search(r *http.Request, q parameters, keyword string) (document, error) {
	top, skip, err := q.window()
	if err != nil {
		return document{}, err
	}
	oldest, err := q.flag("s", "-1", "1")
	if err != nil {
		return document{}, err
	}
	return s.consistent(r, func(ctx context.Context, v view) (document, error) {
		return s.hits(ctx, v, keyword, oldest, top, skip)
	})
}

// hits answers a page of a search.
func (s *api) hits(ctx context.Context, v view, keyword string, oldest bool, top, skip int) (document, error) {
	found, err := s.rows(ctx, v, "hits "+keyword, func(ctx context.Context) (rows, error) {
		newest, err := s.rows(ctx, v, "newest", func(ctx context.Context) (rows, error) { return v.Newest(ctx) })
		if err != nil {
			return nil, err
		}
		return v.Search(ctx, keyword, newest, record.Derive(record.Dates{Zone: s.options.Location}))
	})
	if errors.Is(err, analysis.ErrWords) {
		return document{}, badRequest("a search has at most %d different words", analysis.MaxWords)
	}
	if err != nil {
		return document{}, err
	}
	page := found[min(skip, len(found)):]
	if oldest {
		page = slices.Clone(found[:max(0, len(found)-skip)])
		slices.Reverse(page)
	}
	records, err := v.Hits(ctx, page, top)
	if err != nil {
		return document{}, err
	}
	body := s.array(fmt.Appendf(nil, `{"Count":%d,"List":`, len(found)), records, appendHit)
	return document{body: append(body, '}')}, nil
}

func (s *api) date() (document, error) {
	body, err := json.Marshal(struct{ Date string }{s.options.Now().UTC().Format(http.TimeFormat)})
	return document{body: body}, err
}
