package sync_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/generator/sync"
	"ayna/server/newsroom"
	"ayna/testrun"
)

// storm is the 12 kinds of faults. What a connection does is in the same
// process only like it; TestStormOverNetwork has the real thing.
var storm = []struct {
	name  string
	fault newsroom.Fault
}{
	{"reset", newsroom.Fault{Cut: true}},
	{"half a body", newsroom.Fault{Half: true}},
	{"HTML", *newsroom.HTML()},
	{"empty", *newsroom.Body(" ")},
	{"500", *newsroom.Status(http.StatusInternalServerError)},
	{"502", *newsroom.Status(http.StatusBadGateway)},
	{"503 with Retry-After", newsroom.Fault{Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"1"}}}},
	{"429", newsroom.Fault{Status: http.StatusTooManyRequests, Body: "Rate Limit Exceeded", Header: http.Header{"Retry-After": {"1"}}}},
	{"408", *newsroom.Status(http.StatusRequestTimeout)},
	{"slow", newsroom.Fault{Slow: 7 * time.Second}},
	{"truncated gzip", newsroom.Fault{Gzip: true}},
	{"wrong JSON", *newsroom.Body(`{"Id":"4`)},
}

// raging lets a share of the requests, in percent, meet one of the faults. The
// seed and the request decide, not the order of arrival.
func raging(seed uint64, percent int, slow time.Duration) func(newsroom.Call) *newsroom.Fault {
	return func(c newsroom.Call) *newsroom.Fault {
		h := fnv.New64a()
		fmt.Fprint(h, seed, c.Operation, c.ID, c.Skip, c.Attempt)
		n := mix(h.Sum64())
		if n%100 >= uint64(percent) || c.Operation == "picture" {
			return nil
		}
		fault := storm[n/100%uint64(len(storm))].fault
		if fault.Slow > 0 {
			fault.Slow = slow
		}
		return &fault
	}
}

// mix makes neighbouring numbers differ in all bits (the finalizer of
// SplitMix64).
func mix(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// weathered is what came of the storms of all seeds.
type weathered struct {
	records, first, ideal, sent int // first: there after the first run
	incomplete                  []uint64
}

// weather lets cron run over a storm, twice at the most: the second run, which
// the report of the first asks for by naming what failed, sees other weather.
func weather(t *testing.T, percent int, seed uint64, w *weathered) {
	n := open(t, newsroom.Options{Items: 120, Seed: seed, Key: key, Latency: 20 * time.Millisecond})
	path := n.onDisk(t)
	n.options.Concurrency, n.options.PageSize = 8, 50
	ideal := idealRequests(n.Records(), 50)
	n.Faults = raging(seed, percent, 7*time.Second)
	report, err := n.run(t)
	checkSecret(t, report, err)
	sent, there := n.Count(all), n.arrived(t)
	for _, c := range report.Kinds {
		if c.Gone+c.Withheld > 0 {
			t.Errorf("seed %d: %+v; nothing is gone", seed, *c)
		}
	}
	if err == nil && there < len(n.Records()) && len(report.Failed) == 0 {
		t.Errorf("seed %d: %d of %d records, and the report knows of no failure", seed, there, len(n.Records()))
	}
	w.first += there
	if there < len(n.Records()) {
		w.incomplete = append(w.incomplete, seed)
		n.Faults = raging(seed+1000, percent, 7*time.Second)
		report, err = n.run(t)
		checkSecret(t, report, err)
		sent += n.Count(all)
	}
	if percent <= 10 {
		n.checkComplete(t)
	}
	w.records += len(n.Records())
	w.ideal += ideal
	w.sent += sent
	n.archive.Close()
	checkSecretFiles(t, filepath.Dir(path))
}

// idealRequests is a request for each record, and one for each page of a list:
// the empty one at the end included.
func idealRequests(records []newsroom.Record, size int) int {
	inGroup := make(map[string]int)
	for _, r := range records {
		inGroup[r.Group]++
	}
	sum := len(records)
	for _, n := range inGroup {
		sum += (n + size - 1) / size
	}
	return sum
}

// arrived returns how many records are there with their single record.
func (n *mirror) arrived(t *testing.T) int {
	t.Helper()
	there := 0
	for r, err := range n.archive.Catalog.Scan(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if !r.Fetched.IsZero() && r.GoneAt.IsZero() {
			there++
		}
	}
	return there
}

func TestStorm(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, percent := range []int{10, 30} {
		t.Run(fmt.Sprintf("%d percent", percent), func(t *testing.T) {
			t.Parallel()
			var w weathered
			for seed := range uint64(seeds(2, 50)) {
				synctest.Test(t, func(t *testing.T) { weather(t, percent, seed, &w) })
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			share := float64(w.sent) / float64(w.ideal)
			if percent == 10 && share > 1.3 {
				t.Errorf("%.2f times the requests, want 1.3 at most", share)
			}
			t.Logf("%d %% of requests fail, %d seeds: %d of %d records after one run, %.2f times the requests; seeds that took a second run: %v",
				percent, seeds(2, 50), w.first, w.records, share, w.incomplete)
		})
	}
}

// If a source goes down after 60 % of a run, only a few more requests are sent.
func TestDownAfterSixtyPercent(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, status := range []int{http.StatusBadGateway, 0} {
		inVirtualTime(t, fmt.Sprint(status), func(t *testing.T) {
			n := open(t, newsroom.Options{Items: 200, Latency: 10 * time.Millisecond})
			ideal := idealRequests(n.Records(), 50)
			arrived := 0
			n.Faults = func(c newsroom.Call) *newsroom.Fault {
				if arrived++; arrived <= ideal*6/10 {
					return nil
				}
				return &newsroom.Fault{Status: status, Cut: status == 0, Body: "x"}
			}
			n.options.Concurrency, n.options.PageSize = 1, 50
			report, err := n.run(t)
			if !errors.Is(err, sync.ErrDown) {
				t.Fatalf("error %v, want ErrDown", err)
			}
			// Five records, four tries each, and the question for the date.
			if after := arrived - ideal*6/10; after > 5*4+1 {
				t.Errorf("%d requests to a source that is down", after)
			}
			before := n.arrived(t)
			if before < ideal/2 || report.Wanted == 0 {
				t.Errorf("%d records arrived, %d wanted", before, report.Wanted)
			}
			n.Faults = nil
			n.mustRun(t)
			n.checkComplete(t)
			t.Logf("%d requests after the end, %d of %d records kept; the next run asked for %d", arrived-ideal*6/10, before, len(n.Records()), n.Count(isSingle))
		})
	}
}

// Five broken records in a row are no outage if the source answers its date.
func TestPoisonedInARowIsNoOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 40})
		poisoned := func(c newsroom.Call) bool { return c.ID <= "48999996" && c.ID > "48999989" && len(c.ID) == 8 }
		n.Faults = func(c newsroom.Call) *newsroom.Fault {
			if poisoned(c) {
				return newsroom.Status(http.StatusInternalServerError)
			}
			return nil
		}
		n.options.Concurrency = 1
		report := n.mustRun(t)
		if len(report.Failed) != 7 {
			t.Errorf("%d failed, want the 7 that are poisoned", len(report.Failed))
		}
		if got, want := n.arrived(t), len(n.Records())-7; got != want {
			t.Errorf("%d records arrived, want %d", got, want)
		}
		if dates := n.Count(func(r newsroom.Request) bool { return r.Operation == "date" }); dates != 1 {
			t.Errorf("asked for the date %d times, want once", dates)
		}
	})
}

