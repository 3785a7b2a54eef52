package sync_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/generator/sync"
	"ayna/generator/sync/upstream"
)

// seeds is how many cases a seeded suite tries: few, or all of them if the
// environment asks for the long suites.
func seeds(few, many int) int {
	if os.Getenv("AYNA_LONG") != "" {
		return many
	}
	return few
}

func isArticles(r upstream.Request) bool { return r.Operation == "articles" && r.List() }

// onlyLists keeps to what a test of listings looks at: articles, without their
// bodies, in an archive in memory.
func (n *newsroom) onlyLists(t *testing.T) {
	t.Helper()
	a, err := archive.Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	n.archive = a
	n.options.Kinds, n.options.Wants = []archive.Kind{archive.Article}, func(string) bool { return false }
	n.options.Concurrency = 1
}

func (n *newsroom) articles() []upstream.Record {
	return slices.DeleteFunc(n.Records(), func(r upstream.Record) bool { return r.Group != "articles" })
}

// lost counts the articles of the service that the archive lacks, or holds in
// an earlier version.
func (n *newsroom) lost(t *testing.T) (lost int) {
	t.Helper()
	for _, want := range n.articles() {
		got, err := n.archive.Get(t.Context(), archive.Article, want.ID)
		if err != nil || string(got.List) != n.ListJSON(want) || !got.Vanished.IsZero() {
			lost++
		}
	}
	return lost
}

// standing counts the articles that the archive does not know to be gone.
func (n *newsroom) standing(t *testing.T) (standing int) {
	t.Helper()
	ids := make(map[string]bool)
	for r, err := range n.archive.Scan(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind != archive.Article {
			continue
		}
		if ids[r.ID] {
			t.Errorf("%s is held twice", r.ID)
		}
		ids[r.ID] = true
		if r.Vanished.IsZero() {
			standing++
		}
	}
	return standing
}

// drift is a list that moves while it is read.
type drift struct {
	*rand.Rand
	n       *newsroom
	still   bool
	moves   int
	next    int
	removed map[string]bool
}

// move does some of what editors do. It is called after each page.
func (d *drift) move() {
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
				d.n.Add(upstream.Record{Group: "articles", ID: fmt.Sprint(50_000_000 + d.next), Title: "Yeni", Path: "/spor/", Created: time.Now(), Modified: time.Now()})
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
				d.n.Edit("articles", present[d.IntN(len(present))].ID, func(r *upstream.Record) {
					r.Title, r.Modified = fmt.Sprint("Düzeltilmiş ", d.moves), time.Now()
				})
			}
		}
	}
}

// A list moves all the time: nothing that was there throughout may be missing
// afterwards, however often the reading was cut short.
func TestD08D09D10PagingUnderMovement(t *testing.T) {
	t.Parallel()
	var requests, ideal, moves, gone, late, runs int
	for seed := range seeds(60, 1000) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(seed), 3))
				n := open(t, upstream.Options{Items: 20 + random.IntN(180), Seed: uint64(seed), Latency: time.Second, TopCap: 3 + random.IntN(30), ShortPages: random.IntN(4) == 0})
				n.onlyLists(t)
				n.options.PageSize = 3 + random.IntN(30)
				n.options.AllowDelete = 1000
				d := &drift{Rand: random, n: n, removed: make(map[string]bool)}
				n.Faults = func(c upstream.Call) *upstream.Fault {
					if c.List() && c.Operation == "articles" {
						d.move()
					}
					return nil
				}
				before := n.articles()
				budgeted := false
				for range 1 + random.IntN(6) {
					n.options.Budget = random.IntN(3) * (4 + random.IntN(20))
					_, err := n.run(t)
					if err != nil && !errors.Is(err, sync.ErrBudget) {
						t.Fatalf("seed %d: %v", seed, err)
					}
					requests += n.Count(isArticles)
					runs++
					budgeted = err != nil
					time.Sleep(time.Duration(random.IntN(2000)) * time.Minute)
				}
				if !budgeted {
					for _, r := range before {
						if _, err := n.archive.Get(t.Context(), archive.Article, r.ID); err != nil && !d.removed[r.ID] {
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
				n.mustRun(t)
				if lost, standing, want := n.lost(t), n.standing(t), len(n.articles()); lost > 0 || standing != want {
					t.Errorf("seed %d: %d records are missing, %d are held, %d are there", seed, lost, standing, want)
				}
				size := min(n.options.PageSize, n.TopCap)
				requests += n.Count(isArticles)
				ideal += len(n.articles())/size + 1
				moves += d.moves
				gone += len(d.removed)
			})
		})
	}
	t.Logf("%d runs, %d movements, %d records removed: %d requests for lists; %d records came only with the quiet run", runs, moves, gone, requests, late)
	_ = ideal
}

var _ = http.StatusOK
