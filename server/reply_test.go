package server_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ayna/archive"
	"ayna/record"
	"ayna/server"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// decoded is the body of an answer without its encoding.
func decoded(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var r io.Reader = w.Body
	var err error
	switch encoding := w.Header().Get("Content-Encoding"); encoding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(r); err == nil {
			defer z.Close()
			r = z
		}
	case "":
	default:
		t.Fatalf("encoding %q", encoding)
	}
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// long is a record whose answers are worth compressing.
var long = fakepaper.Raw(record.Article,
	`{"Id":"42000000","CreatedDate":"2026-02-01T08:00:00Z","Description":"`+strings.Repeat("uzun ", 400)+`","Path":"/spor/","Title":"Uzun"}`,
	`{"Id":"42000000","CreatedDate":"2026-02-01T08:00:00Z","Path":"/spor/","Text":"<p>`+strings.Repeat("uzun yazı ", 400)+`</p>","Title":"Uzun"}`)

func TestAnswersAreCompressed(t *testing.T) {
	h := server.New(fakepaper.Archive(t, append([]*archive.Record{long}, small...)...), server.Options{})
	for _, test := range []struct{ target, accept, want string }{
		{"/v1/articles", "", ""},
		{"/v1/articles", "br", ""},
		{"/v1/articles", "gzip", "gzip"},
		{"/v1/articles", "gzip, deflate, br, zstd", "zstd"},
		{"/v1/articles", "zstd;q=0, gzip;q=0.5", "gzip"},
		{"/v1/articles?$select=Id", "gzip, zstd", ""}, // too short
		{"/v1/articles/42000000", "gzip", "gzip"},
		{"/v1/search/uzun", "zstd", "zstd"},
		{"/v1/date", "gzip", ""},
	} {
		plain := get(h, "GET", test.target)
		w := get(h, "GET", test.target, "Accept-Encoding", test.accept, "Range", "bytes=0-1")
		if got := w.Header().Get("Content-Encoding"); w.Code != 200 || got != test.want {
			t.Errorf("%s, %q: %d, encoding %q, want %q", test.target, test.accept, w.Code, got, test.want)
		}
		if w.Header().Get("Vary") != "Accept-Encoding" || w.Header().Get("Accept-Ranges") != "" {
			t.Errorf("%s, %q: %v", test.target, test.accept, w.Header())
		}
		if n := w.Header().Get("Content-Length"); n != fmt.Sprint(w.Body.Len()) || test.want != "" && w.Body.Len() >= plain.Body.Len() {
			t.Errorf("%s, %q: length %s of %d bytes, %d without encoding", test.target, test.accept, n, w.Body.Len(), plain.Body.Len())
		}
		tag, other := w.Header().Get("ETag"), plain.Header().Get("ETag")
		if test.target != "/v1/date" && (tag == "" || other == "" || (tag == other) != (test.want == "")) {
			t.Errorf("%s, %q: tag %s, without encoding %s", test.target, test.accept, tag, other)
		}
		if got := decoded(t, w); got != plain.Body.String() {
			t.Errorf("%s, %q: %.80s\nwant %.80s", test.target, test.accept, got, plain.Body)
		}
	}
}

