package wordpress_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/source"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// walk reads a list of posts to its end as a run does, in parts of a size, and returns how
// many records it has and what it says of its length.
func walk(t *testing.T, w *wordpress.Source, size, from int) (records, total int) {
	t.Helper()
	seen := make(map[string]bool)
	for skip := from; ; {
		batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: size, Skip: skip})
		if err != nil {
			t.Fatal(err)
		}
		before := len(seen)
		for _, id := range ids(t, batch.Records) {
			seen[id] = true
		}
		if len(batch.Records)+batch.Skipped == 0 || len(seen) == before {
			return len(seen), batch.Total
		}
		skip += len(batch.Records) + batch.Skipped
	}
}

// A walk comes to the end of each list, whatever the site says of its length, and however few
// records it gives at once.
func TestTotals(t *testing.T) {
	const n = 250 + 1 + 2
	total := func(text string) alteration {
		return func(_ string, _ *http.Request, a *httptest.ResponseRecorder) {
			if a.Header().Del("X-WP-Total"); text != "" {
				a.Header().Set("X-WP-Total", text)
			}
		}
	}
	capped := func(most int) alteration {
		return func(list string, _ *http.Request, a *httptest.ResponseRecorder) {
			var all []json.RawMessage
			if json.Unmarshal(a.Body.Bytes(), &all) == nil && len(all) > most {
				body, _ := json.Marshal(all[:most])
				replace(a, string(body))
			}
		}
	}
	refusing := func(most int) alteration {
		return func(_ string, r *http.Request, a *httptest.ResponseRecorder) {
			if size, _ := strconv.Atoi(r.URL.Query().Get("per_page")); size > most {
				refuse(a, 400, "rest_invalid_param")
			}
		}
	}
	both := func(a, b alteration) alteration {
		return func(list string, r *http.Request, answer *httptest.ResponseRecorder) {
			a(list, r, answer)
			b(list, r, answer)
		}
	}
	for name, test := range map[string]struct {
		alter    alteration
		total    int
		requests int
	}{
		"as it is":        {nil, n, 9},
		"0":               {total("0"), 0, 15},
		"1":               {total("1"), 0, 15},
		"50":              {total("50"), 0, 15},
		"98":              {total("98"), 0, 15},
		"100":             {total("100"), 0, 15},
		"-1":              {total("-1"), 0, 15},
		"missing":         {total(""), 0, 15},
		"no number":       {total("x"), 0, 15},
		"too high":        {total("900"), 2700, 15},
		"capped at 20":    {capped(20), n, 30},
		"capped, missing": {both(capped(20), total("")), 0, 30},
		"50 at most":      {refusing(50), n, 16},
		"10 at most":      {refusing(10), n, 50},
	} {
		for _, from := range []int{0, 37, 251} {
			t.Run(fmt.Sprint(name, from), func(t *testing.T) {
				s := alterable(t)
				for range 220 {
					s.Publish(fakepaper.Post{Title: "Dolgu", Text: "<p>x</p>"})
				}
				s.alter = test.alter
				w := s.open(t)
				records, total := walk(t, w, 100, from)
				if most := test.requests; records < n-from || test.total == n && records != n-from || from == 0 && total != test.total || len(s.asked) > most {
					t.Errorf("%d records, total %d, %d requests (at most %d):\n%s", records, total, len(s.asked), most, strings.Join(s.asked, "\n"))
				}
			})
		}
	}
}

// The most that a site gives at once is found once.
func TestSmallPagesAreKept(t *testing.T) {
	s, refused := alterable(t), 0
	s.alter = func(_ string, r *http.Request, a *httptest.ResponseRecorder) {
		if size, _ := strconv.Atoi(r.URL.Query().Get("per_page")); size > 25 {
			refused++
			refuse(a, 400, "rest_invalid_param")
		}
	}
	for _, want := range []int{2, 0} {
		refused = 0
		w := s.open(t)
		if records := s.read(t, w, 100); len(records) < 66 || refused != want {
			t.Errorf("%d records, %d refusals", len(records), refused)
		}
		s.close(w)
	}
	s.alter = func(_ string, r *http.Request, a *httptest.ResponseRecorder) { refuse(a, 400, "rest_invalid_param") }
	s.found = nil
	w := s.open(t)
	if _, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 100}); err == nil || w.Found()["most records in an answer"] != "" {
		t.Errorf("%v, found %q", err, w.Found())
	}
}

