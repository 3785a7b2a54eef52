package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A site of eight times the items, of ten years as well, takes about eight times
// the processor time, first and when nothing has changed, and little more
// memory. What is quadratic takes up to 64 times as much.
func TestNothingQuadratic(t *testing.T) {
	testrun.NeedsSlow(t, "measures processor time")
	items, most := 300, time.Duration(8) // what it takes in any case is shared by more
	if testrun.Long() {
		items, most = 12_500, 12 // and here hardly counts
	}
	few, many := measureSite(t, items), measureSite(t, 8*items)
	for i, name := range []string{"the first build", "a build without a change"} {
		if few[i].cpu*most < many[i].cpu {
			t.Errorf("%s: %s for %d items, %s for eight times as many", name, few[i].cpu, items, many[i].cpu)
		}
		const (
			each    = 8 << 10 // bytes of memory for each more item
			garbage = 64      // MiB that may be there before it is collected
		)
		if more := many[i].mib - few[i].mib; more > garbage+7*items*each>>20 {
			t.Errorf("%s: %d MiB for %d items, %d for eight times as many", name, few[i].mib, items, many[i].mib)
		}
		t.Logf("%s: %s, %d MiB for %d items; %s, %d MiB for eight times as many", name, few[i].cpu, few[i].mib, items, many[i].cpu, many[i].mib)
	}
}

// A cost is what a run took.
type cost struct {
	cpu time.Duration
	mib int
}

// measureSite builds a site of so many items twice.
func measureSite(t *testing.T, items int) (costs [2]cost) {
	p := &workdir{dir: t.TempDir(), env: usualMemory}
	config := "title: Deneme\nbase_url: https://ayna.example/\nmedia: link\nmarkdown: false\nfeeds: {formats: [atom]}\narchive: archive.db\n"
	if err := os.WriteFile(filepath.Join(p.dir, "site.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	fillYears(t, filepath.Join(p.dir, "archive.db"), items)
	for i := range costs {
		c := p.startCommand(t, "build", "--offline", "--quiet")
		over, peak := make(chan struct{}), make(chan int)
		go func() { peak <- c.watchMemory(over) }()
		code := c.wait(t, 30*time.Minute)
		close(over)
		costs[i] = cost{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), <-peak}
		if code != exitPartial && code != exitOK {
			t.Fatalf("exit code %d\n%s", code, c.err)
		}
	}
	return costs
}

// fillYears makes an archive of articles that are spread over ten years.
func fillYears(t *testing.T, name string, items int) {
	t.Helper()
	a := fakepaper.Open(t, name)
	defer a.Close()
	last := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	const years = 10 * 365 * 24 * time.Hour
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		for i := range items {
			date := last.Add(-years / time.Duration(items) * time.Duration(i))
			r := &archive.Record{Record: record.Record{Kind: record.Article, ID: fmt.Sprint(40_000_000 + i)}, Progress: archive.Progress{Listed: last}}
			r.Single = fmt.Appendf(nil, `{"Id":"%s","ContentType":"Article","StartDate":"%s","Path":"/bolum-%d/","Title":"Başlık %d","Tags":["etiket-%d"],"Text":"%s"}`,
				r.ID, date.Format(time.RFC3339), i%7, i, i%50, strings.Repeat("<p>Bir söz.</p>", 20))
			if err := fakepaper.Store(tx, r); err != nil {
				return err
			}
		}
		return nil
	})
}
