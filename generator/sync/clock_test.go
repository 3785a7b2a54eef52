package sync_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"ayna/client/clienttest"
	"ayna/testrun"
)

// Clocks that are far apart are reported, since dates are compared.
func TestD52ClocksApart(t *testing.T) {
	for _, test := range []struct {
		ahead, reported time.Duration
	}{{0, 0}, {4 * time.Minute, 0}, {-4 * time.Minute, 0}, {3 * time.Hour, 3 * time.Hour}, {-6 * time.Minute, -6 * time.Minute}} {
		t.Run(test.ahead.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := open(t, clienttest.Options{Items: 12})
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

// Times that were saved by a clock that was ahead delay nothing: after sixty days as
// many requests were made as without it.
func TestL11ClockAheadPutsNothingOff(t *testing.T) {
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
	n := open(t, clienttest.Options{Items: seeds(20, 60)})
	n.Add(clienttest.Record{Group: "articles", ID: "59000001", Title: "Yeni", Path: "/bilinmeyen/", Created: time.Now(), Modified: time.Now()})
	n.options.Now = func() time.Time { return time.Now().Add(ahead) }
	n.Faults = func(c clienttest.Call) *clienttest.Fault {
		if c.ID == "48999999" {
			return clienttest.Status(http.StatusNotImplemented)
		}
		return nil
	}
	for range 3 {
		n.mustRun(t)
		time.Sleep(time.Hour)
	}
	n.options.Now, n.Faults = nil, nil
	n.Service.Filter = honours("Datetime'", "'") // none was found before
	asked := make(map[string]int)
	runs := seeds(60, 120)
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

// Pictures that could not be fetched by a clock that was ahead are tried again
// within a day, too.
func TestL11ClockAheadOfPictures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, clienttest.Options{Items: 8})
		n.withPictures(t)
		n.options.Now = func() time.Time { return time.Now().Add(365 * 24 * time.Hour) }
		n.Faults = func(c clienttest.Call) *clienttest.Fault {
			if c.Operation == "picture" {
				return clienttest.Status(http.StatusNotImplemented)
			}
			return nil
		}
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
