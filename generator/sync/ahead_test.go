package sync_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ayna/client/clienttest"
)

// Without limits a long list is read several pages at a time, never more of them
// than are allowed at once; with limits no request is made in vain.
func TestLongListsAreReadAhead(t *testing.T) {
	t.Parallel()
	const latency, pages = time.Second, 34 // of 300 articles, 10 a page, of which one is read twice
	for _, test := range []struct {
		name                 string
		concurrency, perHour int
		most                 time.Duration
		vain                 int
	}{
		{"one at a time", 1, 0, 50 * latency, 0},
		{"few at a time", 5, 0, 20 * latency, 4},
		{"many", 32, 0, 12 * latency, 8},
		{"limited", 32, 10_000, 50 * latency, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := open(t, clienttest.Options{Items: 500, Latency: latency})
				n.onlyLists(t)
				n.options.Concurrency, n.options.PerHour = test.concurrency, test.perHour
				start := time.Now()
				n.mustRun(t)
				asked := 0
				var last time.Time
				for _, r := range n.Requests() {
					if isArticles(r) {
						asked, last = asked+1, r.At
					}
				}
				if took := last.Sub(start); took > test.most || n.lost(t) > 0 {
					t.Errorf("the list took %s and lacks %d records", took, n.lost(t))
				}
				if asked > pages+test.vain+1 || n.MostInFlight() > test.concurrency {
					t.Errorf("%d requests, %d at once; want %d and %d more", asked, n.MostInFlight(), pages, test.vain)
				}
			})
		})
	}
}
