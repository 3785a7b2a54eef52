package wordpress_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"ayna/source"
	"ayna/source/sourcetest"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// namesOf are the lists of what posts name.
var namesOf = []string{"categories", "users", "tags", "media"}

// What comes without its name, or without its address, keeps what it had.
func TestNullNames(t *testing.T) {
	for _, name := range namesOf {
		s := alterable(t)
		first := s.open(t)
		want := s.read(t, first, 2)
		s.close(first)
		s.alter = func(list string, _ *http.Request, a *httptest.ResponseRecorder) {
			if list == name {
				objects(t, a, func(e map[string]any) { e["name"], e["source_url"] = nil, nil })
			}
		}
		if got := s.read(t, s.open(t), 2); !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: %s, were %s", name, got, want)
		}
	}
}

// A first mirror comes without what is closed or broken. What is broken is unknown, not empty,
// and is asked for again.
func TestFirstMirrorWithoutNames(t *testing.T) {
	words := map[string]string{"categories": "folder", "users": "writer", "tags": "tags", "media": "pictures"}
	for _, name := range namesOf {
		for _, status := range []int{403, 500} {
			t.Run(fmt.Sprint(name, status), func(t *testing.T) {
				s := alterable(t)
				s.alter = func(list string, _ *http.Request, a *httptest.ResponseRecorder) {
					if list == name {
						refuse(a, status, "rest_x")
					}
				}
				w := s.open(t)
				batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
				if err != nil || len(batch.Records) != 33 {
					t.Fatalf("%d records, %v", len(batch.Records), err)
				}
				answers, err := w.Fetch(t.Context(), wordpress.Posts, ids(t, batch.Records))
				if err != nil {
					t.Fatal(err)
				}
				unread, incomplete := 0, 0
				for _, a := range answers {
					if a.State != source.Present {
						t.Errorf("%+v", a)
					}
					if slices.Contains(a.Unread, words[name]) {
						unread++
					}
					if a.Incomplete {
						incomplete++
					}
				}
				isBroken := status == 500
				if (unread > 0) != isBroken || (incomplete > 0) != isBroken || name != "media" && (len(batch.Unread) > 0) != isBroken {
					t.Errorf("%d unread, %d incomplete, list %v", unread, incomplete, batch.Unread)
				}
			})
		}
	}
}

// A list that fails once is read at once again, and a broken one when it is asked for.
func TestBrokenOnce(t *testing.T) {
	s, left := alterable(t), 0
	s.alter = func(list string, _ *http.Request, a *httptest.ResponseRecorder) {
		if list == "users" && left > 0 {
			left--
			refuse(a, 502, "")
		}
	}
	for _, test := range []struct {
		failures int
		named    bool // at the first part
	}{{1, true}, {2, false}} {
		left = test.failures
		s.kept.all = nil
		w := s.open(t)
		batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
		if err != nil || strings.Contains(string(batch.Records[0]), "Writers") != test.named {
			t.Errorf("%d failures: %s, %v", test.failures, batch.Records[0], err)
		}
		if writers, err := w.List(t.Context(), source.Writers, source.Query{}); err != nil || len(writers.Records) == 0 {
			t.Errorf("%d failures: %+v, %v", test.failures, writers, err)
		}
		if single, err := sourcetest.Present(t.Context(), w, wordpress.Posts, ids(t, batch.Records)[0]); err != nil || !strings.Contains(fmt.Sprintf("%s", single), "Writers") {
			t.Errorf("%d failures: %s, %v", test.failures, single, err)
		}
	}
}

// A first mirror meets a limit between two requests for tags. The next reading names all.
func TestTooManyRequestsForTags(t *testing.T) {
	s := alterable(t)
	want := s.read(t, s.open(t), 100)
	refused := false
	s.alter = func(list string, r *http.Request, a *httptest.ResponseRecorder) {
		switch isRest := r.URL.Query().Has("include"); {
		case list == "tags" && !isRest: // the most frequent, which are few
			var all []json.RawMessage
			if err := json.Unmarshal(a.Body.Bytes(), &all); err != nil {
				t.Error(err)
			}
			some, _ := json.Marshal(all[:min(3, len(all))])
			a.Body.Reset()
			a.Body.Write(some)
		case list == "tags" && !refused:
			refused = true
			refuse(a, http.StatusTooManyRequests, "")
		}
	}
	w := s.open(t)
	s.kept.all = nil
	if _, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 100}); err == nil || !refused {
		t.Errorf("no error, refused %t", refused)
	}
	if got := s.read(t, w, 100); !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%s, want %s", got, want)
	}
}

