package server

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ayna/archive"
)

// defaultTop is the largest $top of the real service.
const defaultTop = 50

// api answers the operations from one archive.
type api struct {
	archive *archive.Archive
	options Options
	gate    gate
	opened  string // random, so that no tag outlives this api
	answers *cache[document]
	rows    *cache[[]int64]
	damaged sync.Map // damaged records that were logged, by kind and id
}

func newAPI(a *archive.Archive, o Options) *api {
	if o.MaxTop <= 0 {
		o.MaxTop = defaultTop
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &api{
		archive: a, options: o, gate: newGate(), opened: rand.Text(),
		answers: &cache[document]{limit: maxAnswerBytes, size: func(d document) int { return len(d.body) }},
		rows:    &cache[[]int64]{limit: maxRowBytes, size: func(rows []int64) int { return 8 * len(rows) }},
	}
}

// handle makes a handler of an operation on a group.
func (s *api) handle(g *group, answer answerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q, err := readQuery(r)
		if err != nil {
			fail(w, err)
			return
		}
		d, err := answer(s, g, r, q)
		if err != nil {
			fail(w, err)
			return
		}
		reply(w, r, d)
	}
}

// list answers a list operation or, with Id in the query, a single one.
func (s *api) list(g *group, r *http.Request, q query) (document, error) {
	if id := q["id"]; id != "" {
		return s.record(g, r, q, id)
	}
	l, err := s.readList(g, q)
	if err != nil {
		return document{}, err
	}
	counted, err := q.flag("$count", "false", "true")
	if err != nil {
		return document{}, err
	}
	key := fmt.Sprintf("list %d %d %t %q %s", l.Limit, l.Skip, counted, l.fields, l.key)
	return s.consistent(r, func(v view) (document, error) {
		return s.answers.get(r.Context(), v, key, func(ctx context.Context) (document, error) {
			return s.page(ctx, v, l, counted)
		})
	})
}

// page answers a page of a list. The first page is read by itself, because most
// clients want no other. For any other, and to count, the rows of the whole list
// are read once in each state of the archive: 8 bytes a record.
func (s *api) page(ctx context.Context, v view, l list, counted bool) (d document, err error) {
	write := func(b []byte, r archive.Document) ([]byte, error) { return project(b, r.JSON, l.fields) }
	for all := counted || l.Skip > 0; ; all = true {
		var rows []int64
		if all {
			rows, err = s.allRows(ctx, v, l)
		} else {
			rows, err = v.Rows(ctx, l.Query)
		}
		if err != nil {
			return d, err
		}
		if counted {
			d.total = new(len(rows))
		}
		records, err := archive.Whole(rows[min(l.Skip, len(rows)):], l.Limit, func(rows []int64) ([]archive.Document, error) { return v.Lists(ctx, rows) })
		if err != nil {
			return d, err
		}
		if !all && slices.ContainsFunc(records, func(r archive.Document) bool { return r.Damaged }) {
			continue // later records take the place of damaged ones
		}
		d.body, err = s.array(nil, records, write)
		return d, err
	}
}

// allRows returns the rows of a list without its limits.
func (s *api) allRows(ctx context.Context, v view, l list) ([]int64, error) {
	l.Limit, l.Skip = archive.All, 0
	return s.rows.get(ctx, v, l.key, func(ctx context.Context) ([]int64, error) { return v.Rows(ctx, l.Query) })
}

// array appends records as a JSON array; write appends each of them.
func (s *api) array(b []byte, records []archive.Document, write func([]byte, archive.Document) ([]byte, error)) ([]byte, error) {
	size := len("[]}")
	for _, r := range records {
		size += len(r.JSON) + len(",")
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
		var err error
		if b, err = write(b, r); err != nil {
			return nil, fmt.Errorf("row %d of the archive: %w", r.Row, err)
		}
	}
	return append(b, ']'), nil
}

// isDamaged reports whether a record is damaged, and logs each of them once.
func (s *api) isDamaged(d archive.Document) bool {
	if !d.Damaged {
		return false
	}
	if _, logged := s.damaged.LoadOrStore(string(d.Kind)+" "+d.ID, true); !logged {
		s.options.Log.Error("a record of the archive is damaged and left out; run build -check", "kind", string(d.Kind), "id", d.ID)
	}
	return true
}

// count answers OData's path for the number of records of a list.
func (s *api) count(g *group, r *http.Request, q query) (document, error) {
	l, err := s.readList(g, q)
	if err != nil {
		return document{}, err
	}
	return s.consistent(r, func(v view) (document, error) {
		rows, err := s.allRows(r.Context(), v, l)
		return document{contentType: "text/plain; charset=utf-8", body: []byte(strconv.Itoa(len(rows)))}, err
	})
}

func (s *api) single(g *group, r *http.Request, q query) (document, error) {
	return s.record(g, r, q, r.PathValue(lastSegment))
}

func (s *api) record(g *group, r *http.Request, q query, id string) (document, error) {
	record, err := s.archive.Single(r.Context(), g.kind, id)
	switch {
	case errors.Is(err, archive.ErrNotFound):
		return document{}, &apiError{status: http.StatusNotFound, message: fmt.Sprintf("no record %q in %s", id, g.name)}
	case err != nil:
		return document{}, err
	case s.isDamaged(record):
		return document{}, unavailable("the record %q is damaged in the archive", id)
	case record.JSON == nil:
		return document{}, unavailable("the record %q has not reached the archive yet", id)
	}
	fields := q.fields(g.fields())
	body, err := project(nil, record.JSON, fields)
	if err != nil {
		return document{}, fmt.Errorf("%s %s: %w", g.kind, id, err)
	}
	// Single compared the hash with the bytes, so the hash identifies them.
	tag := fmt.Sprintf("%x", record.Hash[:16])
	if fields != nil {
		tag += fmt.Sprintf("-%08x", crc32.ChecksumIEEE([]byte(strings.Join(fields, ","))))
	}
	return document{body: body, tag: tag}, nil
}

func (s *api) search(_ *group, r *http.Request, q query) (document, error) {
	top, skip, err := q.window(s.options.MaxTop)
	if err != nil {
		return document{}, err
	}
	oldest, err := q.flag("s", "-1", "1")
	if err != nil {
		return document{}, err
	}
	keyword := decodeKeyword(r.PathValue(lastSegment))
	key := fmt.Sprintf("search %t %d %d %s", oldest, top, skip, keyword)
	return s.consistent(r, func(v view) (document, error) {
		return s.answers.get(r.Context(), v, key, func(ctx context.Context) (document, error) {
			return s.hits(ctx, v, keyword, oldest, top, skip)
		})
	})
}

// hits answers a page of a search.
func (s *api) hits(ctx context.Context, v view, keyword string, oldest bool, top, skip int) (d document, err error) {
	rows, err := s.rows.get(ctx, v, "search "+keyword, func(ctx context.Context) ([]int64, error) {
		newest, err := s.rows.get(ctx, v, "newest", v.Newest)
		if err != nil {
			return nil, err
		}
		return v.Search(ctx, keyword, newest)
	})
	if errors.Is(err, archive.ErrWords) {
		return d, badRequest("a search has at most %d different words", archive.MostWords)
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

func (s *api) date(*group, *http.Request, query) (document, error) {
	body, err := json.Marshal(struct{ Date string }{s.options.Now().UTC().Format(http.TimeFormat)})
	return document{body: body}, err
}
