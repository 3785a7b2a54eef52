package wordpress_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// known returns what the archive holds of a record after a first run.
func (s *site) known(t *testing.T, group source.Group, id string) source.Known {
	t.Helper()
	w := s.open(t)
	batch, err := w.List(t.Context(), group, source.Query{Top: 100})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.Index(ids(t, batch.Records), id)
	if i < 0 {
		t.Fatalf("no record %s", id)
	}
	return source.Known{ID: id, List: batch.Records[i]}
}

// What a site says of one id at its own address. Other answers prove nothing, and never mean
// that the site is closed.
func TestAsk(t *testing.T) {
	post := func(s *site) string { return fmt.Sprint(s.Posts("posts")[0].ID) }
	answer := func(status int, code string) func(*site, string) {
		return func(s *site, id string) {
			s.alter = func(list string, r *http.Request, a *httptest.ResponseRecorder) {
				if strings.HasSuffix(list, "/"+id) {
					refuse(a, status, code)
				}
			}
		}
	}
	body := func(text string) func(*site, string) {
		return func(s *site, id string) {
			s.alter = func(list string, r *http.Request, a *httptest.ResponseRecorder) {
				if strings.HasSuffix(list, "/"+id) {
					replace(a, strings.ReplaceAll(text, "ID", id))
				}
			}
		}
	}
	number := func(id string) int {
		n, err := strconv.Atoi(id)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for name, test := range map[string]struct {
		change func(s *site, id string)
		want   source.State // "" is an error
	}{
		"it is there":    {func(*site, string) {}, source.Present},
		"trash":          {func(s *site, id string) { s.Trash(number(id)) }, source.Gone},
		"draft":          {func(s *site, id string) { s.Amend(number(id), func(p *fakepaper.Post) { p.Status = "draft" }) }, source.Gone},
		"password":       {func(s *site, id string) { s.Protect(number(id)) }, source.Gone},
		"deleted":        {func(s *site, id string) { s.Delete(number(id)) }, source.NotFound},
		"forbidden, 403": {answer(403, "rest_forbidden"), source.Gone},
		"a private one":  {body(`{"id":ID,"status":"private"}`), source.Gone},
		"without status": {body(`{"id":ID}`), source.Present},
		"status null":    {body(`{"id":ID,"status":null}`), source.Gone},
		"not logged in":  {answer(401, "rest_not_logged_in"), ""},
		"no route":       {answer(404, "rest_no_route"), ""},
		"a firewall":     {answer(403, ""), ""},
		"404":            {answer(404, ""), ""},
		"410":            {answer(410, "rest_post_invalid_id"), ""},
		"500":            {answer(500, "rest_post_invalid_id"), ""},
		"200 and a code": {body(`{"code":"rest_post_invalid_id"}`), ""},
		"another record": {body(`{"id":5,"status":"publish"}`), ""},
		"a page":         {body(`<html>`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := alterable(t)
			known := s.known(t, wordpress.Posts, post(s))
			test.change(s, known.ID)
			w := s.open(t)
			state, err := w.Ask(t.Context(), wordpress.Posts, known)
			if state != test.want || (err != nil) != (test.want == "") || errors.Is(err, get.ErrUnauthorized) {
				t.Errorf("%s, %v", state, err)
			}
		})
	}
}

// A record is asked for in the type under which the archive holds it.
func TestAskTypes(t *testing.T) {
	s := alterable(t)
	post, category, user := s.Posts("posts")[0], s.Categories()[1].ID, s.Users()[1].ID
	sticky := s.Posts("posts")[5].ID
	s.MakeSticky(sticky, true)
	same := s.AddCategory(fakepaper.Term{Name: "Etkinlik", Slug: "etkinlikler"})
	within := s.Publish(fakepaper.Post{Title: "Konser", Categories: []int{same}})
	for _, test := range []struct {
		group    source.Group
		id, name string
		absence  func()
		want     source.State
	}{
		{wordpress.Posts, fmt.Sprint(post.ID), "posts", func() { s.Trash(post.ID) }, source.Gone},
		{wordpress.Posts, fmt.Sprint(within), "posts", func() { s.Delete(within) }, source.NotFound},
		{wordpress.Posts, "1000", "pages", func() { s.Trash(1000) }, source.Gone},
		{wordpress.Posts, "2000", "etkinlikler", func() { s.Delete(2000) }, source.NotFound},
		{source.Pages, "sticky", "sticky", func() { s.MakeSticky(sticky, false) }, source.NotFound},
		{source.Paths, fmt.Sprint("term-", category), "categories", func() {}, source.Present},
		{source.Paths, "term-77777", "categories", func() {}, source.NotFound},
		{source.Writers, fmt.Sprint("user-", user), "users", func() {
			for _, p := range s.Posts("posts") {
				s.Amend(p.ID, func(p *fakepaper.Post) { p.Author = 1 })
			}
		}, source.Gone},
	} {
		known := source.Known{ID: test.id}
		if test.id != "term-77777" {
			known = s.known(t, test.group, test.id)
		}
		w := s.open(t)
		if name := w.TypeOf(known); name != test.name {
			t.Errorf("%s is of %s, want %s", test.id, name, test.name)
		}
		if dates, err := w.Dates(t.Context(), test.group, []source.Known{known}); err != nil || len(dates) != 1 && test.id != "term-77777" {
			t.Errorf("%s: dates %v, %v", test.id, dates, err)
		}
		test.absence()
		if state, err := w.Ask(t.Context(), test.group, known); state != test.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", test.id, state, err, test.want)
		}
		if dates, err := w.Dates(t.Context(), test.group, []source.Known{known}); err != nil || (len(dates) == 1) != (test.want == source.Present) && test.name != "users" {
			t.Errorf("%s: dates %v, %v", test.id, dates, err)
		}
	}
	if _, err := s.open(t).Ask(t.Context(), wordpress.Posts, source.Known{ID: "../users"}); !errors.Is(err, get.ErrID) {
		t.Errorf("%v", err)
	}
}

