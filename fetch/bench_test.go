package fetch_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/testrun/fakepaper"
)

// A source 50 ms away answers 20 requests a second to each of 32 workers. The
// benchmark shows how near a first run without limits is to these 640.
func BenchmarkFirstRun(b *testing.B) {
	const latency, workers = 50 * time.Millisecond, 32
	for _, items := range []int{3_000} {
		b.Run(fmt.Sprint(items), func(b *testing.B) {
			for b.Loop() {
				s := fakepaper.Listen(b, fakepaper.Options{Items: items, Latency: latency})
				a, err := archive.Open(b.Context(), filepath.Join(b.TempDir(), "archive.db"))
				if err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				report, err := fetch.Run(b.Context(), a, fetch.Options{URL: s.Base, Open: readAPI(s.Base, ""), Concurrency: workers, PageSize: 50, Timeout: time.Minute})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(report.Requests.Sent)/time.Since(start).Seconds(), "requests/s")
				singles := 0
				var first, last time.Time
				for _, r := range s.Requests() {
					if r.List() {
						continue
					}
					if singles++; singles == 1 {
						first = r.At
					}
					last = r.At
				}
				b.ReportMetric(float64(singles)/last.Sub(first).Seconds(), "bodies/s")
				a.Close()
				s.Server.Close()
			}
		})
	}
}
