package server_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/record"
	"ayna/server"
	"ayna/testrun/fakepaper"
)

// connect returns a client of a handler behind a listener.
func connect(t *testing.T, h http.Handler) *client.Client {
	t.Helper()
	live := httptest.NewServer(h)
	t.Cleanup(live.Close)
	c, err := client.New(client.Config{BaseURL: live.URL})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The queries of package client have the results that it expects: filters, pages,
// fields and quotes.
func TestClientQueries(t *testing.T) {
	c := connect(t, newSmall(t, server.Options{}))
	ctx := t.Context()
	tests := []struct {
		name  string
		group client.Group
		query client.Query
		want  string // ids
	}{
		{"all", client.Articles, client.Query{Top: 1000}, "41000003 41000002 41000001"},
		{"page by page", client.Articles, client.Query{Top: 1}, "41000003 41000002 41000001"},
		{"own start", client.Articles, client.Query{Top: 1, Skip: 1}, "41000002 41000001"},
		{"beyond the end", client.Articles, client.Query{Skip: 100}, ""},
		{"filter", client.Articles, client.Query{Filter: client.Eq("Path", "/spor/")}, "41000002"},
		{"quote", client.Articles, client.Query{Filter: client.Eq("Path", "/o'brien/")}, "41000003"},
		{"hostile", client.Columns, client.Query{Filter: client.Eq("Id", "1' or '1'='1&$top=9+#")}, ""},
		{"since", client.Articles, client.Query{Filter: client.Since("ModifiedDate", time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC))}, "41000003 41000001"},
		{"and", client.Articles, client.Query{Filter: client.And(client.Eq("Path", "/spor/"), "", client.Eq("Id", "41000002"))}, "41000002"},
		{"and of nothing", client.Articles, client.Query{Filter: client.And()}, "41000003 41000002 41000001"},
		{"fields", client.Articles, client.Query{Select: []string{"Title", "Files"}, Expand: []string{"Files"}}, "41000003 41000002 41000001"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var ids []string
			if test.group == client.Columns {
				for r, err := range c.Columns(ctx, test.query) {
					ids = append(ids, r.ID+errorText(err))
				}
			} else {
				for r, err := range c.Articles(ctx, test.query) {
					ids = append(ids, r.ID+errorText(err))
				}
			}
			if got := strings.Join(ids, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	for _, refused := range []client.Query{{Filter: "a"}, {Filter: client.Eq("Title", "a")}} {
		var e *client.Error
		if _, err := c.List(ctx, client.Articles, refused); !errors.As(err, &e) || e.Status != http.StatusBadRequest || e.Message == "" {
			t.Errorf("%+v: %v", refused, err)
		}
	}
}

func errorText(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// Fewer records come than the client asks for, and it asks for the rest.
func TestClientPagesThroughTheCap(t *testing.T) {
	c, n := connect(t, server.New(fakepaper.Archive(t, requestRecords()...), server.Options{})), 0
	for _, err := range c.Articles(t.Context(), client.Query{Top: 1000}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 55 {
		t.Errorf("%d articles, want 55", n)
	}
}

// The recorded answers that package client is tested with come back equal from an
// archive.
func TestRecordedShapesComeBack(t *testing.T) {
	const dir = "../client/testdata/"
	groups := []struct {
		kind         record.Kind
		group        client.Group
		list, single string
	}{
		{record.Article, client.Articles, "articles_list.json", "article.json"},
		{record.Column, client.Columns, "columns_list.json", "column.json"},
		{record.Gallery, client.Galleries, "", "gallery.json"},
		{record.Video, client.Videos, "", "video.json"},
		{record.Page, client.Pages, "", "page.json"},
		{record.Writer, client.Writers, "writers_list.json", "writer.json"},
		{record.Folder, client.Paths, "paths_list.json", "path.json"},
	}
	for _, g := range groups {
		t.Run(string(g.group), func(t *testing.T) {
			single := readJSON[json.RawMessage](t, dir+g.single)
			list := []json.RawMessage{single}
			if g.list != "" {
				list = readJSON[[]json.RawMessage](t, dir+g.list)
			}
			var own struct{ Id string }
			if err := json.Unmarshal(single, &own); err != nil {
				t.Fatal(err)
			}
			var records []*archive.Record
			for _, raw := range list {
				r := fakepaper.Raw(g.kind, string(raw), "")
				if strings.Contains(string(raw), own.Id) {
					r.Single = single
				}
				records = append(records, r)
			}
			c := connect(t, server.New(fakepaper.Archive(t, records...), server.Options{}))
			batch, err := c.List(t.Context(), g.group, client.Query{})
			if err != nil || batch.Envelope != "array" || len(batch.Records) != len(list) {
				t.Fatalf("list: %+v, %v", batch, err)
			}
			for _, raw := range batch.Records {
				if !slices.ContainsFunc(list, func(r json.RawMessage) bool { return string(r) == string(raw) }) {
					t.Errorf("in the list is %s", raw)
				}
			}
			if got, err := c.Single(t.Context(), g.group, own.Id); err != nil || string(got) != string(single) {
				t.Errorf("single: %s, %v", got, err)
			}
			for _, raw := range list {
				var other struct{ Id string }
				json.Unmarshal(raw, &other)
				var e *client.Error
				if other.Id == own.Id {
					continue
				}
				if _, err := c.Single(t.Context(), g.group, other.Id); !errors.As(err, &e) || e.Status != 503 || e.RetryAfter == 0 {
					t.Errorf("what has not arrived: %v", err)
				}
			}
		})
	}
	t.Run("search", func(t *testing.T) {
		answer := strings.TrimSpace(string(readFile(t, dir+"search.json")))
		hit := readJSON[struct{ List []json.RawMessage }](t, dir+"search.json").List[0]
		a := fakepaper.Archive(t, fakepaper.Raw(record.Article, string(hit), ``))
		keepHit(t, a, record.Article, "51200311", hit)
		got := get(server.New(a, server.Options{}), "GET", "/v1/search/zeytin").Body.String()
		if want := strings.Replace(answer, `"Count":212`, `"Count":1`, 1); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func readJSON[T any](t *testing.T, name string) (value T) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, name), &value); err != nil {
		t.Fatal(err)
	}
	return value
}