// An answer that a client has is not sent again, and 304 is only for those bytes.
func TestConditional(t *testing.T) {
	a := fakepaper.Archive(t, append([]*archive.Record{long}, small...)...)
	h := server.New(a, server.Options{})
	targets := []string{
		"/v1/articles", "/v1/articles?$count=true", "/v1/articles?$skip=1", "/v1/articles?$select=Title",
		"/v1/articles?$filter=Path%20eq%20'/spor/'", "/v1/articles?$orderby=Id", "/v1/columns",
		"/v1/articles/42000000", "/v1/articles/42000000?$select=Title", "/v1/articles/42000000?$select=Title,Id", "/v1/articles?Id=41000002",
		"/v1/search/uzun", "/v1/search/mac", "/v1/search/govdesi",
	}
	encodings := []string{"", "gzip", "zstd"}
	title := func(r *archive.Record, title string) *archive.Record {
		return fakepaper.Replaced([]*archive.Record{r}, `"Uzun"`, `"`+title+`"`)[0]
	}
	puts := func(r *archive.Record) func(*archive.Tx) error {
		return func(tx *archive.Tx) error { return store(tx, r, later) }
	}
	for _, change := range []struct {
		name string
		made func(*archive.Tx) error
	}{
		{"nothing", nil},
		{"a new record", puts(fakepaper.Raw(record.Article, `{"Id":"43000000","CreatedDate":"2026-04-01T08:00:00Z","Path":"/spor/","Title":"Uzun maç"}`, ``))},
		{"its text arrives", puts(fakepaper.Raw(record.Article, `{"Id":"43000000","CreatedDate":"2026-04-01T08:00:00Z","Path":"/spor/","Title":"Uzun maç"}`, `{"Id":"43000000","Text":"uzun"}`))},
		{"an edit", puts(title(long, "Kısa"))},
		{"and back", puts(long)},
		{"a record is gone", func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "41000002", later) }},
		{"and back, too", puts(small[1])},
		{"a hit is kept", func(tx *archive.Tx) error {
			return tx.Hits.Put("41000003", []byte(`{"Id":"41000003","Text":"gövdesi"}`))
		}},
		{"another kind", puts(fakepaper.Raw(record.Folder, `{"Id":"66ae","Path":"/a/","Title":"A"}`, ``))},
	} {
		type held struct{ tag, body string }
		before := make(map[string]held)
		for _, target := range targets {
			for _, encoding := range encodings {
				w := get(h, "GET", target, "Accept-Encoding", encoding)
				before[target+encoding] = held{w.Header().Get("ETag"), decoded(t, w)}
			}
		}
		if change.made != nil {
			fakepaper.Update(t, a, change.made)
		}
		for _, target := range targets {
			now := get(h, "GET", target)
			for _, encoding := range encodings {
				b := before[target+encoding]
				w := get(h, "GET", target, "Accept-Encoding", encoding, "If-None-Match", `"x", `+b.tag)
				switch {
				case w.Code == 304:
					if now.Code != 200 || b.body != now.Body.String() || w.Body.Len() > 0 || w.Header().Get("ETag") != b.tag || w.Header().Get("Vary") == "" {
						t.Errorf("%s: %s, %q: 304 %v %s\nheld %.80s\nnow %d %.80s", change.name, target, encoding, w.Header(), w.Body, b.body, now.Code, now.Body)
					}
				case change.made == nil:
					t.Errorf("%s: %s, %q: %d with tag %q", change.name, target, encoding, w.Code, b.tag)
				case w.Code != now.Code || decoded(t, w) != now.Body.String():
					t.Errorf("%s: %s, %q: %d, without condition %d", change.name, target, encoding, w.Code, now.Code)
				}
			}
		}
	}
	if w := get(h, "HEAD", "/v1/articles", "If-None-Match", get(h, "GET", "/v1/articles").Header().Get("ETag")); w.Code != 304 {
		t.Errorf("HEAD: %d", w.Code)
	}
	if tag := get(server.New(a, server.Options{}), "GET", "/v1/articles").Header().Get("ETag"); get(h, "GET", "/v1/articles", "If-None-Match", tag).Code != 200 {
		t.Error("the tag of another server is taken for an own one")
	}
	for _, target := range []string{"/v1/date", "/v1/articles/x", "/v1/articles?$top=x"} {
		if tag := get(h, "GET", target).Header().Get("ETag"); tag != "" {
			t.Errorf("%s: tag %s", target, tag)
		}
	}
}

