package wordpress_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/sourcetest"
	"ayna/source/wordpress"
)

// Content of another type than WordPress has is unknown, and so is content that is missing.
// Fields of null and objects are rows of sourcetest.
func TestUnread(t *testing.T) {
	object := func(field string, value any) func(map[string]any) {
		return func(e map[string]any) { e[field] = value }
	}
	without := func(field string) func(map[string]any) {
		return func(e map[string]any) { delete(e, field) }
	}
	for name, test := range map[string]struct {
		change func(map[string]any)
		list   string // words of the list record
		single string
	}{
		"as it is":             {func(map[string]any) {}, "", ""},
		"text, rendered null":  {object("content", map[string]any{"rendered": nil, "protected": false}), "", "text"},
		"text, a number":       {object("content", map[string]any{"rendered": 5}), "", "text"},
		"text, true":           {object("content", map[string]any{"rendered": true}), "", "text"},
		"text, a list":         {object("content", map[string]any{"rendered": []any{}}), "", "text"},
		"text, a text":         {object("content", "<p>Düz.</p>"), "", ""},
		"text, an empty list":  {object("content", []any{}), "", "text"},
		"text, no rendered":    {object("content", map[string]any{"protected": false}), "", "text"},
		"no text":              {without("content"), "", "text"},
		"empty text":           {object("content", map[string]any{"rendered": ""}), "", ""},
		"protected 0":          {object("content", map[string]any{"rendered": "<p>x</p>", "protected": 0}), "", ""},
		"protected \"\"":       {object("content", map[string]any{"rendered": "<p>x</p>", "protected": ""}), "", ""},
		"protected \"0\"":      {object("content", map[string]any{"rendered": "<p>x</p>", "protected": "0"}), "", ""},
		"title, a number":      {object("title", map[string]any{"rendered": 5}), "title", "title"},
		"no title":             {without("title"), "title", "title"},
		"excerpt, a list":      {object("excerpt", []any{1}), "", "description"},
		"no excerpt":           {without("excerpt"), "", ""},
		"author, a text":       {object("author", "2"), "", ""},
		"no author":            {without("author"), "writer", "writer"},
		"categories null":      {object("categories", nil), "folder", "folder"},
		"categories, a text":   {object("categories", "5"), "folder", "folder"},
		"categories, objects":  {object("categories", []any{map[string]any{"id": 2}}), "folder", "folder"},
		"categories, empty":    {object("categories", []any{}), "", ""},
		"tags, a hole":         {object("tags", map[string]any{"0": 1, "2": "2"}), "", ""},
		"tags, an object":      {object("tags", map[string]any{"a": 1}), "tags", "tags"},
		"tags false":           {object("tags", false), "tags", "tags"},
		"no tags":              {without("tags"), "tags", "tags"},
		"date of year 0":       {object("date_gmt", "0000-00-00T00:00:00"), "date of publication", "date of publication"},
		"no date of change":    {without("modified_gmt"), "date of change", "date of change"},
		"change, a number":     {object("modified_gmt", 5), "date of change", "date of change"},
		"address false":        {object("link", false), "address", "address"},
		"no address":           {without("link"), "address", "address"},
		"picture in quotation": {object("featured_media", "1000001"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := alterable(t)
			s.alter = func(list string, r *http.Request, a *httptest.ResponseRecorder) {
				if list == "posts" && !r.URL.Query().Has("sticky") {
					objects(t, a, func(e map[string]any) {
						if isList := !r.URL.Query().Has("include"); isList && strings.HasPrefix(name, "text") {
							return // a list has no texts
						}
						test.change(e)
					})
				}
			}
			w := s.open(t)
			batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 1})
			if err != nil || len(batch.Records) != 1 || len(batch.Hidden) > 0 {
				t.Fatalf("%+v, %v", batch, err)
			}
			id := ids(t, batch.Records)[0]
			answers, err := w.Fetch(t.Context(), wordpress.Posts, []string{id})
			if err != nil || answers[0].State != source.Present {
				t.Fatalf("%+v, %v", answers, err)
			}
			if list, single := strings.Join(batch.Unread[id], ","), strings.Join(answers[0].Unread, ","); list != test.list || single != test.single {
				t.Errorf("list %q, single %q, want %q, %q", list, single, test.list, test.single)
			}
			for word, field := range map[string]struct {
				text    string
				isEmpty bool // if the record has the text
			}{
				"title": {`"Title":""`, true}, "address": {`"Url":""`, true}, "date of change": {`"ModifiedDate"`, false}, "date of publication": {`"StartDate"`, false},
			} {
				if isEmpty := strings.Contains(string(answers[0].Record), field.text) == field.isEmpty; isEmpty != (word == test.single) {
					t.Errorf("%s: %s", word, answers[0].Record)
				}
			}
			if hasText := strings.Contains(string(answers[0].Record), `"Text":`); hasText == (test.single == "text") {
				t.Errorf("%s", answers[0].Record)
			}
		})
	}
}

