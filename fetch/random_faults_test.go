package fetch_test

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// faultKinds are the 12 kinds of faults. Those of connections are imitated in the process;
// TestRandomFaultsOverNetwork has real connections.
var faultKinds = []struct {
	name  string
	fault fakepaper.Fault
}{
	{"reset", fakepaper.Fault{Cut: true}},
	{"half a body", fakepaper.Fault{Half: true}},
	{"HTML", *fakepaper.HTML()},
	{"empty", *fakepaper.Body(" ")},
	{"500", *fakepaper.Status(http.StatusInternalServerError)},
	{"502", *fakepaper.Status(http.StatusBadGateway)},
	{"503 with Retry-After", fakepaper.Fault{Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"1"}}}},
	{"429", fakepaper.Fault{Status: http.StatusTooManyRequests, Body: "Rate Limit Exceeded", Header: http.Header{"Retry-After": {"1"}}}},
	{"408", *fakepaper.Status(http.StatusRequestTimeout)},
	{"slow", fakepaper.Fault{Slow: 7 * time.Second}},
	{"truncated gzip", fakepaper.Fault{Gzip: true}},
	{"wrong JSON", *fakepaper.Body(`{"Id":"4`)},
}

// randomFaults has a share of the requests, in percent, meet one of the faults. The seed
// and the request decide which ones, not the order of arrival.
func randomFaults(seed uint64, percent int, slow time.Duration) func(fakepaper.Call) *fakepaper.Fault {
	return func(c fakepaper.Call) *fakepaper.Fault {
		h := fnv.New64a()
		fmt.Fprint(h, seed, c.Operation, c.ID, c.Skip, c.Attempt)
		n := mix(h.Sum64())
		if n%100 >= uint64(percent) || c.Operation == "picture" {
			return nil
		}
		fault := faultKinds[n/100%uint64(len(faultKinds))].fault
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

// totals are the results of the runs with all seeds.
type totals struct {
	records, first, ideal, sent int // first: there after the first run
	incomplete                  []uint64
}

// runWithFaults runs a synchronisation while requests fail. If records are missing
// afterwards, it runs another one, which meets other faults.
func runWithFaults(t *testing.T, percent int, seed uint64, sums *totals) {
	n := open(t, fakepaper.Options{Items: 60, Seed: seed, Key: key, Latency: 20 * time.Millisecond})
	path := n.onDisk(t)
	n.options.Concurrency, n.options.PageSize = 8, 50
	ideal := idealRequests(n.Records(), 50)
	n.Faults = randomFaults(seed, percent, 7*time.Second)
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
	sums.first += there
	if there < len(n.Records()) {
		sums.incomplete = append(sums.incomplete, seed)
		n.Faults = randomFaults(seed+1000, percent, 7*time.Second)
		report, err = n.run(t)
		checkSecret(t, report, err)
		sent += n.Count(all)
	}
	if percent <= 10 {
		n.checkComplete(t)
	}
	sums.records += len(n.Records())
	sums.ideal += ideal
	sums.sent += sent
	n.archive.Close()
	checkSecretFiles(t, filepath.Dir(path))
}

// idealRequests is a request for each record, and one for each page of a list:
// the empty one at the end included.
func idealRequests(records []fakepaper.Record, size int) int {
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

func TestRandomFaults(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, percent := range []int{10, 30} {
		t.Run(fmt.Sprintf("%d percent", percent), func(t *testing.T) {
			t.Parallel()
			var sums totals
			for seed := range uint64(seeds(1, 50)) {
				synctest.Test(t, func(t *testing.T) { runWithFaults(t, percent, seed, &sums) })
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			share := float64(sums.sent) / float64(sums.ideal)
			if percent == 10 && share > 1.3 {
				t.Errorf("%.2f times the requests, want 1.3 at most", share)
			}
			t.Logf("%d %% of requests fail, %d seeds: %d of %d records after one run, %.2f times the requests; seeds that took a second run: %v",
				percent, seeds(1, 50), sums.first, sums.records, share, sums.incomplete)
		})
	}
}