// Each answer is of one state of the archive, while others write to it.
func TestAnswersAreOfOneState(t *testing.T) {
	testrun.NotShort(t)
	a := fakepaper.Open(t, filepath.Join(t.TempDir(), "archive.db"))
	inState := func(id string, state int) *archive.Record {
		json := fmt.Sprintf(`{"Id":%q,"CreatedDate":"2026-04-0%sT08:00:00Z","Path":"/spor/","Title":"Durum a%d"}`, id, id, state)
		return fakepaper.Raw(record.Article, json, json)
	}
	// In each state all records have the same title; 3 is there in every other one.
	write := func(state int) {
		err := a.Update(t.Context(), func(tx *archive.Tx) error {
			for _, id := range []string{"1", "2", "3"} {
				if err := store(tx, inState(id, state), later); err != nil {
					return err
				}
			}
			if state%2 == 0 {
				return tx.MarkGone(record.Article, "3", later)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	write(0)
	h := server.New(a, server.Options{})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for state := 1; ; state++ {
			select {
			case <-stop:
				return
			default:
				write(state)
			}
		}
	}()
	defer func() { close(stop); <-done }()
	for range 300 {
		w := get(h, "GET", "/v1/articles?$count=true&$top=9")
		body := w.Body.Bytes()
		n := bytes.Count(body, []byte(`"Id"`))
		if w.Code != 200 || w.Header().Get("X-Total-Count") != fmt.Sprint(n) || n < 2 {
			t.Fatalf("%d: %d counted: %s", w.Code, n, body)
		}
		_, title, _ := bytes.Cut(body, []byte("Durum a"))
		title, _, _ = bytes.Cut(title, []byte(`"`))
		if bytes.Count(body, append([]byte("Durum a"), append(title, '"')...)) != n {
			t.Fatalf("of two states: %s", body)
		}
		w = get(h, "GET", "/v1/search/durum?$top=9")
		if n := strings.Count(w.Body.String(), `"Id"`); !strings.HasPrefix(w.Body.String(), fmt.Sprintf(`{"Count":%d,`, n)) || n < 2 {
			t.Fatalf("search: %d %s", w.Code, w.Body)
		}
	}
}

// stuck is a client that does not read.
type stuck struct {
	*httptest.ResponseRecorder
	begun, leave chan struct{}
}

func (s stuck) Write(b []byte) (int, error) {
	s.begun <- struct{}{}
	<-s.leave
	return s.ResponseRecorder.Write(b)
}

// Clients that do not read their lists do not keep others from lists.
func TestSlowReadersHoldNoSlot(t *testing.T) {
	h := newSmall(t, server.Options{})
	leave, begun, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	const clients = 20
	for range clients {
		go func() {
			h.ServeHTTP(stuck{httptest.NewRecorder(), begun, leave}, httptest.NewRequest(http.MethodGet, "/v1/articles", nil))
			done <- struct{}{}
		}()
	}
	for range clients {
		<-begun
	}
	for _, target := range []string{"/v1/articles", "/v1/search/kar", "/v1/articles/41000001"} {
		if w := get(h, "GET", target); w.Code != 200 {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	close(leave)
	for range clients {
		<-done
	}
}

// Cached answers are not mixed up: a handler that has answered other requests gives
// the same answer as a new one.
func TestKeptAnswersAreNotMixed(t *testing.T) {
	a := fakepaper.Archive(t, append([]*archive.Record{long}, small...)...)
	shared := server.New(a, server.Options{})
	seen := make(map[string]bool)
	for _, target := range []string{
		"/v1/articles", "/v1/columns", "/v1/articles?$top=1", "/v1/articles?$skip=1", "/v1/articles?$top=1&$skip=1",
		"/v1/articles?$select=Id", "/v1/articles?$select=Title", "/v1/articles?$count=true", "/v1/articles?$orderby=Id",
		"/v1/articles?$filter=Id%20eq%20'42000000'", "/v1/articles?$filter=Id%20eq%20'none'", "/v1/articles/$count",
		"/v1/articles/$count?$filter=Id%20eq%20'42000000'", "/v1/articles/$count?$filter=Id%20eq%20'none'",
		"/v1/search/uzun", "/v1/search/uzun?$top=0", "/v1/search/uzun?$skip=1",
	} {
		for range 2 {
			got, want := get(shared, "GET", target), get(server.New(a, server.Options{}), "GET", target)
			if got.Code != 200 || got.Body.String() != want.Body.String() || got.Header().Get("X-Total-Count") != want.Header().Get("X-Total-Count") {
				t.Errorf("%s: %d %.200s, want %.200s", target, got.Code, got.Body, want.Body)
			}
			seen[want.Body.String()+want.Header().Get("X-Total-Count")] = true
		}
	}
	if len(seen) < 9 {
		t.Errorf("only %d different answers", len(seen))
	}
}
