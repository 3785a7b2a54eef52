// Package server answers the Content Publishing Read API from an archive: the
// 16 operations of the API document, in the shapes the service really used,
// with every record byte for byte as it was received.
package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"ayna/archive"
)

// Options says how to answer.
type Options struct {
	APIKey string           // asked of every request; "" asks for none
	MaxTop int              // largest $top, and the one without any; 0 is 50
	Now    func() time.Time // for /v1/date; nil is the clock
}

// New returns a handler for the paths below /v1/.
func New(a *archive.Archive, options Options) http.Handler {
	if options.MaxTop <= 0 {
		options.MaxTop = 50
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	s := &server{archive: a, options: options}
	mux := http.NewServeMux()
	for _, o := range operations {
		mux.HandleFunc("GET /v1/"+o.name, s.answer(s.list(o)))
		mux.HandleFunc("GET /v1/"+o.name+"/{id}", s.answer(s.single(o)))
	}
	mux.HandleFunc("GET /v1/search/{keyword}", s.answer(s.search))
	mux.HandleFunc("GET /v1/date", s.answer(s.date))
	mux.HandleFunc("GET /v1/", s.answer(func(*http.Request) (document, error) {
		return document{}, refuse(http.StatusNotFound, "no such operation")
	}))
	return s.guard(mux)
}

type server struct {
	archive *archive.Archive
	options Options
}

// operation is a resource group of the API document, section 4.
type operation struct {
	name    string
	kind    archive.Kind
	filters []string // properties allowed in $filter
}

var operations = []operation{
	{"articles", archive.Article, []string{"ModifiedDate", "Path", "Id"}},
	{"columns", archive.Column, []string{"ModifiedDate", "Path", "Id", "WriterId"}},
	{"newsphotogalleries", archive.Gallery, []string{"ModifiedDate", "Path", "Id"}},
	{"newsvideos", archive.Video, []string{"ModifiedDate", "Path", "Id"}},
	{"pages", archive.Page, []string{"Id"}},
	{"writers", archive.Writer, []string{"Id"}},
	{"paths", archive.Folder, []string{"Path", "Id"}},
}

// guard asks for the key, and sets the headers that every answer has.
func (s *server) guard(next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(s.options.APIKey))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		key := r.Header.Get("apikey")
		if given, err := parameters(r); key == "" && err == nil {
			key = given["apikey"]
		}
		got := sha256.Sum256([]byte(key))
		if s.options.APIKey != "" && subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			fail(w, refuse(http.StatusUnauthorized, "the API key is missing or wrong; send it in the header apikey"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// document is an answer: JSON.
type document struct{ body []byte }

// answer turns a function that makes a document into a handler.
func (s *server) answer(operation func(*http.Request) (document, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d, err := operation(r)
		if err != nil {
			fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Write(d.body)
	}
}

// refusal is an error that the client is told of.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string { return r.message }

func refuse(status int, format string, args ...any) error {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

// fail answers with an error in the service's shape. What is no refusal is the
// archive's trouble, of which the client learns nothing more.
func fail(w http.ResponseWriter, err error) {
	r := &refusal{http.StatusInternalServerError, "the archive cannot be read"}
	errors.As(err, &r)
	if errors.Is(err, context.Canceled) {
		return
	}
	body, _ := json.Marshal(struct{ Message string }{r.message})
	if r.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "3600")
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(r.status)
	w.Write(body)
}

// list answers a list operation, or, with Id in the query, a single one.
func (s *server) list(o operation) func(*http.Request) (document, error) {
	return func(r *http.Request) (document, error) {
		q, err := readQuery(r)
		if err != nil {
			return document{}, err
		}
		if q.id != "" {
			return s.record(r.Context(), o, q.id, q)
		}
		where, err := parseFilter(q.filter, o.filters)
		if err != nil {
			return document{}, err
		}
		records := s.archive.List(r.Context(), archive.Query{Kind: o.kind, Where: where, Limit: s.top(q), Skip: q.skip})
		var elements [][]byte
		for record, err := range records {
			if err != nil {
				return document{}, err
			}
			element, err := project(record.List, q.fields)
			if err != nil {
				return document{}, fmt.Errorf("%s %s: %w", record.Kind, record.ID, err)
			}
			elements = append(elements, element)
		}
		return document{array(elements)}, nil
	}
}

// top returns the number of records an answer may have.
func (s *server) top(q query) int {
	if q.top < 0 {
		return s.options.MaxTop
	}
	return min(q.top, s.options.MaxTop)
}

func (s *server) single(o operation) func(*http.Request) (document, error) {
	return func(r *http.Request) (document, error) {
		q, err := readQuery(r)
		if err != nil {
			return document{}, err
		}
		return s.record(r.Context(), o, r.PathValue("id"), q)
	}
}

func (s *server) record(ctx context.Context, o operation, id string, q query) (document, error) {
	record, err := s.archive.Get(ctx, o.kind, id)
	switch {
	case errors.Is(err, archive.ErrNotFound) || (err == nil && !record.Vanished.IsZero()):
		return document{}, refuse(http.StatusNotFound, "no record %q in %s", id, o.name)
	case err != nil:
		return document{}, err
	case record.Single == nil:
		return document{}, refuse(http.StatusServiceUnavailable, "the record %q has not reached the archive yet", id)
	}
	body, err := project(record.Single, q.fields)
	return document{body}, err
}

// searchFields are the fields of a hit, API document, section 2.8; StartDate,
// CreatedDate, Path and Tags the real service sent as well.
var searchFields = []string{"Id", "ContentType", "CreatedDate", "Description", "Files", "ModifiedDate", "ModifieDate",
	"Path", "RelatedNews", "StartDate", "Tags", "Text", "Title", "Url"}

func (s *server) search(r *http.Request) (document, error) {
	q, err := readQuery(r)
	if err != nil {
		return document{}, err
	}
	count, hits, err := s.archive.Search(r.Context(), r.PathValue("keyword"), q.oldest, s.top(q), q.skip)
	if err != nil {
		return document{}, err
	}
	var elements [][]byte
	for record, err := range hits {
		if err != nil {
			return document{}, err
		}
		raw := record.Single
		if raw == nil {
			raw = record.List
		}
		element, err := project(raw, searchFields)
		if err != nil {
			return document{}, fmt.Errorf("%s %s: %w", record.Kind, record.ID, err)
		}
		elements = append(elements, element)
	}
	var body bytes.Buffer
	fmt.Fprintf(&body, `{"Count":%d,"List":%s}`, count, array(elements))
	return document{body.Bytes()}, nil
}

func (s *server) date(*http.Request) (document, error) {
	body, err := json.Marshal(struct{ Date string }{s.options.Now().UTC().Format(http.TimeFormat)})
	return document{body}, err
}

// array writes elements as a JSON array, as they are.
func array(elements [][]byte) []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	b.Write(bytes.Join(elements, []byte{','}))
	b.WriteByte(']')
	return b.Bytes()
}
