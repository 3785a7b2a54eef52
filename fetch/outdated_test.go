package fetch_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// Single records without a date, as in the API document: one that did not change although
// its list record did is requested again, and accepted in the end. Other kinds of sources date
// all records, so this is no row of sourcetest.
func TestUndatedSingles(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	const id = "48999999"
	tests := []struct {
		name   string
		behind int // answers that are of the version before
		change func(*fakepaper.Record)
		again  int // how often it is asked for once more
	}{
		{"behind once", 1, func(r *fakepaper.Record) { r.Title, r.Text = "Yeni başlık", "<p>Yeni</p>" }, 1},
		{"nothing but the date has changed", 0, func(*fakepaper.Record) {}, 3},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 2, UndatedSingles: true})
			n.keepOnly(record.Article)
			time.Sleep(time.Until(afterAll))
			n.mustRun(t)
			was := n.articles()[slices.IndexFunc(n.articles(), func(r fakepaper.Record) bool { return r.ID == id })]
			n.Edit("articles", id, func(r *fakepaper.Record) {
				r.Modified = time.Now()
				test.change(r)
			})
			answers := 0
			n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
				if c.ID != id {
					return nil
				}
				if answers++; answers <= test.behind {
					return fakepaper.Body(n.SingleJSON(was))
				}
				return nil
			}
			for range 12 {
				if failed := n.mustRun(t).Failed; len(failed) > 0 {
					t.Errorf("failed: %+v, though nothing need be wrong", failed)
				}
				time.Sleep(time.Hour)
			}
			n.checkComplete(t)
			if answers != test.again+1 {
				t.Errorf("asked for %d times, want %d", answers, test.again+1)
			}
		})
	}
}

// Records that a full run has left to fetch do not count as changed.
func TestFullRunCutShort(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 20, UndatedSingles: true})
		n.mustRun(t)
		n.options.Full, n.options.Budget = true, 15
		if _, err := n.run(t); !errors.Is(err, fetch.ErrBudget) {
			t.Fatal(err)
		}
		left := len(n.Records()) - n.Count(isSingle)
		n.options.Full, n.options.Budget = false, 0
		report := n.mustRun(t)
		if singles := n.Count(isSingle); singles != left || len(report.Failed) > 0 {
			t.Errorf("%d single records were asked for after it, want the %d left; failed: %+v", singles, left, report.Failed)
		}
	})
}