// A site that answers each part of its list with the first one is read once, and says how
// many records it has.
func TestFirstPartAgain(t *testing.T) {
	s := alterable(t)
	s.alter = func(list string, r *http.Request, a *httptest.ResponseRecorder) {
		if list == "posts" {
			query := r.URL.Query()
			query.Set("per_page", "10")
			query.Del("offset")
			again := r.Clone(r.Context())
			again.URL.RawQuery = query.Encode()
			*a = *httptest.NewRecorder()
			s.ServeHTTP(a, again)
		}
	}
	batch, err := s.open(t).List(t.Context(), wordpress.Posts, source.Query{Top: 100})
	if err != nil || len(batch.Records) != 10 || batch.Count != 30 {
		t.Fatalf("%+v, %v", batch, err)
	}
	w := s.open(t)
	if records, _ := walk(t, w, 100, 0); records != 10 || len(s.asked) > 7 {
		t.Errorf("%d records, %d requests", records, len(s.asked))
	}
}

// Odd elements that stand alone at the end of a list are skipped.
func TestOddElementAlone(t *testing.T) {
	s := answering(t, "posts", func(r *http.Request) string {
		all := []string{`{"id":9}`, `{"id":"8"}`, `{"id":7.0}`, `{"id":-5}`, `{"id":"x"}`, `{"id":9}`, `5`, `{"a":1}`}
		at, _ := strconv.Atoi(r.FormValue("offset"))
		size, _ := strconv.Atoi(r.FormValue("per_page"))
		return "[" + strings.Join(all[min(at, len(all)):min(at+size, len(all))], ",") + "]"
	})
	for _, skip := range []int{0, 4, 6, 7, 8} {
		batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100, Skip: skip})
		if want := map[int]int{0: 4, 4: 1}[skip]; err != nil || len(batch.Records) != want || batch.Skipped > want {
			t.Errorf("from %d: %+v, %v", skip, batch, err)
		}
	}
}

// A filter that a site ignores ends, and does not hide that there may be changes.
func TestEndlessChanges(t *testing.T) {
	n, requests := 0, 0
	s := answering(t, "posts", func(r *http.Request) string {
		posts := make([]string, 100)
		for i := range posts {
			n++
			posts[i] = fmt.Sprintf(`{"id":%d,"date_gmt":"2020-01-01T00:00:00","modified_gmt":"2020-01-01T00:00:00"}`, n)
		}
		requests++
		return "[" + strings.Join(posts, ",") + "]"
	})
	_, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100, Since: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err == nil || requests > 12 {
		t.Errorf("%d requests, %v", requests, err)
	}
}

// The page of sticky posts is no reason to end a run.
func TestStickyIsClosed(t *testing.T) {
	for _, status := range []int{401, 500} {
		s := alterable(t)
		s.alter = func(_ string, r *http.Request, a *httptest.ResponseRecorder) {
			if r.URL.Query().Has("sticky") {
				refuse(a, status, "rest_x")
			}
		}
		w := s.open(t)
		batch, err := w.List(t.Context(), source.Pages, source.Query{})
		if isClosed := status == 401; err != nil || fmt.Sprint(batch.Missing) != "[sticky]" || (len(w.Warnings()) == 1) != isClosed || (w.Failures()["sticky"] == nil) != isClosed {
			t.Errorf("%d: %+v, %v, warnings %q, failures %v", status, batch, err, w.Warnings(), w.Failures())
		}
	}
}
