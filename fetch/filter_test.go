package fetch_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

func always(match bool) func(string) (func(fakepaper.Record) bool, int) {
	return func(string) (func(fakepaper.Record) bool, int) {
		return func(fakepaper.Record) bool { return match }, http.StatusOK
	}
}

// New records at the top of a list arrive whatever the source does with a date filter.
// Edits further down arrive if it supports the filter.
func TestDateFilters(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for name, test := range map[string]struct {
		filter   func(string) (func(fakepaper.Record) bool, int)
		honoured bool
	}{
		"Datetime":                   {honours("Datetime'", "'"), true},
		"in another form":            {honours("'", "'"), false},
		"ignored":                    {always(true), false},
		"finds nothing":              {always(false), false},
		"refused":                    {func(string) (func(fakepaper.Record) bool, int) { return nil, http.StatusBadRequest }, false},
		"finds the newest day alone": {newestOnly, false},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			atTheirTime()
			n := open(t, fakepaper.Options{Items: 50, Filter: test.filter})
			n.mustRun(t)
			time.Sleep(time.Hour)
			n.mustRun(t) // finds out

			now := time.Now().UTC().Truncate(time.Second)
			n.Add(fakepaper.Record{Group: "articles", ID: "59000001", Title: "Yeni", Path: "/spor/", Text: "<p>Yeni</p>", Created: now, Modified: now})
			deep := n.Records()[25] // the first thirty are articles, newest first
			if deep.Group != "articles" {
				t.Fatalf("the record to edit is one of %s", deep.Group)
			}
			n.Amend(deep.Group, deep.ID, func(r *fakepaper.Record) { r.Title, r.Modified = "Derinde düzeltildi", now })
			n.mustRun(t)
			if _, err := n.archive.Records.Get(t.Context(), record.Article, "59000001"); err != nil {
				t.Errorf("what is new has not arrived: %v", err)
			}
			got, err := n.archive.Records.Get(t.Context(), deep.Kind(), deep.ID)
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

			// The next pass over the whole list finds a change without a new date.
			time.Sleep(25 * time.Hour)
			n.mustRun(t)
			n.checkComplete(t)
		})
	}
}

// newestOnly answers every filter with the records of the last day.
func newestOnly(string) (func(fakepaper.Record) bool, int) {
	return func(r fakepaper.Record) bool { return time.Since(r.Modified) < 24*time.Hour }, http.StatusOK
}

// Two records changed in the same second, on the edge of what is asked for.
func TestSameSecondOnTheEdge(t *testing.T) {
	withClock(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, fakepaper.Options{Items: 20, Filter: honours("Datetime'", "'")})
		n.mustRun(t)
		at := time.Now().UTC().Truncate(time.Second)
		for i := range 3 {
			n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(59000001 + i), Title: "Aynı an", Path: "/spor/", Text: "<p>Aynı an</p>", Created: at, Modified: at})
			n.mustRun(t)
		}
		n.checkComplete(t)
	})
}

// The changes fill several pages, and move while these are read: the next run has
// them all, without a pass over the list.
func TestChangesUnderMovement(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	pages, moves := 0, 0
	for seed := range seeds(2, 500) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(seed), 5))
				n := open(t, fakepaper.Options{Items: seeds(80, 150), Seed: uint64(seed), Latency: time.Second, TopCap: 4 + random.IntN(12), Filter: honours("Datetime'", "'")})
				n.onlyLists(t)
				n.options.AllowDelete = 1000
				time.Sleep(time.Until(afterAll))
				n.mustRun(t)
				n.mustRun(t) // finds out
				d := &drift{Rand: random, n: n, still: true, removed: make(map[string]bool)}
				n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
					if c.List() && c.Operation == "articles" {
						d.move()
					}
					return nil
				}
				for range 3 {
					time.Sleep(3 * time.Hour)
					for _, r := range n.articles() {
						if random.IntN(2) == 0 {
							n.Amend("articles", r.ID, func(r *fakepaper.Record) {
								r.Title, r.Modified = r.Title+" ve yine", time.Now().UTC().Truncate(time.Second)
							})
						}
					}
					d.still = false
					n.mustRun(t)
					pages += n.Count(isArticles)
					d.still = true
					n.mustRun(t)
					if lost := n.lost(t); lost > 0 {
						t.Errorf("seed %d: %d changes are missing", seed, lost)
					}
					if n := n.Count(isUnfilteredArticles); n > 0 {
						t.Errorf("seed %d: %d requests without a filter", seed, n)
					}
				}
				moves += d.moves
			})
		})
	}
	t.Logf("%d requests for changes, %d movements meanwhile", pages, moves)
}

