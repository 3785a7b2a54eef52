package fetch_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	gosync "sync"
	"testing"
	"testing/synctest"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// drift is a list that moves while it is read.
type drift struct {
	gosync.Mutex
	*rand.Rand
	n       *mirror
	still   bool
	moves   int
	next    int
	removed map[string]bool
}

// move does some of what editors do. It is called after each page.
func (d *drift) move() {
	d.Lock()
	defer d.Unlock()
	if d.still || d.IntN(10) < 3 {
		return
	}
	for range 1 + d.IntN(3) {
		d.moves++
		present := d.n.articles()
		switch d.IntN(4) {
		case 0:
			for range 1 + d.IntN(6) {
				d.next++
				d.n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(50_000_000 + d.next), Title: "Yeni", Path: "/spor/", Created: time.Now(), Modified: time.Now()})
			}
		case 1, 2:
			for range 1 + d.IntN(6) {
				if len(present) < 5 {
					break
				}
				i := d.IntN(len(present))
				d.n.Remove("articles", present[i].ID)
				d.removed[present[i].ID] = true
				present = slices.Delete(present, i, i+1)
			}
		case 3:
			if len(present) > 0 {
				d.n.Edit("articles", present[d.IntN(len(present))].ID, func(r *fakepaper.Record) {
					r.Title, r.Modified = fmt.Sprint("Düzeltilmiş ", d.moves), time.Now()
				})
			}
		}
	}
}

// A list moves all the time: no record that was in it throughout may be missing
// afterwards, however often the pass was interrupted.
func TestPagingUnderMovement(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	var requests, moves, gone, late, runs, doubted int
	for seed := range seeds(2, 1000) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(seed), 3))
				n := open(t, fakepaper.Options{Items: 20 + random.IntN(seeds(100, 180)), Seed: uint64(seed), Latency: time.Second, TopCap: 3 + random.IntN(30), ShortPages: random.IntN(4) == 0})
				n.onlyLists(t)
				time.Sleep(time.Until(afterAll))
				n.options.PageSize = 3 + random.IntN(30)
				n.options.AllowDelete = 1000
				if seed%2 == 1 {
					n.options.Concurrency = 12 // looks ahead where there is no budget
				}
				d := &drift{Rand: random, n: n, removed: make(map[string]bool)}
				n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
					if c.List() && c.Operation == "articles" {
						d.move()
					}
					return nil
				}
				before := n.articles()
				budgeted := false
				for range 1 + random.IntN(6) {
					n.options.Budget = random.IntN(3) * (4 + random.IntN(20))
					report, err := n.run(t)
					if err != nil && !errors.Is(err, fetch.ErrBudget) {
						t.Fatalf("seed %d: %v", seed, err)
					}
					if isUnstable(report) {
						doubted++
					}
					requests += n.Count(isArticles)
					runs++
					budgeted = err != nil
					time.Sleep(time.Duration(random.IntN(2000)) * time.Minute)
				}
				if !budgeted {
					for _, r := range before {
						if _, err := n.archive.Records.Get(t.Context(), record.Article, r.ID); err != nil && !d.removed[r.ID] {
							late++
						}
					}
				}
				d.still, n.options.Budget = true, 0
				n.mustRun(t)
				if lost := n.lost(t); lost > 0 {
					t.Errorf("seed %d: %d records are missing or old after a quiet run", seed, lost)
				}
				time.Sleep(25 * time.Hour)
				if report := n.mustRun(t); isUnstable(report) || len(report.Failed) > 0 {
					t.Errorf("seed %d: a list in order is taken for an unstable one: %+v", seed, report.Failed)
				}
				if lost, current, want := n.lost(t), n.countCurrent(t), len(n.articles()); lost > 0 || current != want {
					t.Errorf("seed %d: %d records are missing, %d are held, %d are there", seed, lost, current, want)
				}
				requests += n.Count(isArticles)
				moves += d.moves
				gone += len(d.removed)
			})
		})
	}
	t.Logf("%d runs, %d movements, %d records removed: %d requests for lists; %d records came only with the quiet run; %d runs took the list for unstable",
		runs, moves, gone, requests, late, doubted)
}

// A run continues where the budget ended the previous one, and reads no page twice.
func TestLongListOverManyRuns(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, budget := range []int{4, 7, 20} {
		t.Run(fmt.Sprint(budget), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := open(t, fakepaper.Options{Items: seeds(260, 500), TopCap: 10})
				n.onlyLists(t)
				n.options.PageSize, n.options.Budget = 50, budget // a silent cap
				asked, runs := make(map[int]int), 0
				for ; n.lost(t) > 0; runs++ {
					if runs > 60 {
						t.Fatalf("%d records are missing after %d runs", n.lost(t), runs)
					}
					if _, err := n.run(t); err != nil && !errors.Is(err, fetch.ErrBudget) {
						t.Fatal(err)
					}
					for _, r := range n.Requests() {
						if isArticles(r) {
							asked[r.Skip]++
						}
					}
					time.Sleep(time.Minute)
				}
				twice := 0
				for skip, times := range asked {
					if skip > 0 && times > 1 {
						twice++
					}
				}
				articles := len(n.articles())
				t.Logf("%d records, 10 a page, %d requests a run: %d runs, %d places asked for, %d of them twice, the head %d times",
					articles, budget, runs, len(asked), twice, asked[0])
				if twice > 0 || len(asked) > articles/9+runs+2 {
					t.Errorf("%d places were asked for, %d of them twice", len(asked), twice)
				}
			})
		})
	}
}

