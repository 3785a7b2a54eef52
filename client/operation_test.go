package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ayna/client"
)

// TestOperations calls each of the 16 operations and looks at the address.
func TestOperations(t *testing.T) {
	ctx, q := context.Background(), client.Query{}
	tests := []struct {
		want, body string
		call       func(*client.Client) (id string, err error)
	}{
		{"/v1/articles?%24top=50", "articles_list.json", func(c *client.Client) (string, error) { r, err := first(c.Articles(ctx, q)); return r.ID, err }},
		{"/v1/columns?%24top=50", "columns_list.json", func(c *client.Client) (string, error) { r, err := first(c.Columns(ctx, q)); return r.ID, err }},
		{"/v1/newsphotogalleries?%24top=50", "articles_list.json", func(c *client.Client) (string, error) { r, err := first(c.Galleries(ctx, q)); return r.ID, err }},
		{"/v1/newsvideos?%24top=50", "articles_list.json", func(c *client.Client) (string, error) { r, err := first(c.Videos(ctx, q)); return r.ID, err }},
		{"/v1/pages?%24top=50", "articles_list.json", func(c *client.Client) (string, error) { r, err := first(c.Pages(ctx, q)); return r.ID, err }},
		{"/v1/writers?%24top=50", "writers_list.json", func(c *client.Client) (string, error) { r, err := first(c.Writers(ctx, q)); return r.ID, err }},
		{"/v1/paths?%24top=50", "paths_list.json", func(c *client.Client) (string, error) { r, err := first(c.Paths(ctx, q)); return r.ID, err }},
		{"/v1/search/zeytin?%24top=50&s=1", "search.json", func(c *client.Client) (string, error) {
			r, err := first(c.Search(ctx, "zeytin", client.Query{Oldest: true}))
			return r.ID, err
		}},
		{"/v1/articles/51200311", "article.json", func(c *client.Client) (string, error) { r, err := c.Article(ctx, "51200311"); return r.ID, err }},
		{"/v1/columns/51200118", "column.json", func(c *client.Client) (string, error) { r, err := c.Column(ctx, "51200118"); return r.ID, err }},
		{"/v1/newsphotogalleries/51200401", "gallery.json", func(c *client.Client) (string, error) { r, err := c.Gallery(ctx, "51200401"); return r.ID, err }},
		{"/v1/newsvideos/51200502", "video.json", func(c *client.Client) (string, error) { r, err := c.Video(ctx, "51200502"); return r.ID, err }},
		{"/v1/pages/65cddcc67b0a934e44ee2d70", "page.json", func(c *client.Client) (string, error) {
			r, err := c.Page(ctx, "65cddcc67b0a934e44ee2d70")
			return r.ID, err
		}},
		{"/v1/writers/65aa09f8f018fbaf44942507", "writer.json", func(c *client.Client) (string, error) {
			r, err := c.Writer(ctx, "65aa09f8f018fbaf44942507")
			return r.ID, err
		}},
		{"/v1/paths/66ac2bae18c773091cd22ae5", "path.json", func(c *client.Client) (string, error) {
			r, err := c.Path(ctx, "66ac2bae18c773091cd22ae5")
			return r.ID, err
		}},
		{"/v1/date", "", func(c *client.Client) (string, error) { _, err := c.Date(ctx); return "", err }},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			body := `{"Date":"Fri, 13 Nov 2026 10:00:00 GMT"}`
			if test.body != "" {
				body = testdata(t, test.body)
			}
			var got string
			c := connect(t, func(w http.ResponseWriter, r *http.Request) {
				got = r.URL.RequestURI()
				io.WriteString(w, body)
			})
			id, err := test.call(c)
			if err != nil || got != test.want {
				t.Errorf("requested %s, %v; want %s", got, err, test.want)
			}
			if test.body != "" && (id == "" || !strings.Contains(body, `"`+id+`"`)) {
				t.Errorf("id %q", id)
			}
		})
	}
}

func first[T any](records iter.Seq2[T, error]) (record T, err error) {
	for record, err = range records {
		break
	}
	return record, err
}

