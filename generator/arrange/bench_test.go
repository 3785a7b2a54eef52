package arrange_test

import (
	"fmt"
	"runtime"
	"testing"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/server/newsroom"
)

// A newspaper of five thousand articles in twenty folders. B/item is what the
// arranged site holds.
func BenchmarkArrange(b *testing.B) {
	const n = 5000
	var records []*archive.Record
	for i := range n {
		r := article(fmt.Sprintf("%08d", i), fmt.Sprintf("/bölüm-%d/", i%20), fmt.Sprintf("Limanda %d. gün", i), i,
			"Url", fmt.Sprintf("http://www.haber.example/limanda-gun-%08d", i), "Tags", []string{fmt.Sprint("t", i%50), fmt.Sprint("u", i%7)},
			"RelatedNews", []any{ref(fmt.Sprintf("%08d", (i*7)%n), "")})
		records = append(records, r)
	}
	a, o := newsroom.Archive(b, records...), options(b)
	s := arranged(b, a, o) // gives the addresses out
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if s, err = arrange.Arrange(b.Context(), a, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/item")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	items := s.Home.Items.Len()
	s = nil
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(before.HeapAlloc-after.HeapAlloc)/float64(items), "B/item")
}
