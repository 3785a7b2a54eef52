package sync_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ayna/client/clienttest"
	"ayna/generator/sync"
	"ayna/testrun"
)

// The pages of a filter's answer are shorter than those of the list were. All changes
// arrive, and nothing is requested twice if nothing has changed.
func TestD11D12ShorterPagesOfChanges(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	irregular := func(c clienttest.Call, top, n int) []int { return span(c.Skip, c.Skip+top-c.Skip*3%top/2, n) }
	oldestFirst := func(c clienttest.Call, top, n int) []int {
		places := span(n-c.Skip-top, n-c.Skip, n)
		slices.Reverse(places)
		return places
	}
	tests := []struct {
		name       string
		was, cap   int // most records in an answer
		edits, new int // deep in the list, and at its top
		options    clienttest.Options
		requests   int // with a filter, at most
		later      int // the same when nothing has changed
	}{
		{"as they were", 50, 50, 1, 5, clienttest.Options{}, 2, 1},
		{"pages of 20", 50, 20, 0, 35, clienttest.Options{}, 4, 2},
		{"pages of 2", 50, 2, 0, 9, clienttest.Options{}, 15, 9},
		{"pages of one", 50, 1, 0, 4, clienttest.Options{}, 11, 5},
		{"edits behind a page of what is known", 50, 2, 6, 0, clienttest.Options{}, 9, 8},
		{"edits behind others", 50, 8, 30, 0, clienttest.Options{}, 7, 5},
		{"D12 some shorter than others", 50, 20, 10, 35, clienttest.Options{Window: irregular}, 9, 5},
		{"the oldest first", 50, 20, 10, 35, clienttest.Options{Window: oldestFirst}, 4, 3},
		{"the oldest first, and full", 3, 3, 0, 5, clienttest.Options{Window: oldestFirst}, 8, 4},
		{"D13 ignored $skip", 50, 50, 0, 5, clienttest.Options{IgnoreSkip: true}, 3, 1},
		{"D14 endless last page", 50, 20, 0, 35, clienttest.Options{EndlessPage: true}, 4, 2},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			atTheirTime()
			n := open(t, clienttest.Options{Items: 150, TopCap: test.was, Filter: honours("Datetime'", "'")})
			n.onlyLists(t)
			n.options.PageSize = test.was
			n.mustRun(t)
			n.mustRun(t) // finds out
			n.TopCap, n.Window, n.IgnoreSkip, n.EndlessPage = test.cap, test.options.Window, test.options.IgnoreSkip, test.options.EndlessPage
			now := time.Now().UTC()
			for _, r := range n.articles()[30 : 30+test.edits] {
				n.Amend("articles", r.ID, func(r *clienttest.Record) { r.Title, r.Modified = "Düzeltildi", now })
			}
			for i := range test.new {
				n.Add(clienttest.Record{Group: "articles", ID: fmt.Sprint(59000001 + i), Title: "Yeni", Path: "/spor/", Created: now, Modified: now})
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
func TestD09PageOfNewAmongChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, clienttest.Options{Items: 60, TopCap: 5, Filter: honours("Datetime'", "'")})
		n.onlyLists(t)
		n.mustRun(t)
		n.mustRun(t) // finds out
		time.Sleep(12 * time.Hour)
		now := time.Now().UTC()
		for i, r := range n.articles()[:12] {
			n.Amend("articles", r.ID, func(r *clienttest.Record) { r.Title, r.Modified = "Düzeltildi", now.Add(-time.Duration(i)*time.Hour) })
		}
		added := false
		n.Faults = func(c clienttest.Call) *clienttest.Fault {
			for i := 0; i < n.TopCap-1 && !added; i++ { // the next page repeats the first one
				n.Add(clienttest.Record{Group: "articles", ID: fmt.Sprint(59000001 + i), Title: "Yeni", Path: "/spor/", Created: now, Modified: now})
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
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, clienttest.Options{Items: 60, Filter: honours("Datetime'", "'")})
		n.onlyLists(t)
		n.mustRun(t)
		n.mustRun(t) // finds out
		for i := range 5 {
			now := time.Now().UTC()
			n.Add(clienttest.Record{Group: "articles", ID: fmt.Sprint(59000001 + i), Title: "Yeni", Path: "/spor/", Created: now, Modified: now})
		}
		n.options.Budget = 1
		if _, err := n.run(t); !errors.Is(err, sync.ErrBudget) {
			t.Fatalf("error %v, want ErrBudget", err)
		}
		n.options.Budget = 0
		n.mustRun(t)
		if lost, unfiltered := n.lost(t), n.Count(isUnfilteredArticles); lost > 0 || unfiltered > 0 {
			t.Errorf("%d changes are missing, %d requests without a filter", lost, unfiltered)
		}
	})
}