func TestQuery(t *testing.T) {
	when := time.Date(2014, 10, 10, 13, 41, 31, 999, time.FixedZone("", 3*60*60))
	tests := []struct {
		name  string
		query client.Query
		want  string
	}{
		{"nothing", client.Query{}, ""},
		{"negative", client.Query{Top: -1, Skip: -1}, ""},
		{"all", client.Query{Filter: "Id eq 'a'", Select: []string{"Id", "Files"}, Expand: []string{"Files"}, Top: 5, Skip: 10},
			"%24expand=Files&%24filter=Id%20eq%20%27a%27&%24select=Id%2CFiles&%24skip=10&%24top=5"},
		{"quote", client.Query{Filter: client.Eq("Path", "/o'brien/")}, "%24filter=Path%20eq%20%27%2Fo%27%27brien%2F%27"},
		{"hostile", client.Query{Filter: client.Eq("Id", "1' or '1'='1&$top=9+#")}, "%24filter=Id%20eq%20%271%27%27%20or%20%27%271%27%27%3D%27%271%26%24top%3D9%2B%23%27"},
		{"since", client.Query{Filter: client.Since("ModifiedDate", when)}, "%24filter=ModifiedDate%20ge%20Datetime%272014-10-10T10%3A41%3A31Z%27"},
		{"and", client.Query{Filter: client.And("a eq 1", "", "b eq 2")}, "%24filter=a%20eq%201%20and%20b%20eq%202"},
		{"and of nothing", client.Query{Filter: client.And()}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := connect(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.RawQuery != test.want {
					t.Errorf("got  %s\nwant %s", r.URL.RawQuery, test.want)
				}
				io.WriteString(w, "[]")
			})
			if _, err := c.List(context.Background(), client.Columns, test.query); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestQueryRefused(t *testing.T) {
	ctx := context.Background()
	c := connect(t, func(http.ResponseWriter, *http.Request) { t.Error("a request left") })
	if _, err := c.List(ctx, client.Articles, client.Query{Oldest: true}); !errors.Is(err, client.ErrQuery) {
		t.Errorf("list, oldest: %v", err)
	}
	for _, q := range []client.Query{{Filter: "a"}, {Select: []string{"Id"}}, {Expand: []string{"Files"}}} {
		if _, err := c.SearchBatch(ctx, "a", q); !errors.Is(err, client.ErrQuery) {
			t.Errorf("search, %+v: %v", q, err)
		}
	}
}

func TestSelectedFields(t *testing.T) {
	c := connect(t, func(w http.ResponseWriter, r *http.Request) {
		if want := "%24expand=Files%2CWriters&%24select=Title%2CFiles%2CWriters"; r.URL.RawQuery != want {
			t.Errorf("query %s, want %s", r.URL.RawQuery, want)
		}
		io.WriteString(w, `{"Title":"x"}`)
	})
	article, err := c.Article(context.Background(), "1", "Title", "Files", "Writers")
	if err != nil || article.Title != "x" {
		t.Errorf("got %+v, %v", article, err)
	}
}

func TestSegments(t *testing.T) {
	tests := []struct{ text, want string }{ // "" is refused
		{"deprem", "deprem"},
		{"a/b", "a%2Fb"},
		{"../x", "..%2Fx"},
		{"...", "..."},
		{"a?b#c", "a%3Fb%23c"},
		{"%2f", "%252f"},
		{`"'`, "%22%27"},
		{"son dakika", "son%20dakika"},
		{"🫒 şölen", "%F0%9F%AB%92%20%C5%9F%C3%B6len"},
		{"\x00\r\n\xff", "%00%0D%0A%FF"},
		{" deprem ", "%20deprem%20"},
		{". ", ".%20"},
		{"", ""}, {".", ""}, {"..", ""},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			var got []string
			c := connect(t, func(w http.ResponseWriter, r *http.Request) {
				got = append(got, r.URL.EscapedPath())
				io.WriteString(w, `[{"Id":"1"}]`)
			})
			_, search := c.SearchBatch(context.Background(), test.text, client.Query{})
			_, single := c.Single(context.Background(), client.Articles, test.text)
			if test.want == "" {
				if !errors.Is(search, client.ErrKeyword) || !errors.Is(single, client.ErrID) || len(got) > 0 {
					t.Errorf("%v, %v, requests %v", search, single, got)
				}
				return
			}
			want := []string{"/v1/search/" + test.want, "/v1/articles/" + test.want}
			if search != nil || single != nil || strings.ReplaceAll(strings.Join(got, " "), "'", "%27") != strings.Join(want, " ") {
				t.Errorf("got %v, %v, %v; want %v", got, search, single, want)
			}
		})
	}
}

