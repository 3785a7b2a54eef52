package sync_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/generator/sync/upstream"
)

// honours is a service that understands date filters written in one way.
func honours(before, after string) func(string) (func(upstream.Record) bool, int) {
	return func(expression string) (func(upstream.Record) bool, int) {
		text, ok := strings.CutPrefix(expression, "ModifiedDate ge "+before)
		text, closed := strings.CutSuffix(text, after)
		since, err := time.Parse(time.RFC3339, text)
		if !ok || !closed || err != nil {
			return nil, http.StatusInternalServerError
		}
		return func(r upstream.Record) bool { return !r.Modified.Before(since) }, http.StatusOK
	}
}

func always(match bool) func(string) (func(upstream.Record) bool, int) {
	return func(string) (func(upstream.Record) bool, int) {
		return func(upstream.Record) bool { return match }, http.StatusOK
	}
}

func isFiltered(r upstream.Request) bool { return strings.Contains(r.URI, "%24filter") }

// Whatever a source makes of a date filter: what is new at the top of a list
// arrives. Edits further down arrive by a filter that proves to be honoured.
func TestDateFilters(t *testing.T) {
	for name, test := range map[string]struct {
		filter   func(string) (func(upstream.Record) bool, int)
		honoured bool
	}{
		"Datetime":                   {honours("Datetime'", "'"), true},
		"datetimeoffset":             {honours("datetimeoffset'", "'"), true},
		"bare":                       {honours("", ""), true},
		"quoted":                     {honours("'", "'"), true},
		"D16 ignored":                {always(true), false},
		"D17 finds nothing":          {always(false), false},
		"T24 refused":                {func(string) (func(upstream.Record) bool, int) { return nil, http.StatusBadRequest }, false},
		"finds the newest day alone": {newestOnly, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				atTheirTime()
				n := open(t, upstream.Options{Items: 200, Filter: test.filter})
				n.mustRun(t)
				time.Sleep(time.Hour)
				n.mustRun(t) // finds out

				now := time.Now().UTC().Truncate(time.Second)
				n.Add(upstream.Record{Group: "articles", ID: "59000001", Title: "Yeni", Path: "/spor/", Text: "<p>Yeni</p>", Created: now, Modified: now})
				deep := n.Records()[60] // the first hundred or so are articles, newest first
				if deep.Group != "articles" {
					t.Fatalf("the record to edit is one of %s", deep.Group)
				}
				n.Amend(deep.Group, deep.ID, func(r *upstream.Record) { r.Title, r.Modified = "Derinde düzeltildi", now })
				n.mustRun(t)
				if _, err := n.archive.Get(t.Context(), archive.Article, "59000001"); err != nil {
					t.Errorf("what is new has not arrived: %v", err)
				}
				got, err := n.archive.Get(t.Context(), kindOf(deep.Group), deep.ID)
				if err != nil || (got.Title == "Derinde düzeltildi") != test.honoured {
					t.Errorf("the deep edit: title %q, %v; want it to arrive: %v", got.Title, err, test.honoured)
				}
				if test.honoured {
					n.checkComplete(t)
				}

				// Over an unchanged source: one list request a kind, however the
				// head is read, and no guessing again.
				time.Sleep(time.Minute)
				n.mustRun(t)
				if lists := n.Count(isList); lists != 7 {
					t.Errorf("%d list requests over an unchanged source, want 7", lists)
				}
				if filtered := n.Count(isFiltered); (filtered == 3) != test.honoured {
					t.Errorf("%d requests with a filter; honoured: %v", filtered, test.honoured)
				}

				// D24: the next whole pass finds what no date tells of.
				time.Sleep(25 * time.Hour)
				n.mustRun(t)
				n.checkComplete(t)
			})
		})
	}
}

// atTheirTime brings the clock to when the newest records have just appeared.
func atTheirTime() { time.Sleep(time.Until(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))) }

// newestOnly answers every filter with the records of the last day.
func newestOnly(string) (func(upstream.Record) bool, int) {
	return func(r upstream.Record) bool { return time.Since(r.Modified) < 24*time.Hour }, http.StatusOK
}

// D23: two records changed in the same second, on the edge of what is asked for.
func TestD23SameSecondOnTheEdge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, upstream.Options{Items: 60, Filter: honours("Datetime'", "'")})
		n.mustRun(t)
		at := time.Now().UTC().Truncate(time.Second)
		for i := range 3 {
			n.Add(upstream.Record{Group: "articles", ID: fmt.Sprint(59000001 + i), Title: "Aynı an", Path: "/spor/", Text: "<p>Aynı an</p>", Created: at, Modified: at})
			n.mustRun(t)
		}
		n.checkComplete(t)
	})
}
