package sync_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/generator/sync"
	"ayna/server/newsroom"
	"ayna/testrun"
)

// A refused key costs one request, however many are allowed in parallel, after a reset or
// a redirect, too.
func TestRefusedKeyCostsOneRequest(t *testing.T) {
	t.Parallel()
	refused := func(status int) func(newsroom.Call) *newsroom.Fault {
		return func(newsroom.Call) *newsroom.Fault { return newsroom.Status(status) }
	}
	for _, test := range []struct {
		name   string
		faults func(newsroom.Call) *newsroom.Fault
		sent   int
		text   string
	}{
		{"401", refused(http.StatusUnauthorized), 1, "401"},
		{"403", refused(http.StatusForbidden), 1, "403"},
		{"after a reset", func(c newsroom.Call) *newsroom.Fault {
			if c.Attempt == 1 {
				return &newsroom.Fault{Cut: true}
			}
			return newsroom.Status(http.StatusUnauthorized)
		}, 2, "401"},
		{"after a redirect", func(c newsroom.Call) *newsroom.Fault {
			if c.Attempt == 1 {
				return &newsroom.Fault{Status: http.StatusFound, Header: http.Header{"Location": {"/v1/articles?x=1"}}}
			}
			return newsroom.Status(http.StatusUnauthorized)
		}, 2, "401"},
	} {
		for _, concurrency := range []int{1, 8} {
			inVirtualTime(t, fmt.Sprintf("%s, %d side by side", test.name, concurrency), func(t *testing.T) {
				n := open(t, newsroom.Options{Items: 30, Faults: test.faults, Latency: time.Second})
				n.withPictures(t)
				n.options.Concurrency, n.options.Searches = concurrency, []string{"liman"}
				_, err := n.run(t)
				if !errors.Is(err, sync.ErrKey) || !strings.Contains(err.Error(), test.text) || strings.Contains(err.Error(), "before the request") {
					t.Errorf("error %v, want ErrKey with %s", err, test.text)
				}
				if sent := n.Count(func(newsroom.Request) bool { return true }); sent != test.sent {
					t.Errorf("%d requests with a refused key, want %d", sent, test.sent)
				}
			})
		}
	}
}

// If all requests are forbidden after a while, also the date, the run ends soon. If only
// many records are forbidden, it continues.
func TestForbiddenMeanwhile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		forbidden func(newsroom.Call) bool
		want      error
	}{
		"everything":   {func(c newsroom.Call) bool { return !c.List() || c.Operation == "date" }, sync.ErrKey},
		"many records": {func(c newsroom.Call) bool { return len(c.ID) == 8 }, nil},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			n := open(t, newsroom.Options{Items: 100, Faults: meeting(newsroom.Status(http.StatusForbidden), test.forbidden)})
			n.options.Concurrency = 8
			report, err := n.run(t)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			sent := n.Count(func(r newsroom.Request) bool { return test.forbidden(r.Call) })
			if ended := sent < 20; ended != (test.want != nil) {
				t.Errorf("%d requests were forbidden", sent)
			}
			if test.want == nil && len(report.Failed) != 100 {
				t.Errorf("%d failed", len(report.Failed))
			}
		})
	}
}

// Until the source has accepted the key, one request is in flight, and then as many as
// are allowed. No request waits for ever if the first one fails.
func TestOneRequestUntilTheFirstAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 30, Latency: time.Second})
		n.options.Concurrency = 8
		start := time.Now()
		n.Faults = func(c newsroom.Call) *newsroom.Fault {
			if time.Since(start) < 3*time.Second && c.Operation != "articles" {
				t.Errorf("%s is asked for before the first answer", c.Operation)
			}
			if c.Attempt <= 2 && c.Operation == "articles" && c.List() && c.Skip == 0 {
				return &newsroom.Fault{Cut: true}
			}
			return nil
		}
		n.mustRun(t)
		n.checkComplete(t)
		n.Faults = nil

		n.ClearLog()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/2, cancel)
		if _, err := sync.Run(ctx, n.archive, n.options); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v of a run that is stopped before its first answer", err)
		}
	})
}

// No request follows a 401, also if it was the answer to the date, requested because
// records fail.
func TestNoRequestAfterARefusal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 40, Faults: func(c newsroom.Call) *newsroom.Fault {
			switch {
			case c.Operation == "date":
				return newsroom.Status(http.StatusUnauthorized)
			case len(c.ID) == 8:
				return newsroom.Status(http.StatusInternalServerError)
			}
			return nil
		}})
		n.options.Concurrency = 1
		if _, err := n.run(t); !errors.Is(err, sync.ErrKey) {
			t.Errorf("error %v, want ErrKey", err)
		}
		requests := n.Requests()
		for i, r := range requests {
			if r.Status == http.StatusUnauthorized && i != len(requests)-1 {
				t.Errorf("%d requests after the refusal", len(requests)-1-i)
			}
		}
		if len(requests) == 0 || requests[len(requests)-1].Status != http.StatusUnauthorized {
			t.Error("no request was refused: nothing was tested")
		}
	})
}

