package fetch_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive/schedule"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// rare is what few texts of the service hold.
const rare = "deniz"

// The order of fetching: editorial pages, records without a text (newest first), records
// whose text a search has shown, and at last writers and folders.
func TestOrderOfBodies(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 60, Seed: 3})
		n.options.Concurrency, n.options.Searches = 1, []string{rare}
		n.mustRun(t)
		created := make(map[string]time.Time)
		class := make(map[string]int)
		hits := 0
		for _, r := range n.Records() {
			key := r.Group + r.ID
			created[key] = r.Created
			switch {
			case r.Group == "pages":
				class[key] = 0
			case r.Group == "writers" || r.Group == "paths":
				class[key] = 3
			case strings.Contains(r.Title+" "+r.Text, rare):
				class[key] = 2
				hits++
			default:
				class[key] = 1
			}
		}
		if hits < 3 || hits > 20 {
			t.Fatalf("%d hits of 60", hits)
		}
		var before string
		for _, r := range n.Requests() {
			if !isSingle(r) || r.Operation == "search" {
				continue
			}
			key := r.Operation + r.ID
			if before != "" && (class[key] < class[before] || (class[key] == class[before] && class[key] < 3 && created[key].After(created[before]))) {
				t.Errorf("%s was asked for after %s", key, before)
			}
			before = key
		}
	})
}

// The text of a search hit is in the archive before its single record is fetched, which
// costs one request.
func TestHitsAreReadAtOnce(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 60, Seed: 3})
		n.options.Concurrency, n.options.Searches = 1, []string{rare}
		n.Faults = meeting(fakepaper.Status(http.StatusNotFound), func(c fakepaper.Call) bool { return c.Operation != "search" && !c.List() })
		n.mustRun(t)
		n.Faults = nil
		shown := 0
		for _, want := range n.Records()[:60] {
			got, err := n.archive.Records.Get(t.Context(), want.Kind(), want.ID)
			if err != nil {
				t.Fatal(err)
			}
			content, err := record.ContentOf(&got.Record)
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			if strings.Contains(want.Title+" "+want.Text, rare) {
				text = want.Text
				shown++
			}
			if content.Text != text || got.Single != nil {
				t.Errorf("%s %s shows %q, want %q", want.Group, want.ID, content.Text, text)
			}
		}
		if shown < 3 {
			t.Errorf("%d hits", shown)
		}
		fetched := make(map[string]int)
		n.options.Budget = 25
		for range 12 {
			if _, err := n.run(t); err != nil && !errors.Is(err, fetch.ErrBudget) {
				t.Fatal(err)
			}
			for _, r := range n.Requests() {
				if isSingle(r) && r.Operation != "search" {
					fetched[r.Operation+r.ID]++
				}
			}
			time.Sleep(time.Minute)
		}
		n.checkComplete(t)
		for key, times := range fetched {
			if times > 1 {
				t.Errorf("%s was fetched %d times", key, times)
			}
		}
		if len(fetched) != len(n.Records()) {
			t.Errorf("%d records fetched, want %d", len(fetched), len(n.Records()))
		}
	})
}

// No version of a record is fetched twice.
func TestEachVersionIsFetchedOnce(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 30})
		time.Sleep(time.Until(afterAll))
		n.options.Kinds = []record.Kind{record.Article, record.Gallery, record.Video}
		n.options.Searches = []string{"liman"}
		rounds := seeds(20, 40)
		fetched, want := make(map[string]int), make(map[string]int)
		for _, r := range n.Records() {
			if r.Group != "columns" && r.Group != "pages" {
				want[r.Group+r.ID] = 1
			}
		}
		for round := range rounds {
			n.mustRun(t)
			for _, r := range n.Requests() {
				if isSingle(r) && r.Operation != "search" {
					fetched[r.Operation+r.ID]++
				}
			}
			time.Sleep(8 * time.Minute) // so that nothing is due again
			if round < rounds-1 {
				r := n.articles()[round%15]
				n.Edit(r.Group, r.ID, func(r *fakepaper.Record) { r.Text, r.Modified = fmt.Sprint("<p>", round, "</p>"), time.Now() })
				want[r.Group+r.ID]++
			}
		}
		for key, times := range want {
			if fetched[key] != times {
				t.Errorf("%s was fetched %d times in %d versions", key, fetched[key], times)
			}
		}
	})
}