// Forms of PHP are read.
func TestFormsOfPHP(t *testing.T) {
	s := answering(t, "posts", func(r *http.Request) string {
		return `[{"id":"10","title":{"rendered":"A"},"tags":{"0":5,"3":"6"},"categories":["7",7,8],"author":"9","featured_media":0,` +
			`"sticky":"1","content":{"protected":0},"excerpt":{"protected":""},"date_gmt":"2026-01-01T00:00:00"},` +
			`{"id":11.0,"content":{"protected":"1"}},{"id":12,"content":{"protected":1}},{"id":13,"content":{"protected":true}},{"id":14,"content":{"protected":"false"}}]`
	})
	batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
	if err != nil || !slices.Equal(batch.Hidden, []string{"11", "12", "13"}) {
		t.Fatalf("%v, %v", batch.Hidden, err)
	}
	if want := `"WordPress":{"author":9,"categories":[7,8],"tags":[5,6],"sticky":true}`; !strings.Contains(string(batch.Records[0]), want) {
		t.Errorf("%s, want %s", batch.Records[0], want)
	}
}

// A record names a bounded number of ids, and a folder a bounded number of its parents.
func TestBounds(t *testing.T) {
	s := alterable(t)
	s.alter = func(list string, r *http.Request, a *httptest.ResponseRecorder) {
		switch {
		case list == "posts":
			objects(t, a, func(e map[string]any) {
				var many []int
				for i := range 300_000 {
					many = append(many, i+1)
				}
				e["tags"], e["categories"] = many, many
			})
		case list == "categories":
			var chain []string
			add := func(id int) {
				chain = append(chain, fmt.Sprintf(`{"id":%d,"name":"a","slug":"k%[1]d","parent":%d}`, id, id-1))
			}
			if include := r.URL.Query().Get("include"); include != "" {
				for text := range strings.SplitSeq(include, ",") {
					id, err := strconv.Atoi(text)
					if add(id); err != nil {
						t.Error(err)
					}
				}
				replace(a, "["+strings.Join(chain, ",")+"]")
				a.Header().Set("X-WP-Total", fmt.Sprint(len(chain)))
				return
			}
			n, err := strconv.Atoi(r.URL.Query().Get("page"))
			if err != nil {
				t.Error(err)
			}
			for i := range 100 {
				add((n-1)*100 + i + 1)
			}
			if replace(a, "["+strings.Join(chain, ",")+"]"); n > 40 {
				replace(a, "[]")
			}
			a.Header().Set("X-WP-Total", "4000")
		}
	}
	w := s.open(t)
	batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 1})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(strings.Join(s.asked, "\n"), "/tags?"); n > 12 {
		t.Errorf("%d requests for tags", n)
	}
	r := hits(t, batch.Records)[0]
	if longest := slices.MaxFunc(r.Paths, func(a, b string) int { return len(a) - len(b) }); len(r.Paths) != 200 || strings.Count(longest, "/") != 33 {
		t.Errorf("%d folders, the longest is %s", len(r.Paths), longest)
	}
}

// The JSON of a text is bounded, whatever characters it has.
func TestLongText(t *testing.T) {
	s := answering(t, "posts", func(*http.Request) string {
		return `[{"id":10,"title":{"rendered":"A"},"content":{"rendered":"` + strings.Repeat(`\u0001`, encode.MaxText/6+1000) + `"}}]`
	})
	records, err := sourcetest.Present(t.Context(), s, wordpress.Posts, "10")
	if err != nil || len(records[0]) > encode.MaxText+1000 || strings.Count(string(records[0]), `\u0001`) < encode.MaxText/6-1 {
		t.Errorf("%d bytes, %v", len(records[0]), err)
	}
}
