package wordpress_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"ayna/source"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// kept are originals in memory.
type kept struct {
	mu  sync.Mutex
	all map[string]map[string]json.RawMessage // by type and id
}

// Single implements [source.Originals].
func (k *kept) Single(context.Context, string, string) (json.RawMessage, error) { return nil, nil }

func (k *kept) Some(_ context.Context, typ string, ids []string) (map[string]json.RawMessage, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	some := make(map[string]json.RawMessage)
	for _, id := range ids {
		if raw, ok := k.all[typ][id]; ok {
			some[id] = raw
		}
	}
	return some, nil
}

func (k *kept) All(_ context.Context, typ string) (map[string]json.RawMessage, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.all[typ]), nil
}

func (k *kept) Put(_ context.Context, changed []source.Original) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, o := range changed {
		if k.all == nil {
			k.all = make(map[string]map[string]json.RawMessage)
		}
		if k.all[o.Type] == nil {
			k.all[o.Type] = make(map[string]json.RawMessage)
		}
		if k.all[o.Type][o.ID] = o.Data; o.Data == nil {
			delete(k.all[o.Type], o.ID)
		}
	}
	return nil
}

// An alteration changes an answer of a site. list is the name of what was asked for.
type alteration func(list string, r *http.Request, answer *httptest.ResponseRecorder)

// A site is a paper whose answers a test alters, and what runs keep of it.
type site struct {
	*fakepaper.WordPress
	address string
	alter   alteration
	kept    kept
	found   map[string]string
	asked   []string // what the latest source has asked for
}

// alterable returns a paper of 30 posts, one of a custom type and two pages.
func alterable(t *testing.T) *site {
	t.Helper()
	s := &site{WordPress: fakepaper.NewWordPress(fakepaper.Options{Items: 30, Types: []string{"etkinlikler"}, Base: "https://kiyi.example"})}
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		s.asked = append(s.asked, r.URL.RequestURI())
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, r)
		if list := strings.TrimPrefix(r.URL.Path, "/wp-json/wp/v2/"); s.alter != nil {
			s.alter(list, r, answer)
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		w.Write(answer.Body.Bytes())
	}))
	t.Cleanup(server.Close)
	s.address = server.URL
	return s
}

// open returns the source of another run.
func (s *site) open(t *testing.T) *wordpress.Source {
	t.Helper()
	w, err := wordpress.New(wordpress.Config{
		BaseURL: s.address, Columns: []string{"yazarlar"}, Types: []string{"etkinlikler"},
		Connection: source.Connection{Originals: &s.kept, Found: s.found},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.asked = nil
	return w
}

// close keeps what the source of a run has found.
func (s *site) close(w *wordpress.Source) {
	if s.found == nil {
		s.found = make(map[string]string)
	}
	maps.Copy(s.found, w.Found())
}

// refuse makes an answer a refusal.
func refuse(answer *httptest.ResponseRecorder, status int, code string) {
	answer.Code = status
	replace(answer, `{"code":"`+code+`","message":"Hayır","data":{"status":0}}`)
}

func replace(answer *httptest.ResponseRecorder, body string) {
	answer.Body.Reset()
	answer.Body.WriteString(body)
}

// objects changes each element of a list.
func objects(t *testing.T, answer *httptest.ResponseRecorder, change func(map[string]any)) {
	t.Helper()
	var list []map[string]any
	if json.Unmarshal(answer.Body.Bytes(), &list) != nil {
		return // a refusal
	}
	for _, e := range list {
		change(e)
	}
	body, err := json.Marshal(list)
	if err != nil {
		t.Error(err)
	}
	replace(answer, string(body))
}

// read reads all lists and single records of a site, in parts of a size, and returns the records
// by group and id.
func (s *site) read(t *testing.T, w *wordpress.Source, size int) map[string]json.RawMessage {
	t.Helper()
	all := make(map[string]json.RawMessage)
	var posts []string
	for _, group := range []source.Group{wordpress.Posts, source.Writers, source.Paths} {
		for skip := 0; skip < 10_000; {
			batch, err := w.List(t.Context(), group, source.Query{Top: size, Skip: skip})
			if err != nil {
				break // as told
			}
			if len(batch.Records) == 0 {
				break
			}
			for i, id := range ids(t, batch.Records) {
				if all["list "+id] = batch.Records[i]; group == wordpress.Posts {
					posts = append(posts, id)
				}
			}
			skip += len(batch.Records) + batch.Skipped
		}
	}
	answers, err := w.Fetch(t.Context(), wordpress.Posts, posts)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		if a.State == source.Present {
			all["single "+a.ID] = a.Record
		}
	}
	return all
}
