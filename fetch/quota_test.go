package fetch_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"ayna/fetch"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// hourly is a mirror that cron synchronises every hour.
type hourly struct {
	*mirror
	start  time.Time
	hours  int // runs so far
	sent   int
	report *fetch.Report // of the latest
}

func openHourly(t *testing.T, o fakepaper.Options) *hourly {
	t.Helper()
	o.Key = key
	n := open(t, o)
	// What is checked again depends on how old it is.
	time.Sleep(time.Until(n.Records()[0].Created.Add(time.Hour)))
	n.options.PerSecond, n.options.PerHour, n.options.PageSize, n.options.Concurrency = o.Quota.PerSecond, o.Quota.PerHour, 50, 8
	return &hourly{mirror: n, start: time.Now()}
}

// run makes the next hour's run, and reports whether every single record has
// arrived.
func (h *hourly) run(t *testing.T) (complete bool) {
	t.Helper()
	time.Sleep(time.Until(h.start.Add(time.Duration(h.hours) * time.Hour)))
	h.hours++
	report, err := h.mirror.run(t)
	if err != nil && !errors.Is(err, fetch.ErrBudget) {
		t.Fatalf("hour %d: %v", h.hours, err)
	}
	if len(report.Failed) > 0 {
		t.Fatalf("hour %d: failed: %+v", h.hours, report.Failed[0])
	}
	h.sent += h.Count(all)
	checkSecret(t, report, err)
	h.report = report
	for r, err := range h.archive.Catalog.Scan(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Fetched.IsZero() {
			return false
		}
	}
	return true
}

func (h *hourly) checkQuota(t *testing.T) {
	t.Helper()
	if excess := h.Excess(); excess != (fakepaper.Excess{}) {
		t.Errorf("requests above the quota: %+v", excess)
	}
}

// A week of hourly runs stays within the quota, and the mirror is complete in
// nearly the time that the quota allows.
func TestWeekWithinQuota(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	// The heads of the lists cost every hour's quota the same, so a smaller one
	// would not do for the bound.
	items, quota := 450, fakepaper.Quota{PerSecond: 5, PerHour: 250, SendHeaders: true}
	if testrun.Long() {
		items, quota = 10_000, fakepaper.Quota{PerSecond: 5, PerHour: 500, SendHeaders: true}
	}
	synctest.Test(t, func(t *testing.T) {
		h := openHourly(t, fakepaper.Options{Items: items, Quota: quota, Latency: 40 * time.Millisecond})
		records := h.Records()
		pages := make(map[string]int)
		for _, r := range records {
			pages[r.Group]++
		}
		needed := len(records)
		for _, n := range pages {
			needed += (n + 49) / 50
		}
		ideal := (needed + quota.PerHour - 1) / quota.PerHour
		complete := 0
		for h.hours < 7*24 {
			if done := h.run(t); done && complete == 0 {
				complete = h.hours
				h.checkComplete(t)
			}
			if complete > 0 && !testrun.Long() && h.hours > complete+3 {
				break
			}
		}
		h.checkQuota(t)
		// A run that begins with the last minute of an hour's quota is one more.
		if most := ideal + max(1, ideal/10); complete == 0 || complete > most {
			t.Errorf("complete after %d hours, want %d at most", complete, most)
		}
		t.Logf("%d records, %d/s and %d/h: %d requests needed, %d hours; complete after %d; %d requests in %d hours, above the quota: %+v",
			len(records), quota.PerSecond, quota.PerHour, needed, ideal, complete, h.sent, h.hours, h.Excess())
	})
}

// A large source: the lists come first, and after them bodies arrive every day,
// though later passes over the lists have their share.
func TestLargeSourceWithinQuota(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	items, quota, week := 400, fakepaper.Quota{PerSecond: 5, PerHour: 50}, 8
	if testrun.Long() {
		items, quota, week = 100_000, fakepaper.Quota{PerSecond: 5, PerHour: 500}, 7*24
	}
	synctest.Test(t, func(t *testing.T) {
		h := openHourly(t, fakepaper.Options{Items: items, Quota: quota})
		all := len(h.Records())
		listed, first, fetched := 0, 0, 0
		for h.hours < week {
			h.run(t)
			for _, c := range h.report.Kinds {
				fetched += c.Fetched
				listed += c.New
			}
			if fetched > 0 && first == 0 {
				first = h.hours
				if listed != all {
					t.Errorf("hour %d: bodies arrive, and %d of %d records are listed", h.hours, listed, all)
				}
			}
			if h.report.CompleteAt == nil {
				t.Errorf("hour %d: the report does not say when the mirror is complete", h.hours)
			}
		}
		h.checkQuota(t)
		if first == 0 || first > 24 {
			t.Errorf("the first body arrived in hour %d, want it on the first day", first)
		}
		if least := (week - first) * quota.PerHour / 2; fetched < least {
			t.Errorf("%d bodies in %d hours, want %d at least", fetched, week, least)
		}
		t.Logf("%d records, %d/h: listed and first body in hour %d, %d bodies after %d hours, %d requests, above the quota: %+v",
			all, quota.PerHour, first, fetched, week, h.sent, h.Excess())
	})
}

// A request is counted if the run is killed before or after it is sent.
func TestKilledRunHasCountedItsRequests(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		const perHour = 20
		quota := fakepaper.Quota{PerSecond: 5, PerHour: perHour}
		n := open(t, fakepaper.Options{Items: 60, Quota: quota})
		path := n.onDisk(t)
		killed := filepath.Join(t.TempDir(), "archive.db")
		arrived := 0
		n.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if arrived++; arrived == 13 {
				copyArchive(t, path, killed) // as a kill leaves it, before the answer
			}
			return nil
		}
		n.options.Concurrency, n.options.PerSecond, n.options.PerHour = 1, quota.PerSecond, quota.PerHour
		n.options.Budget = 13
		n.run(t)
		n.Faults, n.options.Budget = nil, 0
		n.archive = fakepaper.Open(t, killed)
		report, err := n.run(t)
		if !errors.Is(err, fetch.ErrBudget) || n.Count(all) != perHour-13 {
			t.Errorf("error %v, %d requests after 13 of %d", err, n.Count(all), perHour)
		}
		if report.HourLeft == nil || *report.HourLeft != 0 {
			t.Errorf("%v requests are left in the report", report.HourLeft)
		}
		if excess := n.Excess(); excess != (fakepaper.Excess{}) {
			t.Errorf("requests above the quota: %+v", excess)
		}
	})
}

func copyArchive(t *testing.T, from, to string) {
	for _, suffix := range []string{"", "-wal"} {
		source, err := os.Open(from + suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Error(err)
			return
		}
		defer source.Close()
		target, err := os.Create(to + suffix)
		if err == nil {
			_, err = io.Copy(target, source)
			err = errors.Join(err, target.Close())
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// A source without a quota may send huge limits, as this program's own server does;
// requests are not recorded then.
func TestQuotaBeyondUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const beyond = 1_000_000_000
		n := open(t, fakepaper.Options{Items: 5, Quota: fakepaper.Quota{PerSecond: beyond, PerHour: beyond, SendHeaders: true}})
		n.options.PerSecond, n.options.PerHour = 0, 0
		if _, err := n.run(t); err != nil {
			t.Fatal(err)
		}
		sent, err := n.archive.Requests.Since(t.Context(), time.Time{})
		if err != nil || len(sent) > 0 || n.Count(all) < 10 {
			t.Errorf("%d of %d requests entered, %v", len(sent), n.Count(all), err)
		}
	})
}
