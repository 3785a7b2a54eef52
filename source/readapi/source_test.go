package readapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/readapi"
)

const key = "5ecret-0123456789abcdef"

var (
	ctx  = context.Background()
	date = time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC)
)

// open returns the source at a service that answers with the bodies of addresses, and with
// 404 elsewhere, and the addresses that it was asked for.
func open(t *testing.T, found map[string]string, bodies map[string]string) (source.Source, *[]string) {
	t.Helper()
	asked := new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.RequestURI())
		body, ok := bodies[r.URL.RequestURI()]
		w.Header().Set("Date", date.Format(http.TimeFormat))
		if r.Header.Get("apikey") != key || r.Header.Get("User-Agent") != "reader" {
			t.Errorf("%s with the key %q, of %q", r.URL, r.Header.Get("apikey"), r.Header.Get("User-Agent"))
		}
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	s, err := readapi.New(server.URL, key, source.Connection{UserAgent: "reader", Found: found})
	if err != nil {
		t.Fatal(err)
	}
	return s, asked
}

// batch describes a batch with its records as text.
func batch(b source.Batch, err error) string {
	var records []string
	for _, r := range b.Records {
		records = append(records, string(r))
	}
	return fmt.Sprintf("%s skipped %d hidden %d of %d in %q, date %t, %v", records, b.Skipped, len(b.Hidden), b.Count, b.Envelope, b.Date.Equal(date), err)
}

func TestRequests(t *testing.T) {
	since := time.Date(2026, 11, 1, 3, 4, 5, 999, time.FixedZone("", 3*60*60))
	for _, test := range []struct {
		name string
		call func(source.Source) string
		uri  string
		body string
		want string
	}{
		{"list", func(s source.Source) string { return batch(s.List(ctx, source.Columns, source.Query{})) },
			"/v1/columns", `[{"Id":"a"},{"Id":"b"}]`, `[{"Id":"a"} {"Id":"b"}] skipped 0 hidden 0 of -1 in "array", date true, <nil>`},
		{"part of a list", func(s source.Source) string {
			return batch(s.List(ctx, source.Galleries, source.Query{Top: 5, Skip: 10, Texts: true}))
		}, "/v1/newsphotogalleries?%24skip=10&%24top=5", `{"value":[{"Id":"a"},7]}`, `[{"Id":"a"}] skipped 1 hidden 0 of -1 in "value", date true, <nil>`},
		{"changes of a list", func(s source.Source) string { return batch(s.List(ctx, source.Articles, source.Query{Since: since})) },
			"/v1/articles?%24filter=ModifiedDate%20ge%20Datetime%272026-11-01T00%3A04%3A05Z%27", `[]`, `[] skipped 0 hidden 0 of -1 in "array", date true, <nil>`},
		{"list with the key", func(s source.Source) string { return batch(s.List(ctx, source.Videos, source.Query{})) },
			"/v1/newsvideos", `[{"Id":"` + key + `"}]`, `[] skipped 1 hidden 0 of -1 in "array", date true, <nil>`},
		{"list of another shape", func(s source.Source) string {
			_, err := s.List(ctx, source.Pages, source.Query{})
			return fmt.Sprint(errors.Is(err, get.ErrShape))
		}, "/v1/pages", `7`, "true"},
		{"search", func(s source.Source) string {
			return batch(s.(source.Searcher).SearchBatch(ctx, "fay hattı", source.Query{Top: 3}))
		}, "/v1/search/fay%20hatt%C4%B1?%24top=3", `{"List":[{"Id":"a"}],"Count":9}`, `[{"Id":"a"}] skipped 0 hidden 0 of 9 in "List", date true, <nil>`},
		{"single", func(s source.Source) string { return answers(s.Fetch(ctx, source.Articles, []string{"a/b"})) },
			"/v1/articles/a%2Fb", `{"Id":"a/b"}`, `a/b present {"Id":"a/b"}; <nil>`},
		{"single that is gone", func(s source.Source) string { return answers(s.Fetch(ctx, source.Articles, []string{"gone", "a"})) },
			"/v1/articles/a", `{"Id":"a"}`, `gone gone because of 404; a present {"Id":"a"}; <nil>`},
		{"single that is no record", func(s source.Source) string { return answers(s.Fetch(ctx, source.Videos, []string{"a"})) },
			"/v1/newsvideos/a", `[]`, `a no record because of an empty answer; <nil>`},
		{"site", func(s source.Source) string {
			site, err := s.Site(ctx)
			return fmt.Sprint(reflect.DeepEqual(site, source.Site{Date: date}), err)
		}, "/v1/date", `"2026-11-27T08:00:00Z"`, "true <nil>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, asked := open(t, nil, map[string]string{test.uri: test.body})
			if got := test.call(s); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if uris := *asked; len(uris) == 0 || uris[len(uris)-1] != test.uri {
				t.Errorf("requested %q, want %s", uris, test.uri)
			}
		})
	}
}

