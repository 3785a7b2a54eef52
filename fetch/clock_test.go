package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A clock far from the source's is reported, since dates of both are compared.
func TestClocksApart(t *testing.T) {
	testrun.NotShort(t)
	for _, test := range []struct {
		ahead, reported time.Duration
	}{{0, 0}, {4 * time.Minute, 0}, {-4 * time.Minute, 0}, {3 * time.Hour, 3 * time.Hour}, {-6 * time.Minute, -6 * time.Minute}} {
		t.Run(test.ahead.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := open(t, fakepaper.Options{Items: 12})
				n.options.Hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Date", time.Now().Add(test.ahead).UTC().Format(http.TimeFormat))
					n.ServeHTTP(w, r)
				})
				if report := n.mustRun(t); time.Duration(report.Requests.Ahead)*time.Second != test.reported {
					t.Errorf("reported %ds, want %s", report.Requests.Ahead, test.reported)
				}
			})
		})
	}
}

// Times saved by a clock that was ahead delay nothing: sixty days later there were as many
// requests as with a correct clock.
func TestClockAheadPutsNothingOff(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	var right map[string]int
	for _, ahead := range []time.Duration{0, 3 * 24 * time.Hour, 365 * 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := afterClockAhead(t, ahead)
				if right == nil {
					right = asked
					t.Logf("with a right clock: %v", right)
				}
				for what, want := range right {
					if got := asked[what]; got < want*9/10 || got > want*11/10+5 {
						t.Errorf("%d requests for %s, want %d", got, what, want)
					}
				}
			})
		})
	}
}

// afterClockAhead makes three runs by a clock that is ahead, in which some requests
// fail, and then runs for sixty days by the right one. It returns the requests of
// these days, by operation.
func afterClockAhead(t *testing.T, ahead time.Duration) map[string]int {
	time.Sleep(time.Until(afterAll))
	n := open(t, fakepaper.Options{Items: seeds(10, 60)})
	n.keepOnly(record.Article, record.Column)
	n.Add(fakepaper.Record{Group: "articles", ID: "59000001", Title: "Yeni", Path: "/bilinmeyen/", Created: time.Now(), Modified: time.Now()})
	n.options.Now = func() time.Time { return time.Now().Add(ahead) }
	n.Faults = meeting(fakepaper.Status(http.StatusNotImplemented), func(c fakepaper.Call) bool { return c.ID == "48999999" })
	for range 3 {
		n.mustRun(t)
		time.Sleep(time.Hour)
	}
	n.options.Now, n.Faults = nil, nil
	n.Service.Filter = honours("Datetime'", "'") // none was found before
	asked := make(map[string]int)
	runs := seeds(20, 120)
	for range runs {
		n.mustRun(t)
		for _, r := range n.Requests() {
			switch {
			case isFiltered(r):
				asked["what has changed"]++
			case r.List():
				asked["the list of "+r.Operation]++
			default:
				asked[r.Operation]++
			}
		}
		time.Sleep(60 * 24 * time.Hour / time.Duration(runs))
	}
	n.checkComplete(t)
	return asked
}

// Pictures that failed while the clock was ahead are also retried within a day.
func TestClockAheadOfPictures(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 8})
		n.withPictures(t)
		n.options.Now = func() time.Time { return time.Now().Add(365 * 24 * time.Hour) }
		n.Faults = meeting(fakepaper.Status(http.StatusNotImplemented), func(c fakepaper.Call) bool { return c.Operation == "picture" })
		if failed := n.mustRun(t).Pictures.Failed; failed != 2 {
			t.Fatalf("%d pictures failed, want 2", failed)
		}
		n.options.Now, n.Faults = nil, nil
		time.Sleep(25 * time.Hour)
		if fetched := n.mustRun(t).Pictures.Fetched; fetched != 2 {
			t.Errorf("%d pictures fetched, want 2", fetched)
		}
	})
}

// The source's headers lower the limits of the configuration, for all workers.
func TestQuotaHeadersAreHeeded(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, test := range []struct {
		name  string
		quota fakepaper.Quota
		want  int // requests in the first run, at most
	}{
		{"a lower hour", fakepaper.Quota{PerSecond: 100, PerHour: 40, SendHeaders: true}, 40},
		{"a lower second", fakepaper.Quota{PerSecond: 3, PerHour: 10_000, SendHeaders: true}, 1000},
		{"others share the key", fakepaper.Quota{PerSecond: 100, PerHour: 500, Others: 470, SendHeaders: true}, 30},
	} {
		inVirtualTime(t, test.name, func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 90, Quota: test.quota, Latency: 20 * time.Millisecond})
			// Until the first answers say so, nobody knows: one worker at first.
			n.options.Concurrency, n.options.PerHour = 1, 1_000
			report, err := n.run(t)
			if sent := n.Count(all); sent > test.want {
				t.Errorf("%d requests, want %d at most", sent, test.want)
			}
			if err != nil && !errors.Is(err, fetch.ErrBudget) {
				t.Errorf("error %v, want ErrBudget", err)
			}
			if excess := n.Excess(); excess != (fakepaper.Excess{}) {
				t.Errorf("requests above the quota: %+v", excess)
			}
			if len(report.Failed) > 0 {
				t.Errorf("failed: %+v", report.Failed)
			}
		})
	}
}

