package sync_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/client/clienttest"
	"ayna/generator/sync"
	"ayna/testrun"
)

// meeting has calls for which where is true meet a fault.
func meeting(f *clienttest.Fault, where func(clienttest.Call) bool) func(clienttest.Call) *clienttest.Fault {
	return func(c clienttest.Call) *clienttest.Fault {
		if where(c) {
			return f
		}
		return nil
	}
}

// A 429 that only some requests get, while others are answered, lies in what
// these ask for: all else arrives, and no limit is said to be reached.
func TestT28T35RefusedAloneStopsNoOther(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	poison := []string{"49000000", "48999999", "48999998", "48999996", "48999994", "48999992", "48999991", "48999989"}
	for name, test := range map[string]struct {
		where  func(clienttest.Call) bool
		failed int
	}{
		"T28 searches":       {func(c clienttest.Call) bool { return c.Operation == "search" }, 6},
		"T28 a list":         {func(c clienttest.Call) bool { return c.Operation == "columns" && c.List() }, 1},
		"T28 its first list": {func(c clienttest.Call) bool { return c.Operation == "articles" && c.List() }, 1},
		"T35 a record":       {func(c clienttest.Call) bool { return c.ID == poison[0] }, 1},
		"T35 as many records as there are workers": {func(c clienttest.Call) bool {
			return len(c.ID) == 8 && strings.Contains(strings.Join(poison, " "), c.ID)
		}, len(poison)},
	} {
		for _, after := range [][]string{nil, {"1"}, {"60"}} {
			t.Run(fmt.Sprintf("%s, Retry-After %q", name, after), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					n := open(t, clienttest.Options{Items: 24, Faults: meeting(tooMany(after...), test.where)})
					n.options.Searches, n.options.Concurrency = strings.Fields("liman kıyı deniz orman pazar vapur"), 8
					report := n.mustRun(t)
					for _, f := range report.Failed {
						if f.Status != http.StatusTooManyRequests {
							t.Errorf("failed: %+v", f)
						}
					}
					if len(report.Failed) != test.failed {
						t.Errorf("%d failed, want %d", len(report.Failed), test.failed)
					}
					tried := n.Count(func(r clienttest.Request) bool { return test.where(r.Call) })
					dates := n.Count(func(r clienttest.Request) bool { return r.Operation == "date" })
					if tried != 4*test.failed || dates > test.failed {
						t.Errorf("%d tries and %d dates for %d refusals", tried, dates, test.failed)
					}
					if lost := n.unfetched(t); lost != len(n.Records())-n.servable(test.where) {
						t.Errorf("%d records are not there, want %d", lost, len(n.Records())-n.servable(test.where))
					}
					n.Faults = nil
					n.mustRun(t)
					n.checkComplete(t)
				})
			})
		}
	}
}

// servable counts the records that arrive if some calls are refused.
func (n *newsroom) servable(refused func(clienttest.Call) bool) int {
	count := 0
	for _, r := range n.Records() {
		if !refused(clienttest.Call{Operation: r.Group, ID: r.ID}) && !refused(clienttest.Call{Operation: r.Group}) {
			count++
		}
	}
	return count
}

// unfetched counts the records of the service whose single record is not there.
func (n *newsroom) unfetched(t *testing.T) int {
	t.Helper()
	count := 0
	for _, r := range n.Records() {
		got, err := n.archive.Get(t.Context(), kindOf(r.Group), r.ID)
		if err != nil && !errors.Is(err, archive.ErrNotFound) {
			t.Fatal(err)
		}
		if err != nil || got.Single == nil {
			count++
		}
	}
	return count
}

// A limit that spares the date (a cache may answer for it) is a limit still: the
// run ends soon, and few records are taken for broken.
func TestT32LimitThatSparesTheDate(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for name, where := range map[string]func(clienttest.Call) bool{
		"everything":     func(c clienttest.Call) bool { return c.Operation != "date" },
		"single records": func(c clienttest.Call) bool { return c.Operation != "date" && !c.List() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := open(t, clienttest.Options{Items: 300, Faults: meeting(tooMany(), where)})
				n.options.Concurrency, n.options.PageSize = 8, 50
				start := time.Now()
				report, err := n.run(t)
				if !errors.Is(err, sync.ErrBudget) {
					t.Errorf("error %v, want ErrBudget", err)
				}
				if refused := n.Count(func(r clienttest.Request) bool { return where(r.Call) }); refused > 130 || time.Since(start) > time.Hour {
					t.Errorf("%d requests were refused, in %s", refused, time.Since(start))
				}
				if len(report.Failed) > 20 {
					t.Errorf("%d failed", len(report.Failed))
				}
				n.Faults = nil
				n.mustRun(t)
				n.checkComplete(t)
			})
		})
	}
}

// A refusal says nothing of a date filter, nor of what the source answers for an
// id that it does not know.
func TestT30RefusalIsNoAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, clienttest.Options{Items: 50, Filter: honours("Datetime'", "'")})
		n.mustRun(t)
		time.Sleep(time.Hour)
		n.mustRun(t) // finds out
		refused := 0
		n.Faults = func(c clienttest.Call) *clienttest.Fault {
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

		n = open(t, clienttest.Options{Items: 50, Filter: func(string) (func(clienttest.Record) bool, int) {
			return nil, http.StatusTooManyRequests
		}})
		n.Faults = meeting(tooMany("1"), func(c clienttest.Call) bool { return c.ID == "00000000" })
		n.probe(t)
		n.Faults = nil
		report := n.mustRun(t)
		for _, question := range []string{"an unknown id", "date filter"} {
			if f := finding(report, question); f.Answer != "" {
				t.Errorf("%+v after a probe whose question was refused", f)
			}
		}
	})
}