// TestSingleForms tries servers that know one or both addresses of a single
// writer or path.
func TestSingleForms(t *testing.T) {
	const ok, list = `{"Id":"1"}`, `[{"Id":"8"},{"Id":"9"}]`
	tests := []struct {
		name          string
		path, query   any // status, or body of a 200
		requests      string
		status        int // of the second call's error
		isNotFound    bool
		repeatRequest string // of the second call
	}{
		{name: "path", path: ok, query: 404, requests: "P", repeatRequest: "P"},
		{name: "query after 404", path: 404, query: ok, requests: "PQ", repeatRequest: "Q"},
		{name: "query after 400", path: 400, query: ok, requests: "PQ", repeatRequest: "Q"},
		{name: "query after 405", path: 405, query: ok, requests: "PQ", repeatRequest: "Q"},
		{name: "query answers an array", path: 404, query: `[{"Id":1}]`, requests: "PQ", repeatRequest: "Q"},
		{name: "neither", path: 404, query: 404, requests: "PQ", status: 404, isNotFound: true, repeatRequest: "PQ"},
		{name: "path unknown, record gone", path: 400, query: 404, requests: "PQ", status: 404, isNotFound: true, repeatRequest: "PQ"},
		{name: "record gone, query unknown", path: 404, query: 400, requests: "PQ", status: 404, isNotFound: true, repeatRequest: "PQ"},
		{name: "query gives the list", path: 404, query: list, requests: "PQ", status: 404, isNotFound: true, repeatRequest: "PQ"},
		{name: "query gives a list of another one", path: 404, query: `[{"Id":"9"}]`, requests: "PQ", status: 404, isNotFound: true, repeatRequest: "PQ"},
		{name: "query out of order", path: 404, query: 503, requests: "PQ", status: 503, repeatRequest: "PQ"},
		{name: "no second try after 500", path: 500, query: ok, requests: "P", status: 500, repeatRequest: "P"},
		{name: "no second try after 401", path: 401, query: ok, requests: "P", status: 401, repeatRequest: "P"},
	}
	for _, group := range []client.Group{client.Writers, client.Paths} {
		for _, test := range tests {
			t.Run(string(group)+" "+test.name, func(t *testing.T) {
				requests := ""
				c := connect(t, func(w http.ResponseWriter, r *http.Request) {
					answer := test.query
					if r.URL.Path == "/v1/"+string(group)+"/1" {
						requests += "P"
						answer = test.path
					} else {
						requests += "Q"
						if r.URL.RequestURI() != "/v1/"+string(group)+"?Id=1" {
							t.Errorf("address %s", r.URL)
						}
					}
					if status, ok := answer.(int); ok {
						w.WriteHeader(status)
						return
					}
					io.WriteString(w, answer.(string))
				})
				for _, want := range []string{test.requests, test.repeatRequest} {
					requests = ""
					_, err := c.Single(context.Background(), group, "1")
					if requests != want {
						t.Errorf("requests %s, want %s", requests, want)
					}
					var e *client.Error
					errors.As(err, &e)
					if (err == nil) != (test.status == 0) || e != nil && e.Status != test.status || errors.Is(err, client.ErrNotFound) != test.isNotFound {
						t.Errorf("error %v, want status %d", err, test.status)
					}
				}
			})
		}
	}
	t.Run("articles have one form", func(t *testing.T) {
		n := 0
		c := connect(t, func(w http.ResponseWriter, r *http.Request) { n++; w.WriteHeader(404) })
		if _, err := c.Article(context.Background(), "1"); !errors.Is(err, client.ErrNotFound) || n != 1 {
			t.Errorf("%d requests, %v", n, err)
		}
	})
}

func TestSingleFormIsKept(t *testing.T) {
	requests := 0
	c := connect(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		if r.URL.Path != "/v1/writers/1" {
			w.WriteHeader(404)
			return
		}
		io.WriteString(w, `{"Id":"1"}`)
	})
	if _, err := c.Writer(context.Background(), "1"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Writer(context.Background(), "2"); !errors.Is(err, client.ErrNotFound) || requests != 2 {
		t.Errorf("a writer that is gone cost %d requests, %v", requests-1, err)
	}
}

// What an earlier client found is tried first, and mended if it is wrong.
func TestKnownLocationIsTriedFirst(t *testing.T) {
	tests := []struct {
		name   string
		known  client.IDLocation
		server client.IDLocation
		asks   string
	}{
		{"right: path", client.InPath, client.InPath, "PP"},
		{"right: query", client.InQuery, client.InQuery, "QQ"},
		{"wrong: query", client.InQuery, client.InPath, "QPP"},
		{"wrong: path", client.InPath, client.InQuery, "PQQ"},
		{"nonsense", "elsewhere", client.InPath, "PP"},
	}
	for _, refusal := range []int{http.StatusNotFound, http.StatusOK} {
		for _, test := range tests {
			t.Run(fmt.Sprint(test.name, " ", refusal), func(t *testing.T) {
				asks := ""
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					at, letter := client.InPath, "P"
					if r.URL.Path == "/v1/paths" {
						at, letter = client.InQuery, "Q"
					}
					asks += letter
					switch {
					case at == test.server:
						io.WriteString(w, `{"Id":"1"}`)
					case at == client.InQuery && refusal == http.StatusOK:
						io.WriteString(w, `[{"Id":"7"},{"Id":"1"}]`)
					default:
						w.WriteHeader(http.StatusNotFound)
					}
				}))
				defer server.Close()
				c, err := client.New(client.Config{BaseURL: server.URL, IDLocations: map[client.Group]client.IDLocation{client.Paths: test.known}})
				if err != nil {
					t.Fatal(err)
				}
				if got := c.IDLocation(client.Paths); got != "" {
					t.Errorf("location %q before any answer", got)
				}
				for range 2 {
					if _, err := c.Path(context.Background(), "1"); err != nil {
						t.Error(err)
					}
				}
				if got := c.IDLocation(client.Paths); asks != test.asks || got != test.server {
					t.Errorf("asked %s, location %q; want %s, %q", asks, got, test.asks, test.server)
				}
				if c.IDLocation(client.Articles) != client.InPath {
					t.Error("the document says where ids of articles go")
				}
			})
		}
	}
}
