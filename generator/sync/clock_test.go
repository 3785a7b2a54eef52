package sync_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"ayna/generator/sync/upstream"
)

// Clocks that are far apart are told of, since dates are compared.
func TestD52ClocksApart(t *testing.T) {
	for _, test := range []struct {
		ahead, told time.Duration
	}{{0, 0}, {4 * time.Minute, 0}, {-4 * time.Minute, 0}, {3 * time.Hour, 3 * time.Hour}, {-6 * time.Minute, -6 * time.Minute}} {
		t.Run(test.ahead.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := open(t, upstream.Options{Items: 12})
				n.options.Hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Date", time.Now().Add(test.ahead).UTC().Format(http.TimeFormat))
					n.ServeHTTP(w, r)
				})
				if report := n.mustRun(t); time.Duration(report.Requests.Ahead)*time.Second != test.told {
					t.Errorf("told of %ds, want %s", report.Requests.Ahead, test.told)
				}
			})
		})
	}
}
