package fetch_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	gosync "sync"
	"testing"
	"testing/synctest"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// endless makes the list of articles go on for ever below the real ones, or above
// them. It returns what ends that, and how many made-up records are in the archive.
func (n *mirror) endless(t *testing.T, above, everNew, nameless bool) (end func(), stored func() int) {
	var mu gosync.Mutex
	real := n.articles()
	made, ended, served := 0, false, make(map[string]bool)
	n.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
		mu.Lock()
		defer mu.Unlock()
		if ended || c.Operation != "articles" || !c.List() {
			return nil
		}
		var elements []string
		for place := c.Skip; place < c.Skip+n.options.PageSize; place++ {
			if !above && place < len(real) {
				elements = append(elements, n.ListJSON(real[place]))
				continue
			}
			if made++; !everNew {
				made = place
			}
			id := fmt.Sprint("uydurma-", made)
			if nameless {
				elements = append(elements, fmt.Sprintf(`{"Title":%q}`, id))
				continue
			}
			served[id] = true
			elements = append(elements, fmt.Sprintf(`{"Id":%q,"Title":"Uydurma","Path":"/spor/","CreatedDate":"2026-11-02T08:00:00Z"}`, id))
		}
		return fakepaper.Body("[" + strings.Join(elements, ",") + "]")
	})
	return func() { mu.Lock(); defer mu.Unlock(); ended = true }, func() (sum int) {
		mu.Lock()
		defer mu.Unlock()
		for id := range served {
			if _, err := n.archive.Records.Get(t.Context(), record.Article, id); err == nil {
				sum++
			}
		}
		return sum
	}
}

// isEndless reports whether a run reports that the list of articles does not end, and
// nothing else.
func isEndless(report *fetch.Report) bool {
	return len(report.Failed) == 1 && report.Failed[0].Operation == "articles" && strings.Contains(report.Failed[0].Reason, "does not end")
}

// A list that does not end is given up. Its new records are provisional and not fetched, and
// later runs add none. Once the list ends, all its records arrive.
func TestEndlessList(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, test := range []struct {
		name                            string
		known, above, everNew, nameless bool
		limit, budget, requests         int
	}{
		{name: "a new archive", limit: 150, requests: 70},
		{name: "a new archive, ever new records", everNew: true, limit: 150, requests: 400},
		{name: "a new archive, a quota", limit: 150, budget: 25, requests: 70},
		{name: "a known list", known: true, limit: 150, requests: 70},
		{name: "a known list by default", known: true, above: true, requests: 260},
		{name: "elements without ids", known: true, everNew: true, nameless: true, limit: 150, requests: 400},
		{name: "an endless head", known: true, above: true, limit: 150, requests: 70},
		{name: "an endless head, ever new records", known: true, above: true, everNew: true, limit: 150, requests: 400},
		{name: "an endless head, a quota", known: true, above: true, limit: 150, budget: 25, requests: 70},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.limit == 0 {
				testrun.NeedsLong(t, "stores 10,000 records")
			}
			synctest.Test(t, func(t *testing.T) {
				n := open(t, fakepaper.Options{Items: 60})
				n.onlyLists(t)
				n.options.Wants = nil
				if test.limit == 0 {
					n.options.PageSize = 50
				}
				time.Sleep(time.Until(afterAll))
				all := len(n.articles())
				if test.known {
					n.mustRun(t)
					time.Sleep(25 * time.Hour)
				}
				n.options.MaxRecords, n.options.Budget = test.limit, test.budget
				end, stored := n.endless(t, test.above, test.everNew, test.nameless)
				requests := 0
				for i := 0; ; i++ {
					report, err := n.run(t)
					requests += n.Count(isArticles)
					if err != nil && !errors.Is(err, fetch.ErrBudget) && !errors.Is(err, fetch.ErrEmpty) {
						t.Fatal(err)
					}
					if isEndless(report) {
						break
					}
					if i > 20 || err == nil {
						t.Fatalf("%d requests for the list, failed: %+v", requests, report.Failed)
					}
					time.Sleep(time.Hour)
				}
				kept := stored()
				t.Logf("given up after %d requests and %d made-up records", requests, kept)
				if requests > test.requests {
					t.Errorf("%d requests", requests)
				}
				for range 4 {
					time.Sleep(13 * time.Hour)
					if report, err := n.run(t); !isEndless(report) || report.Kinds[record.Article].Gone+report.Withheld() > 0 {
						t.Errorf("a later run: %v, %+v, failed: %+v", err, report.Kinds[record.Article], report.Failed)
					}
					if singles := n.Count(func(r fakepaper.Request) bool { return strings.HasPrefix(r.ID, "uydurma") }); singles > 0 && test.budget == 0 {
						t.Errorf("%d made-up records were asked for", singles)
					}
				}
				if now := stored(); now > kept {
					t.Errorf("%d made-up records are kept, and were %d", now, kept)
				}
				shown := n.countCurrent(t)
				if want := all; shown > want || test.known && shown != want {
					t.Errorf("%d articles are shown, want %d", shown, want)
				}
				end()
				n.options.Budget = 0
				time.Sleep(25 * time.Hour)
				for range 2 {
					report := n.mustRun(t)
					if lost, shown := n.lost(t), n.countCurrent(t); lost > 0 || shown != all || len(report.Failed)+report.Withheld() > 0 {
						t.Errorf("%d records are lost, %d shown of %d, %d withheld, failed: %+v", lost, shown, all, report.Withheld(), report.Failed)
					}
					time.Sleep(25 * time.Hour)
				}
			})
		})
	}
}

