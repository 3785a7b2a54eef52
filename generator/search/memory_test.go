package search_test

import (
	"context"
	"io"
	"runtime"
	"testing"

	"ayna/generator/search"
	"ayna/testrun"
)

// TestMemory: what the index needs while it is made follows from its largest segment, and not
// from the number of items; only the dictionary, which has each word once, grows with these.
func TestMemory(t *testing.T) {
	testrun.NotShort(t)
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	peak := func(p *paper) (most uint64) {
		r := search.NewOf(p.site, p.teasers, p.textsOf)
		r.Cut(400)
		before, files := live(), 0
		for f, err := range r.Files(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Write(context.Background(), io.Discard); err != nil {
				t.Fatal(err)
			}
			if files++; files%200 == 0 {
				if now := live(); now > before {
					most = max(most, now-before)
				}
			}
		}
		return most
	}
	words := vocabulary()
	small, large := peak(print(t, 800, words.news)), peak(print(t, 2_400, words.news))
	t.Logf("%d KiB for 800 items, %d for 2,400", small>>10, large>>10)
	if large > small*3/2 || large > 24<<20 {
		t.Errorf("%d KiB for 800 items, %d for 2,400", small>>10, large>>10)
	}
}
