package ghost_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/ghost"
	"ayna/source/markup"
	"ayna/source/sourcetest"
	"ayna/testrun/fakepaper"
)

// What an answer may have of something is bounded, however large it is.
func TestBounds(t *testing.T) {
	const id = "6b0400000000000000000001"
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,{"id":"%024x","slug":"s%d","name":"a"}`, i, i)
		}
		return "[" + b.String()[1:] + "]"
	}
	answer := func(t *testing.T, operation, body string) *ghost.Source {
		g, s := open(t, fakepaper.Options{})
		g.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
			if c.Operation != operation {
				return nil
			}
			return fakepaper.Body(body)
		})
		return s
	}
	t.Run("elements", func(t *testing.T) {
		s := answer(t, "tags", `{"tags":`+many(encode.MaxElements+1)+`}`)
		if batch, err := s.List(t.Context(), source.Paths, source.Query{}); !errors.Is(err, get.ErrShape) {
			t.Errorf("%d records, %v", len(batch.Records), err)
		}
	})
	t.Run("names in a record, a title", func(t *testing.T) {
		s := answer(t, "posts", fmt.Sprintf(`{"posts":[{"id":%q,"title":%q,"tags":%s,"authors":%[3]s}]}`, id, strings.Repeat("ş ", 1<<20), many(2*encode.MaxNamed)))
		records, err := sourcetest.Present(t.Context(), s, ghost.Posts, id)
		if err != nil {
			t.Fatal(err)
		}
		r := hits(t, records)[0]
		if folders := strings.Count(string(records[0]), `"/s`); len(r.Writers) != encode.MaxNamed || folders > encode.MaxNamed+1 || len(r.Title) > markup.MaxText || !strings.HasPrefix(r.Title, "ş ş") {
			t.Errorf("%d writers, %d folders, a title of %d bytes", len(r.Writers), folders, len(r.Title))
		}
	})
	for name, c := range map[string]struct {
		inJSON string // a character
		least  int    // so many of them come at least
	}{"text": {"ş", encode.MaxText/2 - 1}, "control characters": {`\u0001`, encode.MaxText/6 - 1}, "quotes": {`\"`, encode.MaxText/2 - 1}} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(c.inJSON, c.least+1000)
			s := answer(t, "posts", fmt.Sprintf(`{"posts":[{"id":%q,"html":"%s"}]}`, id, text))
			records, err := sourcetest.Present(t.Context(), s, ghost.Posts, id)
			if err != nil || len(records[0]) > encode.MaxText+1000 || strings.Count(string(records[0]), c.inJSON) < c.least {
				t.Errorf("%d bytes, %v", len(records[0]), err)
			}
		})
	}
}

// A list of names or pages without an end is given up soon, and those that are known stay.
func TestEndlessLists(t *testing.T) {
	for total, most := range map[string]int{"": 101, `,"meta":{"pagination":{"total":7}}`: 101, `,"meta":{"pagination":{"total":1000000}}`: 1} {
		for _, name := range []string{"tags", "pages"} {
			g, s := open(t, fakepaper.Options{})
			n := 0
			g.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
				if c.Operation != name {
					return nil
				}
				elements := make([]string, 100)
				for i := range elements {
					n++
					elements[i] = fmt.Sprintf(`{"id":"%024x","name":"a","slug":"a%[1]d"}`, n)
				}
				return fakepaper.Body(fmt.Sprintf(`{%q:[%s]%s}`, name, strings.Join(elements, ","), total))
			})
			posts, err := s.List(t.Context(), ghost.Posts, source.Query{Top: 10})
			if err != nil || len(posts.Records) != 10 {
				t.Errorf("%s, total %s: %d posts, %v", name, total, len(posts.Records), err)
			}
			_, err = s.List(t.Context(), source.Paths, source.Query{})
			if name == "pages" {
				err = s.Failures()[name]
			}
			if !errors.Is(err, get.ErrShape) || n > 100*most {
				t.Errorf("%s, total %s: %d elements, %v", name, total, n, err)
			}
		}
	}
}