// A list may double in a day, and one whose limit the owner raises is read again.
func TestLegitimateGrowth(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 60})
		n.onlyLists(t)
		time.Sleep(time.Until(afterAll))
		n.mustRun(t)
		grow := func(by int) {
			for range by {
				n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(50_000_000 + len(n.articles())), Title: "Yeni", Path: "/spor/", Created: time.Now(), Modified: time.Now()})
			}
		}
		grow(len(n.articles()))
		time.Sleep(13 * time.Hour)
		if report := n.mustRun(t); len(report.Failed) > 0 || n.lost(t) > 0 {
			t.Errorf("twice as long: %d records are missing, failed: %+v", n.lost(t), report.Failed)
		}
		n.options.MaxRecords = 100
		grow(100)
		if report := n.mustRun(t); !isEndless(report) || n.countCurrent(t) > 72 {
			t.Errorf("beyond the limit: %d records, failed: %+v", n.countCurrent(t), report.Failed)
		}
		n.options.MaxRecords = 1000
		if report := n.mustRun(t); len(report.Failed) > 0 || n.lost(t) > 0 {
			t.Errorf("with a higher limit: %d records are missing, failed: %+v", n.lost(t), report.Failed)
		}
	})
}

// orders are sources whose order changes between requests.
var orders = map[string]func(random *rand.Rand) func(skip, n int) []int{
	"no order": func(random *rand.Rand) func(int, int) []int {
		return func(_, n int) []int { return random.Perm(n) }
	},
	"three replicas": func(random *rand.Rand) func(int, int) []int {
		var replicas [3][]int
		return func(_, n int) []int {
			i := random.IntN(len(replicas))
			if len(replicas[i]) != n {
				replicas[i] = random.Perm(n)
			}
			return replicas[i]
		}
	},
}

// shuffle makes the list of articles change its order, and returns what makes it
// stable again.
func (n *mirror) shuffle(order func(skip, n int) []int) (restoreOrder func()) {
	stable := false
	n.Window = func(c fakepaper.Call, top, length int) []int {
		if c.Operation != "articles" || stable {
			return span(c.Skip, c.Skip+top, length)
		}
		return order(c.Skip, length)[min(c.Skip, length):min(c.Skip+top, length)]
	}
	return func() { stable = true }
}

