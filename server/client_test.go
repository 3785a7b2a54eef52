package server_test

import (
	"context"
	"errors"
	"iter"
	"net/http/httptest"
	"strings"
	"testing"

	"ayna/client"
	"ayna/server"
	"ayna/server/sample"
)

// sampleService is the built-in news service behind a listener, the client that
// reads it, and its records by their groups.
func sampleService(t *testing.T) (*client.Client, map[client.Group][]sample.Record) {
	t.Helper()
	const base = "https://haber.example"
	handler, err := server.Sample(context.Background(), base)
	if err != nil {
		t.Fatal(err)
	}
	records, err := sample.Records(base)
	if err != nil {
		t.Fatal(err)
	}
	groups := make(map[client.Group][]sample.Record)
	for _, r := range records {
		groups[client.Group(r.Group)] = append(groups[client.Group(r.Group)], r)
	}
	live := httptest.NewServer(handler)
	t.Cleanup(live.Close)
	c, err := client.New(client.Config{BaseURL: live.URL})
	if err != nil {
		t.Fatal(err)
	}
	return c, groups
}

// seen is what a test looks at of a record.
type seen struct {
	id, raw string
}

func collect[T any](t *testing.T, records iter.Seq2[T, error], look func(T) seen) []seen {
	t.Helper()
	var list []seen
	for r, err := range records {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, look(r))
	}
	return list
}

// The client's typed operations against the server, over the whole sample:
// every record comes back as it is, in its list and by itself.
func TestClientReadsSample(t *testing.T) {
	c, groups := sampleService(t)
	ctx, q := t.Context(), client.Query{}
	tests := []struct {
		group  client.Group
		list   func() []seen
		single func(id string) (seen, error)
	}{
		{client.Articles,
			func() []seen {
				return collect(t, c.Articles(ctx, q), func(r client.Article) seen { return seen{r.ID, string(r.Raw)} })
			},
			func(id string) (seen, error) { r, err := c.Article(ctx, id); return seen{r.ID, string(r.Raw)}, err }},
		{client.Columns,
			func() []seen {
				return collect(t, c.Columns(ctx, q), func(r client.Column) seen { return seen{r.ID, string(r.Raw)} })
			},
			func(id string) (seen, error) { r, err := c.Column(ctx, id); return seen{r.ID, string(r.Raw)}, err }},
		{client.Galleries,
			func() []seen {
				return collect(t, c.Galleries(ctx, q), func(r client.Gallery) seen { return seen{r.ID, string(r.Raw)} })
			},
			func(id string) (seen, error) { r, err := c.Gallery(ctx, id); return seen{r.ID, string(r.Raw)}, err }},
		{client.Videos,
			func() []seen {
				return collect(t, c.Videos(ctx, q), func(r client.Video) seen { return seen{r.ID, string(r.Raw)} })
			},
			func(id string) (seen, error) { r, err := c.Video(ctx, id); return seen{r.ID, string(r.Raw)}, err }},
		{client.Pages,
			func() []seen {
				return collect(t, c.Pages(ctx, q), func(r client.Page) seen { return seen{r.ID, string(r.Raw)} })
			},
			func(id string) (seen, error) { r, err := c.Page(ctx, id); return seen{r.ID, string(r.Raw)}, err }},
		{client.Writers,
			func() []seen {
				return collect(t, c.Writers(ctx, q), func(r client.Writer) seen { return seen{r.ID, string(r.Raw)} })
			},
			func(id string) (seen, error) { r, err := c.Writer(ctx, id); return seen{r.ID, string(r.Raw)}, err }},
		{client.Paths,
			func() []seen {
				return collect(t, c.Paths(ctx, q), func(r client.Path) seen { return seen{r.ID, string(r.Raw)} })
			},
			func(id string) (seen, error) { r, err := c.Path(ctx, id); return seen{r.ID, string(r.Raw)}, err }},
	}
	for _, test := range tests {
		t.Run(string(test.group), func(t *testing.T) {
			want := make(map[string]sample.Record)
			for _, r := range groups[test.group] {
				want[r.ID] = r
			}
			got := test.list()
			if len(got) != len(want) || len(got) == 0 {
				t.Fatalf("%d records in the list, want %d", len(got), len(want))
			}
			for _, r := range got {
				if r.raw != string(want[r.id].List) {
					t.Errorf("%s in the list: %s\nwant %s", r.id, r.raw, want[r.id].List)
				}
				single, err := test.single(r.id)
				if err != nil || single.id != r.id || single.raw != string(want[r.id].Single) {
					t.Errorf("%s by itself: %s, %v\nwant %s", r.id, single.raw, err, want[r.id].Single)
				}
			}
			if _, err := test.single("0"); !errors.Is(err, client.ErrNotFound) {
				t.Errorf("an unknown id: %v, want ErrNotFound", err)
			}
		})
	}
	t.Run("search", func(t *testing.T) {
		look := func(r client.Hit) seen { return seen{r.ID, r.Text} }
		newest := collect(t, c.Search(ctx, "deniz", q), look)
		oldest := collect(t, c.Search(ctx, "DENİZ", client.Query{Oldest: true, Top: 3}), look)
		if len(newest) < 3 || len(newest) != len(oldest) || newest[0].id != oldest[len(oldest)-1].id {
			t.Errorf("%d hits newest first, %d oldest first", len(newest), len(oldest))
		}
		for _, hit := range newest {
			if hit.id == "" {
				t.Errorf("a hit without an id: %+v", hit)
			}
		}
	})
	t.Run("date", func(t *testing.T) {
		if at, err := c.Date(ctx); err != nil || at.IsZero() {
			t.Errorf("%v, %v", at, err)
		}
	})
	t.Run("queries", func(t *testing.T) {
		column := groups[client.Columns][0]
		var writer string
		for r, err := range c.Columns(ctx, client.Query{Filter: client.Eq("Id", column.ID)}) {
			if err != nil {
				t.Fatal(err)
			}
			writer = r.WriterID
		}
		n := 0
		for r, err := range c.Columns(ctx, client.Query{Filter: client.Eq("WriterId", writer), Top: 2}) {
			if err != nil || r.WriterID != writer {
				t.Fatalf("column %s of %q, %v", r.ID, r.WriterID, err)
			}
			n++
		}
		if writer == "" || n == 0 || n == len(groups[client.Columns]) {
			t.Errorf("%d columns of %q", n, writer)
		}
		article, err := c.Article(ctx, groups[client.Articles][0].ID, "Id", "Files")
		if err != nil || article.Title != "" || len(article.Files) == 0 || strings.Contains(string(article.Raw), "Text") {
			t.Errorf("selected: %s, %v", article.Raw, err)
		}
	})
}
