package sync_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/client/clienttest"
	"ayna/generator/sync"
	"ayna/testrun"
)

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
func (n *newsroom) shuffle(order func(skip, n int) []int) (settle func()) {
	stable := false
	n.Window = func(c clienttest.Call, top, length int) []int {
		if c.Operation != "articles" || stable {
			return span(c.Skip, c.Skip+top, length)
		}
		return order(c.Skip, length)[min(c.Skip, length):min(c.Skip+top, length)]
	}
	return func() { stable = true }
}

// Nothing is missing after the first run, whatever the order. A record that is
// removed is found to be gone, and no other. A stable order ends the doubt.
func TestD65UnstableOrder(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for name, order := range orders {
		few := 4
		if name != "no order" {
			few = 1
		}
		for seed := range seeds(few, 60) {
			t.Run(fmt.Sprint(name, " seed ", seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					n := open(t, clienttest.Options{Items: 333, TopCap: 7, Seed: uint64(seed)})
					n.onlyLists(t)
					settle := n.shuffle(order(rand.New(rand.NewPCG(uint64(seed), 9))))
					report := n.mustRun(t)
					all, requests := len(n.articles()), n.Count(isArticles)
					if lost := n.lost(t); lost > 0 || len(report.Failed) > 0 {
						t.Errorf("%d of %d records are missing, failed: %+v", lost, all, report.Failed)
					}
					if list := report.Lists["articles"]; !list.Unstable || list.Agreed != 3 {
						t.Errorf("the report says %+v", list)
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
					if lost, standing := n.lost(t), n.standing(t); lost > 0 || standing != all-1 {
						t.Errorf("%d records are lost, %d are held, %d are there", lost, standing, all-1)
					}
					settle()
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
			})
		}
	}
}

// The limits let a run read a part of the list only: it is incomplete, exit code 3
// or 6, until enough passes agree, and then nothing is missing.
func TestD65UnstableOrderOverManyRuns(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, budget := range []int{15, 60} {
		for seed := range seeds(1, 15) {
			t.Run(fmt.Sprint(budget, " requests, seed ", seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					n := open(t, clienttest.Options{Items: 333, TopCap: 7, Seed: uint64(seed)})
					n.onlyLists(t)
					n.options.Budget = budget
					settle := n.shuffle(orders["no order"](rand.New(rand.NewPCG(uint64(seed), 9))))
					runs, most := 0, 6000/budget
					for ; runs < most; runs++ {
						report, err := n.run(t)
						if err != nil && !errors.Is(err, sync.ErrBudget) {
							t.Fatal(err)
						}
						if err == nil && len(report.Failed) == 0 {
							break
						}
						if gone := report.Kinds[archive.Article].Gone + report.Withheld(); gone > 0 {
							t.Fatalf("%d records are said to be gone", gone)
						}
						time.Sleep(time.Hour)
					}
					t.Logf("settled after %d runs", runs)
					if lost := n.lost(t); lost > 0 || runs == most {
						t.Errorf("%d records are missing after %d runs", lost, runs)
					}
					settle()
					for i := 0; ; i++ {
						time.Sleep(25 * time.Hour)
						report, err := n.run(t)
						if err != nil && !errors.Is(err, sync.ErrBudget) || len(report.Failed) > 0 {
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
			})
		}
	}
}