// If there are too many changes for a filter, the whole list is read once, and then the
// filter is used again.
func TestMoreChangesThanAFilterIsWorth(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, budget := range []int{20, 0, 60}[:seeds(1, 3)] {
		inVirtualTime(t, fmt.Sprint("budget ", budget), func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 400, TopCap: 5, Filter: honours("Datetime'", "'")})
			n.onlyLists(t)
			time.Sleep(time.Until(afterAll))
			n.mustRun(t)
			n.mustRun(t)
			for i, r := range n.articles() {
				n.Amend("articles", r.ID, func(r *fakepaper.Record) {
					r.Title, r.Modified = "Hepsi değişti", time.Now().UTC().Truncate(time.Second).Add(-time.Duration(i)*time.Second)
				})
			}
			n.options.Budget = budget
			runs, requests := 0, 0
			for ; n.lost(t) > 0 && runs < 40; runs++ {
				time.Sleep(10 * time.Minute)
				if _, err := n.run(t); err != nil && !errors.Is(err, fetch.ErrBudget) {
					t.Fatal(err)
				}
				requests += n.Count(isArticles)
			}
			t.Logf("%d articles changed, 5 a page: %d requests in %d runs", len(n.articles()), requests, runs)
			if runs == 40 || requests > 40+49+60+5*runs {
				t.Errorf("%d changes are missing after %d runs and %d requests", n.lost(t), runs, requests)
			}
			n.options.Budget = 0
			time.Sleep(10 * time.Minute)
			n.mustRun(t)
			deep := n.articles()[150]
			n.Amend("articles", deep.ID, func(r *fakepaper.Record) { r.Title, r.Modified = "Yine", time.Now().UTC() })
			time.Sleep(3 * time.Hour)
			n.mustRun(t)
			if n.lost(t) > 0 || n.Count(isUnfilteredArticles) > 0 {
				t.Errorf("later: %d are missing, %d requests without a filter", n.lost(t), n.Count(isUnfilteredArticles))
			}
		})
	}
}

// A filter that worked and then is refused or ignored is not used any more.
func TestFilterStopsWorking(t *testing.T) {
	t.Parallel()
	for name, filter := range map[string]func(string) (func(fakepaper.Record) bool, int){
		"refused": func(string) (func(fakepaper.Record) bool, int) { return nil, http.StatusInternalServerError },
		"ignored": nil,
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			atTheirTime()
			n := open(t, fakepaper.Options{Items: 50, Filter: honours("Datetime'", "'")})
			n.onlyLists(t)
			n.mustRun(t)
			for _, want := range []string{"Datetime'…'", "none"} {
				time.Sleep(time.Hour)
				now := time.Now().UTC()
				n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(59000000 + now.Hour()), Title: "Yeni", Path: "/spor/", Created: now, Modified: now})
				if got := n.mustRun(t).Lists["articles"].DateFilter; got != want || n.lost(t) > 0 {
					t.Errorf("filter %q, want %q; %d records are missing", got, want, n.lost(t))
				}
				n.Service.Filter = filter
			}
		})
	}
}

// Few changes that are very large are not collected either: what is held before it is
// stored is bounded in bytes.
func TestLargerChangesThanAFilterIsWorth(t *testing.T) {
	testrun.NeedsSlow(t, "stores 9 MiB twice")
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 30, TopCap: 2, Filter: honours("Datetime'", "'")})
		n.onlyLists(t)
		time.Sleep(time.Until(afterAll))
		n.mustRun(t)
		n.mustRun(t)
		large := strings.Repeat("a", 1<<19)
		for _, r := range n.articles() {
			n.Amend("articles", r.ID, func(r *fakepaper.Record) { r.Spot, r.Modified = large, time.Now() })
		}
		time.Sleep(10 * time.Minute)
		n.mustRun(t)
		if filtered, lost := n.Count(isFiltered), n.lost(t); filtered > 9 || lost > 0 {
			t.Errorf("%d requests with a filter for pages of 1 MiB, %d changes are missing", filtered, lost)
		}
	})
}

