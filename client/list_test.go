package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayna/client"
)

// script is a list operation of which each request is answered with the next
// page; after the last one with empty pages. It notes the queries.
type script struct {
	pages   []string // ids with blanks between, or JSON
	queries []string // "skip/top" of each request
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page := ""
	if len(s.queries) < len(s.pages) {
		page = s.pages[len(s.queries)]
	}
	s.queries = append(s.queries, r.URL.Query().Get("$skip")+"/"+r.URL.Query().Get("$top"))
	if page == "503" {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if !strings.HasPrefix(page, "[") {
		var records []string
		for _, id := range strings.Fields(page) {
			records = append(records, `{"Id":"`+id+`"}`)
		}
		page = "[" + strings.Join(records, ",") + "]"
	}
	io.WriteString(w, page)
}

func TestPaging(t *testing.T) {
	tests := []struct {
		name    string
		pages   []string
		query   client.Query
		ids     string
		queries string
		fails   error
	}{
		{"empty", nil, client.Query{}, "", "/50", nil},
		{"one page", []string{"a b"}, client.Query{}, "a b", "/50 2/50", nil},
		{"own size and start", []string{"a b"}, client.Query{Top: 2, Skip: 10}, "a b", "10/2 12/2", nil},
		{"silent cap", []string{"a b", "c d", "e"}, client.Query{Top: 1000}, "a b c d e", "/1000 2/1000 4/1000 5/1000", nil},
		{"short page in the middle", []string{"a b c", "d", "e f g"}, client.Query{Top: 3}, "a b c d e f g", "/3 3/3 4/3 7/3", nil},
		{"twice", []string{"a b", "b c"}, client.Query{Top: 2}, "a b c", "/2 2/2 4/2", nil},
		{"skip ignored", []string{"a b", "a b", "a b"}, client.Query{Top: 2}, "a b", "/2 2/2", nil},
		{"last page repeated", []string{"a b", "c d", "c d", "c d"}, client.Query{Top: 2}, "a b c d", "/2 2/2 4/2", nil},
		{"odd elements count as received", []string{`[null,{"Id":"a"},7]`, "b"}, client.Query{Top: 3}, "a b", "/3 3/3 4/3", nil},
		{"nothing but odd elements", []string{"a", `[null,7]`, "b"}, client.Query{}, "a", "/50 1/50", client.ErrShape},
		{"no ids", []string{`[{"Title":"x"},{"Title":"y"}]`, `[{"Title":"y"}]`}, client.Query{}, " ", "/50 2/50", nil},
		{"error beyond the end", []string{"a", "503", "b"}, client.Query{}, "a", "/50 1/50", &client.Error{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &script{pages: test.pages}
			c := connect(t, s.ServeHTTP)
			var ids []string
			var failures []error
			for article, err := range c.Articles(context.Background(), test.query) {
				if err != nil {
					failures = append(failures, err)
					continue
				}
				ids = append(ids, article.ID)
			}
			if got := strings.Join(ids, " "); got != test.ids {
				t.Errorf("ids %q, want %q", got, test.ids)
			}
			if got := strings.Join(s.queries, " "); got != test.queries {
				t.Errorf("queries %s, want %s", got, test.queries)
			}
			var e *client.Error
			switch {
			case test.fails == nil && len(failures) != 0, test.fails != nil && len(failures) != 1:
				t.Errorf("errors %v", failures)
			case test.fails == client.ErrShape && !errors.Is(failures[0], client.ErrShape):
				t.Errorf("error %v", failures[0])
			case test.fails != nil && test.fails != client.ErrShape && !errors.As(failures[0], &e):
				t.Errorf("error %v", failures[0])
			}
		})
	}
}

func TestPagingStopsEarly(t *testing.T) {
	s := &script{pages: []string{"a b c"}}
	for article := range connect(t, s.ServeHTTP).Articles(context.Background(), client.Query{}) {
		if article.ID == "b" {
			break
		}
	}
	if len(s.queries) != 1 {
		t.Errorf("%d requests, want 1", len(s.queries))
	}
}

func TestPagingCanBeRunAgain(t *testing.T) {
	s := &script{pages: []string{"a b", "", "a b"}}
	articles := connect(t, s.ServeHTTP).Articles(context.Background(), client.Query{})
	for range 2 {
		n := 0
		for _, err := range articles {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != 2 {
			t.Errorf("%d records, want 2", n)
		}
	}
	if want := []string{"/50", "2/50", "/50", "2/50"}; !slices.Equal(s.queries, want) {
		t.Errorf("queries %v, want %v", s.queries, want)
	}
}

func TestPagingSelectsTheId(t *testing.T) {
	tests := []struct {
		fields []string
		want   string
	}{
		{nil, ""},
		{[]string{"Title"}, "Id,Title"},
		{[]string{"Title", "id"}, "Title,id"},
	}
	for _, test := range tests {
		c := connect(t, func(w http.ResponseWriter, r *http.Request) {
			if got := r.URL.Query().Get("$select"); got != test.want {
				t.Errorf("%v: $select %q, want %q", test.fields, got, test.want)
			}
			io.WriteString(w, "[]")
		})
		for _, err := range c.Writers(context.Background(), client.Query{Select: test.fields}) {
			t.Error(err)
		}
	}
}

func TestPagingLarge(t *testing.T) {
	const total = 1234
	c := connect(t, func(w http.ResponseWriter, r *http.Request) {
		skip, _ := strconv.Atoi(r.URL.Query().Get("$skip"))
		top, _ := strconv.Atoi(r.URL.Query().Get("$top"))
		var ids []string
		for i := skip; i < min(skip+top, total); i++ {
			ids = append(ids, fmt.Sprintf(`{"Id":%d}`, i))
		}
		fmt.Fprintf(w, `{"Count":%d,"List":[%s]}`, total, strings.Join(ids, ","))
	})
	n := 0
	for hit, err := range c.Search(context.Background(), "zeytin", client.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		if hit.ID != strconv.Itoa(n) {
			t.Fatalf("record %d has id %s", n, hit.ID)
		}
		n++
	}
	if n != total {
		t.Errorf("%d records, want %d", n, total)
	}
}

func TestSearchShape(t *testing.T) {
	hit, err := first(connect(t, answering(200, testdata(t, "search.json"))).Search(context.Background(), "zeytin", client.Query{}))
	if err != nil {
		t.Fatal(err)
	}
	if hit.ID != "51200311" || hit.Text != "<p>Zeytin</p>" || hit.Title != "Asırlık zeytin" || hit.RelatedNews == nil {
		t.Errorf("got %+v", hit)
	}
	if got := hit.ModifiedDate; !got.Floating || got.Format("15:04:05") != "12:17:25" {
		t.Errorf("a date without zone became %+v", got)
	}
}