// The budget ends before all new records are read. The next runs continue below, also if
// some of the records read have been removed meanwhile.
func TestHeadCutShort(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for removed := 0; removed < 12; removed += seeds(5, 1) {
		inVirtualTime(t, fmt.Sprint(removed, " removed"), func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 60, TopCap: 10})
			n.onlyLists(t)
			if removed%2 == 0 { // else a filter by date would show all there is
				time.Sleep(time.Until(afterAll))
			}
			n.mustRun(t)
			for i := range 80 {
				n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(50_000_000 + i), Title: "Yeni", Path: "/spor/"})
			}
			n.options.Budget = 4
			runs := 0
			for ; n.lost(t) > 0; runs++ {
				if runs > 20 {
					t.Fatalf("%d records are missing after %d runs", n.lost(t), runs)
				}
				if _, err := n.run(t); err != nil && !errors.Is(err, fetch.ErrBudget) {
					t.Fatal(err)
				}
				if runs == 0 {
					for i := range removed { // the newest, which have been read
						n.Remove("articles", fmt.Sprint(50_000_079-i))
					}
				}
			}
			if runs < 3 {
				t.Error("the head was not cut short")
			}
		})
	}
}

// Lists that break the rules of paging. Those marked as whole show every record somewhere;
// with the others no known record may be lost.
func TestHostileLists(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	pastEnd := func(status int) func(n *mirror) {
		return func(n *mirror) {
			length := len(n.articles())
			n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
				if c.Operation == "articles" && c.List() && c.Skip >= length {
					return fakepaper.Status(status)
				}
				return nil
			}
		}
	}
	window := func(w func(c fakepaper.Call, top, n int) []int) func(*mirror) {
		return func(n *mirror) {
			n.Window = func(c fakepaper.Call, top, length int) []int {
				if c.Operation != "articles" {
					return span(c.Skip, c.Skip+top, length)
				}
				return w(c, top, length)
			}
		}
	}
	tests := []struct {
		name    string
		whole   bool
		hostile func(*mirror)
	}{
		{"silent cap", true, func(n *mirror) { n.TopCap = 7 }},
		{"every page short", true, func(n *mirror) { n.ShortPages = true }},
		{"short pages in the middle", true, window(func(c fakepaper.Call, top, n int) []int { return span(c.Skip, c.Skip+1+(c.Skip*7)%top, n) })},
		{"ignored $skip", false, func(n *mirror) { n.IgnoreSkip = true }},
		{"endless last page", true, func(n *mirror) { n.EndlessPage = true }},
		{"the list begins again", true, window(func(c fakepaper.Call, top, n int) (places []int) {
			for i := range top {
				places = append(places, (c.Skip+i)%n)
			}
			return places
		})},
		{"records repeat", true, window(func(c fakepaper.Call, top, n int) (places []int) {
			for _, place := range span(c.Skip, c.Skip+top/2, n) {
				places = append(places, place, place)
			}
			return places
		})},
		{"400 past the end", true, pastEnd(http.StatusBadRequest)},
		{"404 past the end", true, pastEnd(http.StatusNotFound)},
		{"500 past the end", true, pastEnd(http.StatusInternalServerError)},
		{"no order at all", false, window(func(c fakepaper.Call, top, n int) []int {
			places := rand.New(rand.NewPCG(uint64(c.Skip), uint64(c.Attempt))).Perm(n)
			return places[min(c.Skip, n):min(c.Skip+top, n)]
		})},
		{"half of the list", false, window(func(c fakepaper.Call, top, n int) []int { return span(c.Skip, c.Skip+top, n/2) })},
		{"suddenly empty", false, window(func(fakepaper.Call, int, int) []int { return nil })},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			make := func() *mirror {
				n := open(t, fakepaper.Options{Items: seeds(50, 120)})
				n.onlyLists(t)
				return n
			}
			fresh := make()
			test.hostile(fresh)
			first, err := fresh.run(t)
			firstLost := fresh.lost(t)
			if test.whole && (err != nil || firstLost > 0 || len(first.Failed) > 0) {
				t.Errorf("a first run: %d records are missing, %v, failed %+v", firstLost, err, first.Failed)
			}
			requests := fresh.Count(isArticles)

			known := make()
			known.mustRun(t)
			test.hostile(known)
			for range 3 { // with passes over all of it
				time.Sleep(25 * time.Hour)
				if report, err := known.run(t); err != nil && !errors.Is(err, fetch.ErrShape) || report.Kinds[record.Article].Gone > 0 {
					t.Errorf("a later run: %v, %+v", err, report.Kinds[record.Article])
				}
			}
			if lost := known.lost(t); lost > 0 {
				t.Errorf("%d known records are lost", lost)
			}
			t.Logf("%d requests for %d records, 10 a page, in a first run, %d missing then; %d requests in a later one, none lost",
				requests, len(known.articles()), firstLost, known.Count(isArticles))
			if requests > 60 {
				t.Errorf("%d requests", requests)
			}
		})
	}
}