// Failures of a source do not count against a filter that works otherwise.
func TestTroubleIsNotTheFilters(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusBadGateway, http.StatusServiceUnavailable} {
		synctest.Test(t, func(t *testing.T) {
			atTheirTime()
			honoured, trouble := honours("Datetime'", "'"), false
			n := open(t, fakepaper.Options{Items: 60, Filter: func(expression string) (func(fakepaper.Record) bool, int) {
				if trouble {
					return nil, status
				}
				return honoured(expression)
			}})
			n.onlyLists(t)
			n.mustRun(t)
			for _, trouble = range []bool{false, true, false} {
				time.Sleep(time.Hour)
				n.mustRun(t)
			}
			if filtered, other := n.Count(isFiltered), n.Count(isUnfilteredArticles); filtered != 1 || other != 0 {
				t.Errorf("%d requests with the filter and %d without, after the trouble", filtered, other)
			}
		})
	}
}

// Records with dates in the future do not hide others: changes from before the first
// request with a filter arrive by it.
func TestFirstFilterAmongDatesToCome(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name           string
		ahead, changed time.Duration // of the first run
	}{
		{"for years", 3 * 365 * 24 * time.Hour, 3 * time.Hour},
		{"till the filter is tried", 90 * time.Minute, time.Hour},
	} {
		inVirtualTime(t, test.name, func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 60, Filter: honours("Datetime'", "'")})
			n.onlyLists(t)
			time.Sleep(time.Until(afterAll))
			start := time.Now().UTC()
			for _, r := range n.articles()[:3] {
				n.Amend("articles", r.ID, func(r *fakepaper.Record) { r.Modified = start.Add(test.ahead) })
			}
			n.mustRun(t)
			time.Sleep(test.changed)
			now := time.Now().UTC()
			n.Amend("articles", n.articles()[25].ID, func(r *fakepaper.Record) { r.Title, r.Modified = "Derinde düzeltildi", now })
			n.Add(fakepaper.Record{Group: "articles", ID: "59000001", Title: "Yeni", Path: "/spor/", Created: now, Modified: now})
			time.Sleep(3 * time.Hour)
			n.mustRun(t)
			if lost, unfiltered := n.lost(t), n.Count(isUnfilteredArticles); lost > 0 || unfiltered > 0 {
				t.Errorf("%d changes are missing, %d requests without a filter", lost, unfiltered)
			}
		})
	}
}

// A source that ignores the filter costs one request, however many records have changed
// since the whole list was read.
func TestIgnoredFilterIsToldAtOnce(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 100, TopCap: 5})
		n.onlyLists(t)
		time.Sleep(time.Until(time.Date(2026, 11, 1, 9, 30, 0, 0, time.UTC))) // some are just out
		n.mustRun(t)
		n.mustRun(t)
		if filtered := n.Count(isFiltered); filtered != 1 {
			t.Errorf("%d requests with a filter, want 1", filtered)
		}
	})
}

// A 429 proves nothing about a date filter.
func TestRefusalIsNoAnswer(t *testing.T) {
	withClock(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, fakepaper.Options{Items: 50, Filter: honours("Datetime'", "'")})
		n.mustRun(t)
		time.Sleep(time.Hour)
		n.mustRun(t) // finds out
		refused := 0
		n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if c.Operation == "articles" && c.List() && refused == 0 {
				refused++
				return tooMany("2")
			}
			return nil
		}
		time.Sleep(time.Hour)
		if report := n.mustRun(t); report.Lists["articles"].DateFilter != "Datetime'…'" || refused != 1 {
			t.Errorf("%+v after a filter that was refused once", report.Lists["articles"])
		}
	})
}