// One light request says which records are public, and when they changed.
func TestDates(t *testing.T) {
	s := alterable(t)
	posts := s.Posts("posts")
	at := posts[0].Date.Add(3 * time.Hour).UTC()
	s.Trash(posts[1].ID)
	s.Protect(posts[2].ID)
	s.Amend(posts[3].ID, func(p *fakepaper.Post) { p.Date = at }) // it has gone live after its last change
	w := s.open(t)
	var of []source.Known
	for _, p := range posts[:5] {
		of = append(of, source.Known{ID: fmt.Sprint(p.ID), List: json.RawMessage(`{}`)})
	}
	if _, err := w.Site(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.asked = nil
	dates, err := w.Dates(t.Context(), wordpress.Posts, of)
	if err != nil || len(dates) != 3 || !dates[of[3].ID].Equal(at) || !dates[of[0].ID].Equal(posts[0].Modified) {
		t.Errorf("%v, %v", dates, err)
	}
	if len(s.asked) != 1 || strings.Contains(s.asked[0], "title") || strings.Contains(s.asked[0], "link") {
		t.Errorf("asked %q", s.asked)
	}
	s.alter = func(_ string, _ *http.Request, a *httptest.ResponseRecorder) { refuse(a, 401, "rest_not_logged_in") }
	if dates, err := w.Dates(t.Context(), wordpress.Posts, of); err == nil || errors.Is(err, get.ErrUnauthorized) || dates != nil {
		t.Errorf("%v, %v", dates, err)
	}
}

// Fetch asks again for what an answer left out, and says what each answer shows.
func TestFetchStates(t *testing.T) {
	s := alterable(t)
	posts := s.Posts("posts")
	s.Protect(posts[0].ID)
	s.Trash(posts[1].ID)
	wanted := []string{"99", "1000", "2000"}
	for _, p := range posts {
		wanted = append(wanted, fmt.Sprint(p.ID))
	}
	left := 0
	s.alter = func(list string, r *http.Request, a *httptest.ResponseRecorder) {
		if list == "posts" && left > 0 {
			left--
			n := 0
			objects(t, a, func(map[string]any) { n++ })
			var all []json.RawMessage
			if err := json.Unmarshal(a.Body.Bytes(), &all); err != nil {
				t.Error(err)
			}
			body, _ := json.Marshal(all[:n/2])
			a.Header().Set("X-WP-Total", fmt.Sprint(n/2))
			replace(a, string(body))
		}
	}
	for left = range 2 {
		answers, err := s.open(t).Fetch(t.Context(), wordpress.Posts, wanted)
		if err != nil || len(answers) != len(wanted) {
			t.Fatalf("%d answers, %v", len(answers), err)
		}
		for i, a := range answers {
			want := source.Present
			switch {
			case wanted[i] == "99" || wanted[i] == fmt.Sprint(posts[1].ID):
				want = source.LeftOut
			case wanted[i] == fmt.Sprint(posts[0].ID):
				want = source.Gone
			}
			if a.ID != wanted[i] || a.State != want || (a.Record != nil) != (want == source.Present) || a.Incomplete {
				t.Errorf("%s is %s, want %s", a.ID, a.State, want)
			}
		}
	}
	// A type that fails says nothing of its records, and costs no others.
	s.alter = func(list string, _ *http.Request, a *httptest.ResponseRecorder) {
		if list == "pages" {
			refuse(a, 500, "")
		}
	}
	answers, err := s.open(t).Fetch(t.Context(), wordpress.Posts, wanted[1:])
	if err != nil || answers[0].State != source.LeftOut || answers[0].Err == nil || answers[1].State != source.Present {
		t.Errorf("%+v, %v", answers[:2], err)
	}
	if _, err := s.open(t).Fetch(t.Context(), wordpress.Posts, wanted[1:2]); err == nil {
		t.Error("a page alone has no error")
	}
}

// Folders, writers and the page of sticky posts are answered from their lists, which say
// nothing of others.
func TestFetchOfLists(t *testing.T) {
	s := alterable(t)
	s.MakeSticky(s.Posts("posts")[0].ID, true)
	w := s.open(t)
	for group, id := range map[source.Group]string{source.Paths: "term-2", source.Writers: "user-2", source.Pages: "sticky"} {
		answers, err := w.Fetch(t.Context(), group, []string{"x", id})
		if err != nil || len(answers) != 2 || answers[0].State != source.LeftOut || answers[1].State != source.Present || !strings.Contains(string(answers[1].Record), id) {
			t.Errorf("%s: %+v, %v", group, answers, err)
		}
	}
}
