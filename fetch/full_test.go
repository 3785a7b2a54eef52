package fetch_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// fetches counts how often each single record is asked for.
type fetches map[string]int

func (f fetches) add(n *mirror) {
	for _, r := range n.Requests() {
		if isSingle(r) && r.Operation != "search" && r.Operation != "date" {
			f[r.Operation+" "+r.ID]++
		}
	}
}

// check compares them with all records of the service.
func (f fetches) check(t *testing.T, n *mirror, want int) {
	t.Helper()
	wrong := 0
	for _, r := range n.Records() {
		if f[r.Group+" "+r.ID] != want {
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d records were not asked for %d times", wrong, len(n.Records()), want)
	}
}

// A full run begins at the top of all lists, also if another pass is half-way, and if
// records were due before.
func TestFullBeginsAtTheTop(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for name, budget := range map[string]int{"a pass is open": 0, "and half the records are there": 130} {
		inVirtualTime(t, name, func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 200})
			n.options.Concurrency = 1                           // so that each list has its turn
			for _, n.options.Budget = range []int{budget, 50} { // a fifth of which is for the pass
				if _, err := n.run(t); err != nil && !errors.Is(err, fetch.ErrBudget) {
					t.Fatal(err)
				}
				time.Sleep(25 * time.Hour)
			}
			if n.Count(func(r fakepaper.Request) bool { return r.List() && r.Skip > 20 }) == 0 {
				t.Fatal("no pass has got half-way")
			}
			n.Add(fakepaper.Record{Group: "articles", ID: "59000001", Title: "Yeni", Path: "/spor/", Text: "<p>Yeni</p>", Created: time.Now()})
			n.options.Budget, n.options.Full = 0, true
			n.mustRun(t)
			n.checkComplete(t)
			first := make(map[string]bool)
			for _, r := range n.Requests() {
				if r.List() && !first[r.Operation] && r.Skip != 0 {
					t.Errorf("the first request for %s is %s", r.Operation, r.URI)
				}
				first[r.Operation] = true
			}
			asked := make(fetches)
			asked.add(n)
			asked.check(t, n, 1)
		})
	}
}

// If the limits end a full run, the next runs, full or not, continue it: each record is
// fetched again once, and only then a run succeeds.
func TestFullAcrossRuns(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, test := range []struct {
		name        string
		held, again bool // the archive holds all before; each run is full
	}{{name: "then plain", held: true}, {name: "full each time", held: true, again: true}, {name: "full each time, from nothing", again: true}} {
		for _, budget := range []int{20, 45}[:seeds(1, 2)] {
			inVirtualTime(t, fmt.Sprint(test.name, ", ", budget), func(t *testing.T) {
				n := open(t, fakepaper.Options{Items: seeds(40, 110)})
				n.options.Concurrency = 2
				if test.held {
					n.mustRun(t)
					time.Sleep(time.Minute)
				}
				for _, r := range n.Records() {
					n.Edit(r.Group, r.ID, func(r *fakepaper.Record) { r.Text += "<p>Sessizce</p>" })
				}
				asked, runs := make(fetches), 0
				n.options.Budget, n.options.Full = budget, true
				for err := fetch.ErrBudget; err != nil; runs++ {
					if runs > 100 {
						t.Fatal("no end")
					}
					if _, err = n.run(t); err != nil && !errors.Is(err, fetch.ErrBudget) {
						t.Fatal(err)
					}
					if runs == 2 {
						n.Add(fakepaper.Record{Group: "articles", ID: "59000001", Title: "Yeni", Path: "/spor/", Text: "<p>Yeni</p>", Created: time.Now()})
					}
					asked.add(n)
					n.options.Full = test.again
					time.Sleep(time.Second)
				}
				n.checkComplete(t)
				asked.check(t, n, 1)
				t.Logf("%d runs", runs)

				// The next one begins anew, though later records are left to fetch.
				for i := range 20 {
					n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(59000002 + i), Title: "Yeni", Path: "/spor/", Text: "<p>Yeni</p>", Created: time.Now()})
				}
				n.options.Budget, n.options.Full = 15, false
				if _, err := n.run(t); !errors.Is(err, fetch.ErrBudget) {
					t.Errorf("error %v, want ErrBudget", err)
				}
				n.options.Budget, n.options.Full = 0, true
				n.mustRun(t)
				asked = make(fetches)
				asked.add(n)
				asked.check(t, n, 1)
			})
		}
	}
}

// A record that always fails does not prevent the next full run.
func TestFullDespitePoison(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 10})
		n.Faults = meeting(fakepaper.Status(http.StatusNotImplemented), func(c fakepaper.Call) bool { return c.ID == "48999999" })
		n.options.Full = true
		asked := make(fetches)
		for run := range 3 {
			n.mustRun(t)
			asked.add(n)
			asked.check(t, n, run+1)
		}
	})
}

// If the site shows no record of the lists, a full run fetches no records, but still
// reads the lists to the end.
func TestFullListsAreReadToTheEnd(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 100})
		n.options.Wants = func([]string) bool { return false }
		n.mustRun(t)
		time.Sleep(time.Minute)
		began := time.Now()
		n.options.Budget, n.options.Full = 20, true
		var report *fetch.Report
		runs := 0
		for err := fetch.ErrBudget; err != nil; runs++ {
			if report, err = n.run(t); runs > 100 || err != nil && !errors.Is(err, fetch.ErrBudget) {
				t.Fatalf("run %d: %v", runs, err)
			}
			n.options.Full = false
		}
		for name, list := range report.Lists {
			if list.Complete.Before(began) {
				t.Errorf("%s was last read to the end in a pass from %v, want one since %s", name, list.Complete, began)
			}
		}
		if runs < 3 {
			t.Errorf("%d runs", runs)
		}
	})
}
