package fetch_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// The pages of a filter's answer are shorter than those of the list were. All changes
// arrive, and nothing is requested twice if nothing has changed.
func TestShorterPagesOfChanges(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	irregular := func(c fakepaper.Call, top, n int) []int { return span(c.Skip, c.Skip+top-c.Skip*3%top/2, n) }
	oldestFirst := func(c fakepaper.Call, top, n int) []int {
		places := span(n-c.Skip-top, n-c.Skip, n)
		slices.Reverse(places)
		return places
	}
	tests := []struct {
		name       string
		was, cap   int // most records in an answer
		edits, new int // deep in the list, and at its top
		options    fakepaper.Options
		requests   int // with a filter, at most
		later      int // the same when nothing has changed
	}{
		{name: "as they were", was: 50, cap: 50, edits: 1, new: 5, requests: 2, later: 1},
		{name: "pages of 20", was: 50, cap: 20, new: 35, requests: 4, later: 2},
		{name: "pages of 2", was: 50, cap: 2, new: 9, requests: 15, later: 9},
		{name: "pages of one", was: 50, cap: 1, new: 4, requests: 11, later: 5},
		{name: "edits behind a page of what is known", was: 50, cap: 2, edits: 6, requests: 9, later: 8},
		{name: "edits behind others", was: 50, cap: 8, edits: 30, requests: 7, later: 5},
		{name: "some shorter than others", was: 50, cap: 20, edits: 10, new: 35, options: fakepaper.Options{Window: irregular}, requests: 9, later: 5},
		{name: "the oldest first", was: 50, cap: 20, edits: 10, new: 35, options: fakepaper.Options{Window: oldestFirst}, requests: 4, later: 3},
		{name: "the oldest first, and full", was: 3, cap: 3, new: 5, options: fakepaper.Options{Window: oldestFirst}, requests: 8, later: 4},
		{name: "ignored $skip", was: 50, cap: 50, new: 5, options: fakepaper.Options{IgnoreSkip: true}, requests: 3, later: 1},
		{name: "endless last page", was: 50, cap: 20, new: 35, options: fakepaper.Options{EndlessPage: true}, requests: 4, later: 2},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			atTheirTime()
			n := open(t, fakepaper.Options{Items: 150, TopCap: test.was, Filter: honours("Datetime'", "'")})
			n.onlyLists(t)
			n.options.PageSize = test.was
			n.mustRun(t)
			n.mustRun(t) // finds out
			n.TopCap, n.Window, n.IgnoreSkip, n.EndlessPage = test.cap, test.options.Window, test.options.IgnoreSkip, test.options.EndlessPage
			now := time.Now().UTC()
			for _, r := range n.articles()[30 : 30+test.edits] {
				n.Amend("articles", r.ID, func(r *fakepaper.Record) { r.Title, r.Modified = "Düzeltildi", now })
			}
			for i := range test.new {
				n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(59000001 + i), Title: "Yeni", Path: "/spor/", Created: now, Modified: now})
			}
			for i, most := range []int{test.requests, test.requests, test.later} {
				n.mustRun(t)
				if lost, requests := n.lost(t), n.Count(isFiltered); lost > 0 || requests > most || n.Count(isUnfilteredArticles) > 0 {
					t.Errorf("run %d: %d changes are missing after %d requests with a filter, want %d at most; %d without",
						i, lost, requests, most, n.Count(isUnfilteredArticles))
				}
				time.Sleep(3 * time.Hour)
			}
		})
	}
}

// A page of new records moves the changes of half a day down while these are read: a
// page that only repeats is not the end of the answer.
func TestPageOfNewAmongChanges(t *testing.T) {
	withClock(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, fakepaper.Options{Items: 60, TopCap: 5, Filter: honours("Datetime'", "'")})
		n.onlyLists(t)
		n.mustRun(t)
		n.mustRun(t) // finds out
		time.Sleep(12 * time.Hour)
		now := time.Now().UTC()
		for i, r := range n.articles()[:12] {
			n.Amend("articles", r.ID, func(r *fakepaper.Record) { r.Title, r.Modified = "Düzeltildi", now.Add(-time.Duration(i)*time.Hour) })
		}
		added := false
		n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			for i := 0; i < n.TopCap-1 && !added; i++ { // the next page repeats the first one
				n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(59000001 + i), Title: "Yeni", Path: "/spor/", Created: now, Modified: now})
			}
			added = true
			return nil
		}
		for range 2 {
			n.mustRun(t)
			if n.Count(isUnfilteredArticles) > 0 {
				t.Errorf("%d requests without a filter", n.Count(isUnfilteredArticles))
			}
		}
		if lost := n.lost(t); lost > 0 {
			t.Errorf("%d changes are missing", lost)
		}
	})
}

// The budget ends before all changes have arrived. The next run requests them again, and
// needs no pass over the list.
func TestBudgetEndsAmongChanges(t *testing.T) {
	withClock(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, fakepaper.Options{Items: 60, Filter: honours("Datetime'", "'")})
		n.onlyLists(t)
		n.mustRun(t)
		n.mustRun(t) // finds out
		for i := range 5 {
			now := time.Now().UTC()
			n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(59000001 + i), Title: "Yeni", Path: "/spor/", Created: now, Modified: now})
		}
		n.options.Budget = 1
		if _, err := n.run(t); !errors.Is(err, fetch.ErrBudget) {
			t.Fatalf("error %v, want ErrBudget", err)
		}
		n.options.Budget = 0
		n.mustRun(t)
		if lost, unfiltered := n.lost(t), n.Count(isUnfilteredArticles); lost > 0 || unfiltered > 0 {
			t.Errorf("%d changes are missing, %d requests without a filter", lost, unfiltered)
		}
	})
}

// Each changed order of a page's news is kept, with the time it was seen.
func TestFrontPageHistory(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 40})
		time.Sleep(time.Until(afterAll))
		n.mustRun(t)
		page := n.Records()[40]
		if page.Group != "pages" {
			t.Fatal(page.Group)
		}
		var orders []string
		var seen []time.Time
		for i := range 10 {
			orders = append(orders, n.SingleJSON(page))
			time.Sleep(7 * time.Hour)
			if i%3 == 2 { // nothing changes now and then
				n.mustRun(t)
				time.Sleep(7 * time.Hour)
			}
			n.Edit(page.Group, page.ID, func(r *fakepaper.Record) {
				r.News = append(slices.Clone(r.News[1:]), r.News[0])
				page = *r
			})
			n.mustRun(t)
			seen = append(seen, time.Now())
		}
		n.checkComplete(t)
		stored, err := n.archive.Records.Get(t.Context(), record.Page, page.ID)
		if err != nil {
			t.Fatal(err)
		}
		revisions, err := revisionsOf(t, n.archive, stored.Row)
		if err != nil || len(revisions) != len(orders) {
			t.Fatalf("%d revisions, %v; want %d", len(revisions), err, len(orders))
		}
		for i, r := range revisions {
			if r.Part != "single" || string(r.JSON) != orders[i] || !r.ReplacedAt.Equal(seen[i].Truncate(time.Millisecond)) {
				t.Errorf("revision %d: %s, seen %s, want %s and %s", i, r.JSON, r.ReplacedAt, orders[i], seen[i])
			}
		}
	})
}