// A run waits for a short Retry-After; a long one is left to the next run.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	date := func(after time.Duration) string {
		return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(after).Format(http.TimeFormat)
	}
	tests := []struct {
		name   string
		header []string
		least  time.Duration // no request leaves before
		ends   bool          // the run ends, and the next one knows of it
	}{
		{"2 seconds", []string{"2"}, 2 * time.Second, false},
		{"a minute", []string{"60"}, time.Minute, false},
		{"date", []string{date(40 * time.Second)}, 30 * time.Second, false},
		{"date in 2 hours", []string{date(2 * time.Hour)}, 119 * time.Minute, true},
		{"past date", []string{date(-time.Hour)}, time.Second, false},
		{"garbage", []string{"yarın"}, time.Second, false},
		{"negative", []string{"-1"}, time.Second, false},
		{"huge", []string{"1000000000"}, 23 * time.Hour, true},
		{"more than any integer", []string{"99999999999999999999999"}, time.Second, false},
		{"two headers", []string{"2", "20"}, 20 * time.Second, false},
		{"two headers, one garbage", []string{"yarın", "20"}, 20 * time.Second, false},
		{"2 hours", []string{"7200"}, 2 * time.Hour, true},
		{"none", nil, time.Second, false},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			refused := time.Time{}
			n := open(t, fakepaper.Options{Items: 11, Latency: 10 * time.Millisecond})
			n.keepOnly(record.Article)
			n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
				if c.ID != "48999992" || !refused.IsZero() {
					return nil
				}
				refused = time.Now()
				return &fakepaper.Fault{Status: http.StatusTooManyRequests, Body: "Rate Limit Exceeded", Header: http.Header{"Retry-After": test.header}}
			}
			n.options.Concurrency, n.options.PerSecond = 8, 50
			start := time.Now()
			_, err := n.run(t)
			if errors.Is(err, fetch.ErrBudget) != test.ends {
				t.Fatalf("error %v; the run ends early: want %t", err, test.ends)
			}
			early := func(r fakepaper.Request) bool {
				// Those that were let go before the answer came are no fault.
				return r.At.After(refused.Add(20*time.Millisecond)) && r.At.Before(refused.Add(test.least))
			}
			if sent := n.Count(early); sent > 0 {
				t.Errorf("%d requests within %s of the refusal", sent, test.least)
			}
			if !test.ends {
				n.checkComplete(t)
				return
			}
			// The next run, at once, sends nothing; the one after the pause does the rest.
			if _, err := n.run(t); !errors.Is(err, fetch.ErrBudget) || n.Count(all) > 0 {
				t.Errorf("error %v, %d requests during the pause", err, n.Count(all))
			}
			time.Sleep(time.Until(start.Add(25 * time.Hour)))
			n.mustRun(t)
			n.checkComplete(t)
		})
	}
}

// A Retry-After holds across runs: a run that is killed during the pause and started
// again waits for the rest.
func TestShortPauseIsKeptAcrossRuns(t *testing.T) {
	withClock(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		n := open(t, fakepaper.Options{Items: 10, Faults: func(c fakepaper.Call) *fakepaper.Fault {
			stop()
			return &fakepaper.Fault{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"200"}}}
		}})
		n.options.Concurrency = 1
		if _, err := fetch.Run(ctx, n.archive, n.options); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v, want context.Canceled", err)
		}
		refused := n.Requests()[0].At
		n.Faults = nil
		n.mustRun(t)
		if first := n.Requests()[0].At; first.Sub(refused) < 199*time.Second {
			t.Errorf("asked again after %s, want 200 s", first.Sub(refused))
		}
	})
}

// A clock that was years ahead for a while neither blocks the quota, nor pauses requests,
// nor prevents passes over the lists.
func TestClockAheadForAWhile(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 60})
		n.options.PerSecond, n.options.PerHour = 5, 30
		right := n.options.Now
		n.options.Now = func() time.Time { return time.Now().AddDate(10, 0, 0) }
		n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if c.List() {
				return nil
			}
			return &fakepaper.Fault{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"3600"}}}
		}
		if _, err := n.run(t); !errors.Is(err, fetch.ErrBudget) {
			t.Fatalf("error %v, want ErrBudget", err)
		}
		n.options.Now, n.Faults = right, nil
		for range 6 {
			time.Sleep(time.Hour)
			if _, err := n.run(t); err == nil {
				break
			}
		}
		n.checkComplete(t)
		n.options.PerHour = 0
		n.Remove("articles", "48999950")
		gone := 0
		for range 3 {
			time.Sleep(25 * time.Hour)
			gone += n.mustRun(t).Kinds[record.Article].Gone
		}
		if gone != 1 {
			t.Errorf("%d records were found to be gone, want 1", gone)
		}
	})
}