// meeting has calls for which where is true meet a fault.
func meeting(f *newsroom.Fault, where func(newsroom.Call) bool) func(newsroom.Call) *newsroom.Fault {
	return func(c newsroom.Call) *newsroom.Fault {
		if where(c) {
			return f
		}
		return nil
	}
}

// If only some records are answered with 429, all others arrive, and the run does not
// report that a limit is reached.
func TestRefusedAloneStopsNoOther(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	poison := []string{"49000000", "48999999", "48999998", "48999996", "48999994", "48999992", "48999991", "48999989"}
	for name, test := range map[string]struct {
		where  func(newsroom.Call) bool
		failed int
	}{
		"searches":       {func(c newsroom.Call) bool { return c.Operation == "search" }, 6},
		"a list":         {func(c newsroom.Call) bool { return c.Operation == "columns" && c.List() }, 1},
		"its first list": {func(c newsroom.Call) bool { return c.Operation == "articles" && c.List() }, 1},
		"a record":       {func(c newsroom.Call) bool { return c.ID == poison[0] }, 1},
		"as many records as there are workers": {func(c newsroom.Call) bool {
			return len(c.ID) == 8 && strings.Contains(strings.Join(poison, " "), c.ID)
		}, len(poison)},
	} {
		for _, after := range [][]string{nil, {"1"}, {"60"}} {
			inVirtualTime(t, fmt.Sprintf("%s, Retry-After %q", name, after), func(t *testing.T) {
				n := open(t, newsroom.Options{Items: 24, Faults: meeting(tooMany(after...), test.where)})
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
				tried := n.Count(func(r newsroom.Request) bool { return test.where(r.Call) })
				dates := n.Count(func(r newsroom.Request) bool { return r.Operation == "date" })
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
		}
	}
}

// servable counts the records that arrive if some calls are refused.
func (n *mirror) servable(refused func(newsroom.Call) bool) int {
	count := 0
	for _, r := range n.Records() {
		if !refused(newsroom.Call{Operation: r.Group, ID: r.ID}) && !refused(newsroom.Call{Operation: r.Group}) {
			count++
		}
	}
	return count
}

// unfetched counts the records of the service whose single record is not there.
func (n *mirror) unfetched(t *testing.T) int {
	t.Helper()
	count := 0
	for _, r := range n.Records() {
		got, err := n.archive.Records.Get(t.Context(), r.Kind(), r.ID)
		if err != nil && !errors.Is(err, archive.ErrNotFound) {
			t.Fatal(err)
		}
		if err != nil || got.Single == nil {
			count++
		}
	}
	return count
}

// A limit that does not apply to the date, which a cache may answer, also ends the run
// soon, and few records count as broken.
func TestLimitThatSparesTheDate(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for name, where := range map[string]func(newsroom.Call) bool{
		"everything":     func(c newsroom.Call) bool { return c.Operation != "date" },
		"single records": func(c newsroom.Call) bool { return c.Operation != "date" && !c.List() },
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			n := open(t, newsroom.Options{Items: 300, Faults: meeting(tooMany(), where)})
			n.options.Concurrency, n.options.PageSize = 8, 50
			start := time.Now()
			report, err := n.run(t)
			if !errors.Is(err, sync.ErrBudget) {
				t.Errorf("error %v, want ErrBudget", err)
			}
			if refused := n.Count(func(r newsroom.Request) bool { return where(r.Call) }); refused > 130 || time.Since(start) > time.Hour {
				t.Errorf("%d requests were refused, in %s", refused, time.Since(start))
			}
			if len(report.Failed) > 20 {
				t.Errorf("%d failed", len(report.Failed))
			}
			n.Faults = nil
			n.mustRun(t)
			n.checkComplete(t)
		})
	}
}

// A 429 proves nothing about a date filter.
func TestRefusalIsNoAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, newsroom.Options{Items: 50, Filter: honours("Datetime'", "'")})
		n.mustRun(t)
		time.Sleep(time.Hour)
		n.mustRun(t) // finds out
		refused := 0
		n.Faults = func(c newsroom.Call) *newsroom.Fault {
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
