package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/server/filter"
)

// operation is a row of the API document, section 4. What answers requests and
// what describes the API are made from the same rows.
type operation struct {
	name       string // as a program would call it: ListArticles
	path       string // as the router and OpenAPI both write it: /v1/articles/{Id}
	summary    string
	parameters []parameter
	group      *group // nil for search and date
	answer     func(*api, *operation, *http.Request, query) (document, error)
}

// operations are all sixteen.
var operations = allOperations()

func allOperations() []*operation {
	var all []*operation
	for _, g := range groups {
		all = append(all, &operation{
			name: "List" + pascal(g.many), path: "/v1/" + g.name, group: g, answer: (*api).list,
			summary:    fmt.Sprintf("Lists %s.", g.many),
			parameters: listParameters(g),
		}, &operation{
			name: "Get" + pascal(g.one), path: "/v1/" + g.name + "/{Id}", group: g, answer: (*api).single,
			summary:    fmt.Sprintf("Shows one %s.", g.one),
			parameters: []parameter{idParameter, selectParameter, expandParameter},
		})
	}
	return append(all, &operation{
		name: "Search", path: "/v1/search/{keyword}", answer: (*api).search,
		summary:    "Finds articles, columns, photo galleries and videos by their words, newest first.",
		parameters: []parameter{keywordParameter, topParameter, skipParameter, directionParameter},
	}, &operation{
		name: "GetDate", path: "/v1/date", answer: (*api).date,
		summary: "Tells the date of the server, in the format of RFC 1123.",
	})
}

// pascal writes words as one name: PhotoGallery.
func pascal(words string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(words) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// list answers a list operation, or, with Id in the query, a single one.
func (s *api) list(o *operation, r *http.Request, q query) (document, error) {
	if id := q["id"]; id != "" {
		return s.record(o.group, r, q, id)
	}
	find, fields, err := s.readList(o.group, q)
	if err != nil {
		return document{}, err
	}
	counted, err := q.choice("$count", "false", "true")
	if err != nil {
		return document{}, err
	}
	key := string(find.Kind) + q.condition()
	return s.steady(r, func(v view) (document, error) {
		return s.answerOnce(r.Context(), v, fmt.Sprintf("list %d %d %d %q %s", find.Limit, find.Skip, counted, fields, key), func(ctx context.Context) (document, error) {
			return s.page(ctx, v, find, key, fields, counted == 1)
		})
	})
}

func (s *api) readList(g *group, q query) (find archive.Query, fields []string, err error) {
	find.Kind = g.kind
	fields = q.fields(g.fields())
	if find.Limit, find.Skip, err = q.window(s.options.MaxTop); err != nil {
		return find, nil, err
	}
	if find.Order, err = q.order(g.sortable()); err != nil {
		return find, nil, err
	}
	if text := q["$filter"]; text != "" {
		if find.Where, err = filter.Parse(text, g.filters, s.options.Location, q); err != nil {
			return find, nil, refuse(http.StatusBadRequest, "$filter, %v", err)
		}
	}
	return find, fields, nil
}

func (s *api) single(o *operation, r *http.Request, q query) (document, error) {
	return s.record(o.group, r, q, r.PathValue("Id"))
}

func (s *api) record(g *group, r *http.Request, q query, id string) (document, error) {
	record, err := s.archive.Single(r.Context(), g.kind, id)
	switch {
	case errors.Is(err, archive.ErrNotFound):
		return document{}, refuse(http.StatusNotFound, "no record %q in %s", id, g.name)
	case err != nil:
		return document{}, err
	case s.leaveOut(record):
		return document{}, refuse(http.StatusServiceUnavailable, "the record %q is damaged in the archive", id)
	case record.JSON == nil:
		return document{}, refuse(http.StatusServiceUnavailable, "the record %q has not reached the archive yet", id)
	}
	fields := q.fields(g.fields())
	body, err := project(nil, record.JSON, fields)
	if err != nil {
		return document{}, fmt.Errorf("%s %s: %w", g.kind, id, err)
	}
	// The hash was compared with the bytes just now, so that it stands for them.
	tag := fmt.Sprintf("%x", record.Hash[:16])
	if fields != nil {
		tag += fmt.Sprintf("-%08x", crc32.ChecksumIEEE([]byte(strings.Join(fields, ","))))
	}
	return document{body: body, tag: tag}, nil
}

func (s *api) search(_ *operation, r *http.Request, q query) (document, error) {
	top, skip, err := q.window(s.options.MaxTop)
	if err != nil {
		return document{}, err
	}
	oldest, err := q.choice("s", "-1", "1")
	if err != nil {
		return document{}, err
	}
	keyword := keywordOf(r)
	return s.steady(r, func(v view) (document, error) {
		return s.answerOnce(r.Context(), v, fmt.Sprintf("search %d %d %d %s", oldest, top, skip, keyword), func(ctx context.Context) (document, error) {
			return s.hits(ctx, v, keyword, oldest == 1, top, skip)
		})
	})
}

// hits answers a page of a search.
func (s *api) hits(ctx context.Context, v view, keyword string, oldest bool, top, skip int) (d document, err error) {
	rows, err := s.kept(ctx, v, "search "+keyword, func(ctx context.Context) ([]int64, error) {
		newest, err := s.kept(ctx, v, "newest", v.Newest)
		if err != nil {
			return nil, err
		}
		return v.Search(ctx, keyword, newest)
	})
	if errors.Is(err, archive.ErrWords) {
		return d, refuse(http.StatusBadRequest, "a search has at most %d different words", archive.MostWords)
	}
	if err != nil {
		return d, err
	}
	page := rows[min(skip, len(rows)):]
	if oldest {
		page = slices.Clone(rows[:max(0, len(rows)-skip)])
		slices.Reverse(page)
	}
	records, err := archive.Whole(page, top, func(rows []int64) ([]archive.Document, error) { return v.Hits(ctx, rows) })
	if err != nil {
		return d, err
	}
	body, err := s.array(fmt.Appendf(nil, `{"Count":%d,"List":`, len(rows)), records, appendHit)
	return document{body: append(body, '}')}, err
}

func (s *api) date(*operation, *http.Request, query) (document, error) {
	body, err := json.Marshal(struct{ Date string }{s.options.Now().UTC().Format(http.TimeFormat)})
	return document{body: body}, err
}
