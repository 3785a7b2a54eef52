package fetch_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A record's own address answers 404 between two passes over its list. The next pass decides
// whether it is gone or has failed.
func TestMissingBetweenPasses(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	const id = "49000009"
	answersNot := meeting(fakepaper.Status(http.StatusNotFound), func(c fakepaper.Call) bool { return c.ID == id })
	for _, test := range []struct {
		name    string
		fetched bool // before
		listed  bool // still
	}{{"deleted on its first day", true, false}, {"deleted before it was fetched", false, false}, {"listed still", true, true}} {
		inVirtualTime(t, test.name, func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 40})
			n.keepOnly(record.Article)
			time.Sleep(time.Until(afterAll))
			n.mustRun(t)
			fresh := fakepaper.Record{Group: "articles", ID: id, Title: "Yeni", Path: "/spor/", Text: "<p>Yeni</p>", Created: time.Now(), Modified: time.Now()}
			n.Add(fresh)
			if !test.fetched {
				n.Faults = meeting(fakepaper.Status(http.StatusNotImplemented), func(c fakepaper.Call) bool { return c.ID == id })
			}
			n.mustRun(t)
			if n.Faults = answersNot; !test.listed {
				n.Remove(fresh.Group, id)
			} else { // so that no head shows it
				n.Add(vanish(n, 15)...)
			}
			missing, gone, failed := 0, 0, []int(nil)
			for hour := range 48 {
				time.Sleep(time.Hour)
				report := n.mustRun(t)
				c := report.Kinds[record.Article]
				missing, gone = missing+c.Missing, gone+c.Gone
				if len(report.Failed) > 0 {
					failed = append(failed, hour+1)
				}
			}
			if missing == 0 || (gone == 1) == test.listed || (len(failed) > 0) != test.listed || test.listed && failed[0] < 24 {
				t.Errorf("missing %d times, gone %d, failed after %v hours", missing, gone, failed)
			}
		})
	}
}

func TestFlappingRecordComesBack(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 12})
		n.mustRun(t)
		taken := vanish(n, 1)[0]
		before, err := n.archive.Records.Get(t.Context(), record.Article, taken.ID)
		if err != nil {
			t.Fatal(err)
		}
		fakepaper.Update(t, n.archive, func(tx *archive.Tx) error { return tx.SetAddress(before.Row, "spor/ilk.html") })
		for range 3 {
			if c := n.relisted(t).Kinds[record.Article]; c.Gone != 1 {
				t.Errorf("%+v, want one gone", c)
			}
			n.Add(taken)
			n.mustRun(t)
			n.checkComplete(t)
			got, err := n.archive.Records.Get(t.Context(), record.Article, taken.ID)
			if err != nil || !got.GoneAt.IsZero() || got.Row != before.Row || got.Address != "spor/ilk.html" {
				t.Errorf("back with %+v, %v", got, err)
			}
			n.Remove(taken.Group, taken.ID)
		}
	})
}

// More than max(10, 10 %) at once is not deleted. --allow-delete is a row of sourcetest.
func TestGuard(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, test := range []struct{ items, vanish, gone int }{
		{120, 10, 10}, {120, 11, 0}, // of 72 articles
		{250, 15, 15}, {250, 16, 0}, // of 150
	} {
		inVirtualTime(t, fmt.Sprint(test), func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: test.items})
			n.onlyLists(t)
			n.mustRun(t)
			vanish(n, test.vanish)
			report := n.relisted(t)
			c := report.Kinds[record.Article]
			if want := test.vanish - test.gone; c.Gone != test.gone || c.Withheld != want || report.Withheld() != want {
				t.Errorf("%+v, want %d gone and the others withheld", c, test.gone)
			}
			if singles := n.Count(func(r fakepaper.Request) bool { return r.Operation == "articles" && !r.List() }); singles != test.gone {
				t.Errorf("%d single records were asked for", singles)
			}
		})
	}
}

// If the budget ends while missing records are requested, the next runs request the
// others, each once, without another pass.
func TestProofsAreGoneOnWith(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 120})
		for _, r := range n.Records() {
			if r.Group == "writers" { // to fetch them again would take half of the small share of a pass
				n.Remove(r.Group, r.ID)
			}
		}
		n.onlyLists(t)
		n.mustRun(t)
		there := make(map[string]*fakepaper.Fault) // though no list shows them
		taken := vanish(n, 30)
		for _, r := range taken[:10] {
			there[r.ID] = fakepaper.Body(n.SingleJSON(r))
			there[r.ID].Status = http.StatusOK
		}
		n.Faults = func(c fakepaper.Call) *fakepaper.Fault { return there[c.ID] }
		time.Sleep(25 * time.Hour)
		asked, gone, runs := make(map[string]int), 0, 0
		isProof := func(r fakepaper.Request) bool { return r.Operation == "articles" && !r.List() }
		n.options.PageSize, n.options.AllowDelete = 50, 30
		for n.options.Budget = 20; runs < 20; runs++ {
			report, err := n.run(t)
			if err != nil && !errors.Is(err, fetch.ErrBudget) {
				t.Fatal(err)
			}
			gone += report.Kinds[record.Article].Gone
			for _, r := range n.Requests() {
				if isProof(r) {
					asked[r.ID]++
				}
			}
			if err == nil && n.Count(isProof) == 0 {
				break
			}
			n.options.Budget = 6
			time.Sleep(time.Minute)
		}
		if gone != 20 || len(asked) != 30 || runs < 3 {
			t.Errorf("%d gone, %d asked for, in %d runs; want 20, 30, and several", gone, len(asked), runs)
		}
		for id, times := range asked {
			if times != 1 {
				t.Errorf("%s was asked for %d times", id, times)
			}
		}
	})
}