// Retries are at most fifty and a quarter of all requests, also if nearly all fail.
func TestRetryBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 300})
		n.Faults = func(c newsroom.Call) *newsroom.Fault {
			if !c.List() && c.Operation != "date" && !strings.HasSuffix(c.ID, "0") {
				return newsroom.Status(http.StatusInternalServerError)
			}
			return nil
		}
		n.options.Concurrency, n.options.PageSize = 8, 50
		if _, err := n.run(t); err != nil {
			t.Fatal(err)
		}
		asked := make(map[newsroom.Call]bool)
		retries := 0
		for _, r := range n.Requests() {
			call := r.Call
			call.Attempt = 0
			if asked[call] && r.Operation != "date" {
				retries++
			}
			asked[call] = true
		}
		if most := 50 + n.Count(all)/4; retries > most || retries < most*9/10 {
			t.Errorf("%d retries of %d requests, want %d at most, and nearly all of them", retries, n.Count(all), most)
		}
	})
}

// With few records, each failing one is requested four times.
func TestRetryBudgetIsNotWasted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 26})
		broken := func(c newsroom.Call) bool { return len(c.ID) == 8 }
		n.Faults = func(c newsroom.Call) *newsroom.Fault {
			if broken(c) {
				return newsroom.Status(http.StatusInternalServerError)
			}
			return nil
		}
		n.options.Concurrency = 1
		n.mustRun(t)
		if tries := n.Count(func(r newsroom.Request) bool { return broken(r.Call) }); tries != 4*26 {
			t.Errorf("%d tries for 26 records, want 4 each", tries)
		}
	})
}

// A key that is revoked during a run ends it at once, and nothing is lost.
func TestKeyWithdrawnMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 100, Key: key, Latency: 10 * time.Millisecond})
		n.Faults = func(c newsroom.Call) *newsroom.Fault {
			if !c.List() && len(c.ID) == 8 && c.ID < "48999970" {
				return &newsroom.Fault{Status: http.StatusUnauthorized, Body: `{"message":"bad key ` + key + `"}`}
			}
			return nil
		}
		report, err := n.run(t)
		if !errors.Is(err, sync.ErrKey) {
			t.Errorf("error %v, want ErrKey", err)
		}
		checkSecret(t, report, err)
		if refused := n.Count(func(r newsroom.Request) bool { return r.Status == http.StatusUnauthorized }); refused > n.options.Concurrency {
			t.Errorf("%d requests with a refused key", refused)
		}
		n.Faults = nil
		n.mustRun(t)
		n.checkComplete(t)
	})
}