// Single records are fetched again: soon after publication often, later rarely,
// and within bounds.
func TestRecheckDecays(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: seeds(10, 20)})
		time.Sleep(time.Until(afterAll))
		start := time.Now()
		n.Add(fakepaper.Record{Group: "columns", ID: "50000001", Title: "Yeni", Text: "<p>Yeni</p>", Path: "/yazarlar/", Created: start})
		every := time.Duration(seeds(12, 1)) * time.Hour
		fetched := make(map[string][]time.Time)
		created := make(map[string]time.Time)
		for _, r := range n.Records() {
			created[r.Group+r.ID] = r.Created
		}
		requests, runs := 0, 0
		for ; time.Since(start) < 30*24*time.Hour; runs++ {
			n.mustRun(t)
			requests += n.Count(all)
			for _, r := range n.Requests() {
				if isSingle(r) {
					fetched[r.Operation+r.ID] = append(fetched[r.Operation+r.ID], r.At)
				}
			}
			time.Sleep(every)
		}
		sums := make(map[string]int)
		for key, times := range fetched {
			group := strings.TrimRight(key, "0123456789abcdef")
			sums[group] += len(times)
			if group == "paths" {
				if len(times) != 1 {
					t.Errorf("%s was fetched %d times", key, len(times))
				}
				continue
			}
			for i, at := range times[1:] {
				due := dueAfter(group, times[i].Sub(created[key]))
				if gap := at.Sub(times[i]); gap < due || gap > due+every {
					t.Errorf("%s: fetched again after %s, want %s", key, gap, due)
				}
			}
			last := times[len(times)-1]
			if due := dueAfter(group, last.Sub(created[key])); time.Since(last) > due+2*every {
				t.Errorf("%s: last fetched %s ago, it was due after %s", key, time.Since(last), due)
			}
		}
		fresh := len(fetched["columns50000001"])
		t.Logf("30 days, a run every %s: %d requests in %d runs; single records by group %v; a new column %d times", every, requests, runs, sums, fresh)
		if fresh < 8 || fresh > 20 {
			t.Errorf("a new column was fetched %d times in a month", fresh)
		}
	})
}

// dueAfter returns when a record is due to be fetched again that had this age
// when it was fetched.
func dueAfter(group string, age time.Duration) time.Duration {
	switch {
	case group == "pages":
		return min(6*time.Hour, max(time.Hour, age/3))
	case age < 24*time.Hour:
		return schedule.Intervals[0]
	case age < 7*24*time.Hour:
		return schedule.Intervals[1]
	case age < 30*24*time.Hour:
		return schedule.Intervals[2]
	}
	return schedule.Intervals[3]
}

// Rechecks come last and wait for the budget.
func TestRecheckStaysInTheBudget(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 60})
		n.mustRun(t)
		time.Sleep(90 * 24 * time.Hour) // every column and writer is due
		n.Add(fakepaper.Record{Group: "articles", ID: "50000001", Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/", Created: time.Now(), Modified: time.Now()})
		n.options.Concurrency, n.options.PerHour = 1, 40
		for hour := 0; ; hour++ {
			_, err := n.run(t)
			if sent := n.Count(all); sent > 40 {
				t.Fatalf("%d requests in an hour of 40", sent)
			}
			if hour == 0 {
				order := slices.DeleteFunc(n.Requests(), func(r fakepaper.Request) bool {
					return r.List() || (r.Operation != "articles" && r.Operation != "columns")
				})
				if len(order) == 0 || order[0].ID != "50000001" {
					t.Errorf("the new record was not the first: %v", order)
				}
			}
			if err == nil {
				break
			}
			if !errors.Is(err, fetch.ErrBudget) || hour > 10 {
				t.Fatal(err)
			}
			time.Sleep(61 * time.Minute)
		}
		n.checkComplete(t)
	})
}

// A record that always fails is retried with exponential backoff and delays no other.
func TestPoisonIsPostponed(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	synctest.Test(t, poisoned)
}

// poisoned has records meet a fault for ever.
func poisoned(t *testing.T) {
	down, refused := fakepaper.Status(http.StatusInternalServerError), tooMany("1")
	poison := map[string]*fakepaper.Fault{"48999999": down, "48999998": refused, "48999996": down, "48999994": refused, "48999992": down}
	n := open(t, fakepaper.Options{Items: 10, Faults: func(c fakepaper.Call) *fakepaper.Fault { return poison[c.ID] }})
	n.keepOnly(record.Article)
	time.Sleep(time.Until(afterAll))
	start := time.Now()
	tried := make(map[string][]time.Time)
	for i := 0; time.Since(start) < 4*24*time.Hour; i++ {
		id := fmt.Sprint(50_000_000 + i)
		n.Add(fakepaper.Record{Group: "articles", ID: id, Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/", Created: time.Now(), Modified: time.Now()})
		report := n.mustRun(t)
		if got, err := n.archive.Records.Get(t.Context(), record.Article, id); err != nil || got.Single == nil {
			t.Fatalf("run %d: the new record is not there, %v", i, err)
		}
		for _, r := range n.Requests() {
			if poison[r.ID] != nil && r.Attempt == 1 {
				tried[r.ID] = append(tried[r.ID], r.At)
			}
		}
		if report.Wanted < len(poison) {
			t.Fatalf("run %d: %d wanted", i, report.Wanted)
		}
		time.Sleep(time.Duration(seeds(60, 20)) * time.Minute)
	}
	if len(tried) != len(poison) {
		t.Errorf("%d records were tried", len(tried))
	}
	for id, times := range tried {
		for i := 2; i < len(times)-1; i++ {
			if before, gap := times[i].Sub(times[i-1]), times[i+1].Sub(times[i]); gap <= before {
				t.Errorf("%s: tried after %s, and then after %s", id, before, gap)
			}
		}
		if len(times) < 5 || len(times) > 10 {
			t.Errorf("%s: tried %d times in four days", id, len(times))
		}
	}
	clear(poison)
	time.Sleep(8 * 24 * time.Hour)
	n.mustRun(t)
	n.checkComplete(t)
	t.Logf("five poison records, tried in four days: %v", len(tried["48999999"]))
}
