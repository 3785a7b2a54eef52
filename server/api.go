package server

import (
	"bytes"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"ayna/archive"
)

// newAPI returns a handler for the paths below /v1/: the operations and their
// descriptions, and nothing of keys, limits or logs.
func newAPI(a *archive.Archive, o Options) http.Handler {
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
	s := &api{archive: a, options: o, searches: &cache{most: keptSearches}}
	var routes router
	routes.add("/v1", s.reference)
	routes.add("/v1/openapi.json", s.openAPI())
	routes.add("/v1/reference.css", sendFile("text/css; charset=utf-8", referenceStyle))
	for _, g := range groups {
		routes.add("/v1/"+g.name+"/$count", s.countOnly(g))
	}
	for _, o := range operations {
		routes.add(o.path, s.answer(o))
	}
	return routes
}

// defaultTop is how many records an answer has at most, as in the real service.
const defaultTop = 50

type api struct {
	archive  *archive.Archive
	options  Options
	searches *cache
	damaged  sync.Map // the records that the log was told of, as kind and id
}

// leaveOut reports whether a record is damaged, and tells the log of it once.
func (s *api) leaveOut(d archive.Document) bool {
	if !d.Damaged {
		return false
	}
	if _, told := s.damaged.LoadOrStore(string(d.Kind)+" "+d.ID, true); !told {
		s.options.Log.Error("a record of the archive is damaged and left out; run build -check", "kind", string(d.Kind), "id", d.ID)
	}
	return true
}

// keptSearches is how many bytes of answers to searches are kept. They are what
// people ask for again, page by page, and the only ones that are dear: all hits
// have to be counted.
const keptSearches = 32 << 20

// document is an answer: JSON, and what its headers tell beside it.
type document struct {
	body  []byte
	total *int // records that there are without $top and $skip, if that was asked for
}

// answer makes the handler of an operation.
func (s *api) answer(o *operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q, err := readQuery(r)
		if err != nil {
			fail(w, err)
			return
		}
		d, err := o.answer(s, o, r, q)
		if err != nil {
			fail(w, err)
			return
		}
		if d.total != nil {
			w.Header().Set(totalHeader, strconv.Itoa(*d.total))
		}
		send(w, "application/json; charset=utf-8", d.body)
	}
}

// countOnly makes the handler of OData's path that counts the records of a list.
func (s *api) countOnly(g *group) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q, err := readQuery(r)
		if err != nil {
			fail(w, err)
			return
		}
		find, _, err := s.readList(g, q)
		if err != nil {
			fail(w, err)
			return
		}
		n, err := s.archive.Count(r.Context(), find)
		if err != nil {
			fail(w, err)
			return
		}
		send(w, "text/plain; charset=utf-8", []byte(strconv.Itoa(n)))
	}
}

const totalHeader = "X-Total-Count"

func send(w http.ResponseWriter, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}

func sendFile(contentType string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { send(w, contentType, body) }
}

// array writes JSON values as an array, as they are.
func array(elements [][]byte) []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, element := range elements {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(element)
	}
	b.WriteByte(']')
	return b.Bytes()
}