// A rename shows with the next whole list; a list of changes takes the names that are known.
func TestKnownTags(t *testing.T) {
	s := alterable(t)
	first := s.open(t)
	s.read(t, first, 100)
	post := s.Posts("posts")[0]
	s.EditTag(post.Tags[0], func(tag *fakepaper.Term) { tag.Name = "Yenilenen" })
	var many []int
	for i := range 150 { // no tag is among the most frequent ones
		many = append(many, s.AddTag(fakepaper.Term{Name: fmt.Sprint("Sık ", i), Slug: fmt.Sprint("sik-", i)}))
	}
	for range 5 {
		s.Publish(fakepaper.Post{Title: "Dolgu", Tags: many, Text: "<p>x</p>"})
	}
	w := s.open(t)
	if batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 100, Since: post.Date.AddDate(0, 0, -1)}); err != nil || strings.Contains(fmt.Sprintf("%s", batch.Records), "Yenilenen") {
		t.Errorf("%v", err)
	}
	w = s.open(t)
	if batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 100}); err != nil || !strings.Contains(fmt.Sprintf("%s", batch.Records), "Yenilenen") {
		t.Errorf("%v", err)
	}
}

// Lists without an end are given up.
func TestEndlessNames(t *testing.T) {
	for total, most := range map[string]int{"": 112, "7": 112, "15000": 162, "1000000": 2} {
		s := alterable(t)
		n, requests := 0, 0
		s.alter = func(list string, _ *http.Request, a *httptest.ResponseRecorder) {
			if list != "categories" {
				return
			}
			elements := make([]string, 100)
			for i := range elements {
				n++
				elements[i] = fmt.Sprintf(`{"id":%d,"name":"a","slug":"a%[1]d"}`, n)
			}
			requests++
			replace(a, "["+strings.Join(elements, ",")+"]")
			a.Header().Set("X-WP-Total", total)
		}
		w := s.open(t)
		batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
		if err != nil || len(batch.Records) != 33 || requests > most {
			t.Errorf("total %q: %d records, %d requests, %v", total, len(batch.Records), requests, err)
		}
		if _, err := w.List(t.Context(), source.Paths, source.Query{}); err == nil {
			t.Errorf("total %q: the list has no error", total)
		}
		if requests > most {
			t.Errorf("total %q: %d requests", total, requests)
		}
	}
}

// Posts do not wait for long lists: within few requests they have their names, and later runs
// go on.
func TestLongLists(t *testing.T) {
	s := alterable(t)
	parent := 0
	for i := range 3000 {
		parent = s.AddCategory(fakepaper.Term{Name: fmt.Sprint("Klasör ", i), Slug: fmt.Sprint("k", i), Parent: []int{0, parent, parent, parent}[i%4]})
	}
	id := s.Publish(fakepaper.Post{Title: "Derin", Text: "<p>x</p>", Categories: []int{parent}})
	var asked int
	stop := errors.New("no budget")
	open := func(budget int) *wordpress.Source {
		asked = 0
		w, err := wordpress.New(wordpress.Config{BaseURL: s.address, Connection: source.Connection{Originals: &s.kept, Found: s.found, Gate: func(context.Context) error {
			if asked++; asked > budget {
				return stop
			}
			return nil
		}}})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	if folders, err := open(12).List(t.Context(), source.Paths, source.Query{Glance: true}); err != nil || len(folders.Records) < 1000 {
		t.Errorf("at a glance: %d folders, %v", len(folders.Records), err)
	}
	s.kept.all = nil
	for run := range 3 {
		w := open([]int{25, 25, 1000}[run])
		batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
		if err != nil {
			t.Fatal(err)
		}
		if r := hits(t, batch.Records)[0]; r.ID != fmt.Sprint(id) || r.Path != "/k2996/k2997/k2998/k2999/" {
			t.Errorf("run %d: post %s is in %s", run, r.ID, r.Path)
		}
		used := asked
		folders, err := w.List(t.Context(), source.Paths, source.Query{})
		if isLast := run == 2; errors.Is(err, stop) == isLast || isLast && len(folders.Records) < 3000 {
			t.Errorf("run %d: %d folders, %v", run, len(folders.Records), err)
		}
		if run == 1 && used > 9 {
			t.Errorf("the posts of a later run take %d requests", used)
		}
		if n := len(s.kept.all["categories"]); run == 0 && (n < 1004 || n > 2800) {
			t.Errorf("run %d: %d categories are kept", run, n)
		}
		s.close(w)
	}
}
