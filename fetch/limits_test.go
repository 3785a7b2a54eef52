package fetch_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

func TestBudgetOfARun(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 25})
		n.options.Budget = 20
		fetched := make(map[string]bool)
		for run := 1; ; run++ {
			report, err := n.run(t)
			if sent := n.Count(all); sent > 20 || report.Requests.Sent != sent {
				t.Fatalf("run %d: %d requests of 20, and %d in the report", run, sent, report.Requests.Sent)
			}
			for _, r := range n.Requests() {
				if isSingle(r) {
					if fetched[r.Operation+r.ID] {
						t.Errorf("%s was asked for twice", r.URI)
					}
					fetched[r.Operation+r.ID] = true
				}
			}
			if err == nil {
				break
			}
			if !errors.Is(err, fetch.ErrBudget) || !strings.Contains(err.Error(), "20 requests in this run") {
				t.Fatal(err)
			}
			if len(report.Failed) > 0 {
				t.Errorf("failed: %+v; what there was no budget for is no failure", report.Failed)
			}
			if run > 10 {
				t.Fatal("no end")
			}
		}
		n.checkComplete(t)
	})
}

func TestBudgetForNothing(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 10})
		n.options.Budget = 1
		if _, err := n.run(t); !errors.Is(err, fetch.ErrBudget) {
			t.Errorf("error %v, want ErrBudget", err)
		}
	})
}

// most is the largest number of requests within any span.
func most(times []time.Time, span time.Duration) int {
	slices.SortFunc(times, time.Time.Compare)
	result := 0
	for i := range times {
		n := 0
		for _, at := range times[i:] {
			if at.Sub(times[i]) < span {
				n++
			}
		}
		result = max(result, n)
	}
	return result
}

func times(requests []fakepaper.Request) []time.Time {
	var list []time.Time
	for _, r := range requests {
		if r.Operation != "picture" {
			list = append(list, r.At)
		}
	}
	return list
}

func TestPerSecondIsNeverExceeded(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 25, Latency: 30 * time.Millisecond, Faults: func(c fakepaper.Call) *fakepaper.Fault {
			if c.Attempt == 1 && strings.HasSuffix(c.ID, "7") { // retries count, too
				return fakepaper.Status(503)
			}
			return nil
		}})
		n.options.Concurrency, n.options.PerSecond = 16, 5
		start := time.Now()
		n.mustRun(t)
		n.checkComplete(t)
		sent := times(n.Requests())
		if got := most(sent, time.Second); got != 5 {
			t.Errorf("%d requests in a second, want 5", got)
		}
		if took, ideal := time.Since(start), time.Duration(len(sent))*time.Second/5; took > ideal*11/10+5*time.Second {
			t.Errorf("%d requests took %s", len(sent), took)
		}
	})
}

// The limit per hour applies to any hour, across runs.
func TestPerHourIsKeptAcrossRuns(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "archive.db")
		n := open(t, fakepaper.Options{Items: 25})
		n.options.PerSecond, n.options.PerHour = 5, 20
		var sent []time.Time
		complete := false
		for run := 0; run < 40 && !complete; run++ {
			a, err := archive.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			n.archive = a
			_, err = n.run(t)
			sent = append(sent, times(n.Requests())...)
			switch {
			case err == nil:
				n.checkComplete(t)
				complete = true
			case !errors.Is(err, fetch.ErrBudget) || !strings.Contains(err.Error(), "the next request may be sent at"):
				t.Fatal(err)
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Minute)
		}
		if !complete {
			t.Error("the mirror was never complete")
		}
		if got := most(sent, time.Hour); got != 20 {
			t.Errorf("%d requests in an hour, want 20", got)
		}
	})
}

// Requests recorded by a clock that was ahead delay later ones by the limit per second at
// most.
func TestClockPutBack(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 10})
		n.options.PerSecond = 5
		ahead := time.Now().Add(24 * time.Hour)
		for range 5 {
			if err := n.archive.Requests.Add(t.Context(), ahead); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		n.mustRun(t)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("the run took %s", took)
		}
	})
}

// Until the source has accepted the key, one request is in flight, and then as many as
// are allowed. No request waits for ever if the first one fails.
func TestOneRequestUntilTheFirstAnswer(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 30, Latency: time.Second})
		n.options.Concurrency = 8
		start := time.Now()
		n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if time.Since(start) < 3*time.Second && c.Operation != "articles" {
				t.Errorf("%s is asked for before the first answer", c.Operation)
			}
			if c.Attempt <= 2 && c.Operation == "articles" && c.List() && c.Skip == 0 {
				return &fakepaper.Fault{Cut: true}
			}
			return nil
		}
		n.mustRun(t)
		n.checkComplete(t)
		n.Faults = nil

		n.ClearLog()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/2, cancel)
		if _, err := fetch.Run(ctx, n.archive, n.options); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v of a run that is stopped before its first answer", err)
		}
	})
}