// Nothing is missing after the first run, whatever the order. Only a removed record is
// marked as gone. After a stable order the list counts as stable again.
func TestUnstableOrder(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for name, order := range orders {
		for seed := range seeds(1, 60) {
			inVirtualTime(t, fmt.Sprint(name, " seed ", seed), func(t *testing.T) {
				n := open(t, fakepaper.Options{Items: seeds(120, 333), TopCap: 7, Seed: uint64(seed)})
				n.onlyLists(t)
				restoreOrder := n.shuffle(order(rand.New(rand.NewPCG(uint64(seed), 9))))
				report := n.mustRun(t)
				all, requests := len(n.articles()), n.Count(isArticles)
				if lost := n.lost(t); lost > 0 || len(report.Failed) > 0 {
					t.Errorf("%d of %d records are missing, failed: %+v", lost, all, report.Failed)
				}
				if list := report.Lists["articles"]; !list.Unstable || list.Agreed != 3 {
					t.Errorf("report: %+v", list)
				}
				t.Logf("%d records, 7 a page: %d requests", all, requests)
				if requests > 900 {
					t.Errorf("%d requests", requests)
				}
				if seed > seeds(0, 9) {
					return
				}
				n.Remove("articles", n.articles()[20].ID)
				for range 4 {
					time.Sleep(25 * time.Hour)
					n.mustRun(t)
				}
				if lost, current := n.lost(t), n.countCurrent(t); lost > 0 || current != all-1 {
					t.Errorf("%d records are lost, %d are held, %d are there", lost, current, all-1)
				}
				restoreOrder()
				time.Sleep(25 * time.Hour)
				if report := n.mustRun(t); isUnstable(report) || len(report.Failed) > 0 {
					t.Errorf("a stable order is still doubted: %+v", report.Failed)
				}
				time.Sleep(25 * time.Hour)
				n.mustRun(t)
				if requests := n.Count(isArticles); requests > 45 {
					t.Errorf("%d requests for the list in its order", requests)
				}
			})
		}
	}
}

// The limits let each run read only a part of the list. Runs report that it is incomplete
// (exit code 3 or 6) until enough passes agree, and then nothing is missing.
func TestUnstableOrderOverManyRuns(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, budget := range []int{15, 60}[:seeds(1, 2)] {
		for seed := range seeds(1, 15) {
			inVirtualTime(t, fmt.Sprint(budget, " requests, seed ", seed), func(t *testing.T) {
				n := open(t, fakepaper.Options{Items: seeds(120, 333), TopCap: 7, Seed: uint64(seed)})
				n.onlyLists(t)
				n.options.Budget = budget
				restoreOrder := n.shuffle(orders["no order"](rand.New(rand.NewPCG(uint64(seed), 9))))
				runs, most := 0, 6000/budget
				for ; runs < most; runs++ {
					report, err := n.run(t)
					if err != nil && !errors.Is(err, fetch.ErrBudget) {
						t.Fatal(err)
					}
					if err == nil && len(report.Failed) == 0 {
						break
					}
					if gone := report.Kinds[record.Article].Gone + report.Withheld(); gone > 0 {
						t.Fatalf("%d records are reported as gone", gone)
					}
					time.Sleep(time.Hour)
				}
				t.Logf("settled after %d runs", runs)
				if lost := n.lost(t); lost > 0 || runs == most {
					t.Errorf("%d records are missing after %d runs", lost, runs)
				}
				restoreOrder()
				for i := 0; ; i++ {
					time.Sleep(25 * time.Hour)
					report, err := n.run(t)
					if err != nil && !errors.Is(err, fetch.ErrBudget) || len(report.Failed) > 0 {
						t.Fatalf("%v, failed: %+v", err, report.Failed)
					}
					if !isUnstable(report) {
						break
					}
					if i > 60 {
						t.Fatal("a stable order is still doubted")
					}
				}
			})
		}
	}
}
