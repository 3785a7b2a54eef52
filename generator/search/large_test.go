package search_test

import (
	"context"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/testrun"
)

// memory returns the bytes of living objects, and those that the Go runtime has from the
// operating system.
func memory() (living, all uint64) {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return now.HeapAlloc, samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// TestLarge makes an index of items of 300 words that are made when they are read, and asks
// it: neither the index nor the memory that making it needs is larger than docs/search.md has it.
func TestLarge(t *testing.T) {
	testrun.NotShort(t)
	n := testrun.Counts{Plain: 2_000, Slow: 20_000, Long: 1_000_000}.Now()
	z := vocabulary()
	p := print(t, n, func(*rand.Rand, int) (title, spot, text string) { return "ortak", "", "" })
	words := func(item site.Item) (title, spot, text string) {
		r := rand.New(rand.NewPCG(uint64(item.Row()), 2))
		some := func(least, most int) string {
			var b strings.Builder
			for range least + r.IntN(most-least) {
				// By Zipf's law, as z.text has them, but faster.
				b.WriteString(z.words[int(2*math.Pow(float64(len(z.words)+2)/2, r.Float64()))-2])
				b.WriteByte(' ')
			}
			return b.String()
		}
		return "ortak " + some(6, 12), some(15, 40), some(200, 400)
	}
	r := search.NewOf(p.site, func(_ context.Context, items []site.Item) (all []story.Teaser, err error) {
		for _, item := range items {
			title, spot, _ := words(item)
			all = append(all, story.Teaser{Item: item, Title: title, Spot: spot})
		}
		return all, nil
	}, func(_ context.Context, items []site.Item) (all []string, err error) {
		for _, item := range items {
			_, _, text := words(item)
			all = append(all, text)
		}
		return all, nil
	})
	dir := t.TempDir()
	debug.FreeOSMemory()
	start := testrun.CPU()
	for item := range p.site.Home.Items.All() {
		words(item)
	}
	making := 4 * (testrun.CPU() - start) // of words: each item's are read four times
	livingBefore, allBefore := memory()
	living, all := uint64(0), uint64(0)
	start = testrun.CPU()
	files, bytes := 0, 0
	for file, err := range r.Files(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, file.Path, func(w io.Writer) error { return file.Write(ctx, w) })
		if files++; files%500 == 0 {
			nowLiving, nowAll := memory()
			living, all = max(living, nowLiving-livingBefore), max(all, nowAll-allBefore)
		}
	}
	cpu := testrun.CPU() - start - making
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Size() > int64(limitOf(path)) {
			t.Errorf("%s has %d bytes", path, info.Size())
		}
		bytes += int(info.Size())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	counted := &counted{FS: os.DirFS(dir), sizes: make(map[string]int)}
	x, err := search.Open(counted, "arama")
	if err != nil {
		t.Fatal(err)
	}
	var loads []int
	early := 0
	for _, query := range asked(z) {
		s := x.Search(query)
		for range 2 {
			_, bytes := press(t, s, counted)
			if loads = append(loads, bytes); bytes > search.PageSize {
				t.Errorf("%+v loads %d bytes", query, bytes)
			}
		}
		early += s.Early
	}
	slices.Sort(loads)
	if living > 32<<20 { // the garbage collector lets it grow to twice as much
		t.Errorf("%d MiB of memory are in use", living>>20)
	}
	t.Logf("%d items: %d files, %d bytes, %v of CPU, %d MiB of memory, %d MiB in use; of %d pages the median loads %d bytes, the worst %d; %d end early",
		n, files, bytes, cpu.Round(100*time.Millisecond), all>>20, living>>20, len(loads), loads[len(loads)/2], loads[len(loads)-1], early)
}
