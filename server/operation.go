package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
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
	var d document
	if counted == 1 {
		n, err := s.archive.Count(r.Context(), find)
		if err != nil {
			return d, err
		}
		d.total = &n
	}
	var elements [][]byte
	for record, err := range s.archive.List(r.Context(), find) {
		if err != nil {
			return d, err
		}
		if s.leaveOut(record) {
			continue
		}
		element, err := project(record.JSON, fields)
		if err != nil {
			return d, fmt.Errorf("%s %s: %w", o.group.kind, record.ID, err)
		}
		elements = append(elements, element)
	}
	d.body = array(elements)
	return d, nil
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
	body, err := project(record.JSON, q.fields(g.fields()))
	if err != nil {
		return document{}, fmt.Errorf("%s %s: %w", g.kind, id, err)
	}
	return document{body: body}, nil
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
	version, err := s.archive.Version(r.Context())
	if err != nil {
		return document{}, err
	}
	body, err := s.searches.get(r.Context(), version, fmt.Sprintf("%d %d %d %s", oldest, top, skip, keyword),
		func(ctx context.Context) ([]byte, error) {
			hits, err := s.archive.Search(ctx, keyword, oldest == 1, top, skip)
			if errors.Is(err, archive.ErrWords) {
				return nil, refuse(http.StatusBadRequest, "a search has at most %d different words", archive.MostWords)
			}
			if err != nil {
				return nil, err
			}
			return s.writeHits(hits)
		})
	return document{body: body}, err
}

func (s *api) writeHits(hits archive.Hits) ([]byte, error) {
	var elements [][]byte
	for _, hit := range hits.List {
		if s.leaveOut(hit) {
			continue
		}
		element, err := hitOf(hit)
		if err != nil {
			return nil, err
		}
		elements = append(elements, element)
	}
	return fmt.Appendf(nil, `{"Count":%d,"List":%s}`, hits.Count, array(elements)), nil
}

func (s *api) date(*operation, *http.Request, query) (document, error) {
	body, err := json.Marshal(struct{ Date string }{s.options.Now().UTC().Format(http.TimeFormat)})
	return document{body: body}, err
}