// answers describes answers by their ids and states.
func answers(all []source.Answer, err error) string {
	var b strings.Builder
	for _, a := range all {
		fmt.Fprintf(&b, "%s %s", a.ID, a.State)
		switch {
		case errors.Is(a.Err, get.ErrNotFound):
			b.WriteString(" because of 404")
		case a.Err != nil: // other errors are those of all ids
			b.WriteString(" because of an empty answer")
		default:
			b.WriteString(" " + string(a.Record))
		}
		b.WriteString("; ")
	}
	return b.String() + fmt.Sprint(err)
}

// An error that proves nothing of one id is the error of all.
func TestFetchFails(t *testing.T) {
	s, _ := open(t, nil, map[string]string{"/v1/articles/a": `{"Id":"a"}`, "/v1/articles/b": `7`})
	if all, err := s.Fetch(ctx, source.Articles, []string{"a", "b"}); err == nil || all != nil {
		t.Errorf("%v, %v", all, err)
	}
}

// TestFound carries what one run has found to the next one.
func TestFound(t *testing.T) {
	const writers, paths = "place of the id in writers", "place of the id in paths"
	for _, test := range []struct {
		name  string
		found map[string]string
		uris  string // the requests for a writer
		want  map[string]string
	}{
		{"nothing known", nil, "/v1/writers/a /v1/writers?Id=a", map[string]string{writers: "query"}},
		{"known", map[string]string{writers: "query"}, "/v1/writers?Id=a", map[string]string{writers: "query"}},
		{"known of before a change", map[string]string{writers: "path"}, "/v1/writers/a /v1/writers?Id=a", map[string]string{writers: "query"}},
		{"known of another group", map[string]string{paths: "query"}, "/v1/writers/a /v1/writers?Id=a", map[string]string{writers: "query"}},
		{"damaged", map[string]string{writers: "elsewhere", "title": "a"}, "/v1/writers/a /v1/writers?Id=a", map[string]string{writers: "query"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, asked := open(t, test.found, map[string]string{"/v1/writers?Id=a": `{"Id":"a"}`})
			if found := s.Found(); len(found) > 0 {
				t.Errorf("%v before any answer", found)
			}
			if got := answers(s.Fetch(ctx, source.Writers, []string{"a"})); got != `a present {"Id":"a"}; <nil>` {
				t.Error(got)
			}
			if got := strings.Join(*asked, " "); got != test.uris {
				t.Errorf("requested %s, want %s", got, test.uris)
			}
			if found := s.Found(); !maps.Equal(found, test.want) {
				t.Errorf("found %v, want %v", found, test.want)
			}
		})
	}
}

func TestFacts(t *testing.T) {
	s, asked := open(t, nil, nil)
	var got []string
	facts := s.Facts()
	for _, l := range facts.Lists {
		if !reflect.DeepEqual(l.Holds, []source.Group{l.Group}) {
			t.Errorf("%s holds %v", l.Group, l.Holds)
		}
		got = append(got, fmt.Sprintf("%s %t", l.Group, l.Dated))
	}
	want := "articles true, columns false, newsphotogalleries true, newsvideos true, pages false, writers false, paths false"
	if text := strings.Join(got, ", "); text != want || facts.Sweep != 24*time.Hour || facts.Bulk != 1 {
		t.Errorf("%s; %+v", text, facts)
	}
	if len(*asked) > 0 {
		t.Errorf("requested %q", *asked)
	}
}

func TestKey(t *testing.T) {
	s, _ := open(t, nil, nil)
	if text := s.KeyGuard().Hide("key " + key); strings.Contains(text, key) {
		t.Error(text)
	}
	if _, err := readapi.New("ftp://a.example", key, source.Connection{}); err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("%v", err)
	}
}
