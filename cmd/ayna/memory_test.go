package main

import (
	"os"
	"strconv"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A large mirror fits in 200 MiB: 100,000 records and their bodies, and then a
// run in which nothing has changed.
func TestMemoryOfALargeMirror(t *testing.T) {
	items := 100_000
	if text := os.Getenv("AYNA_ITEMS"); text != "" {
		items, _ = strconv.Atoi(text)
	}
	testrun.NeedsLong(t, "mirrors 100,000 items")
	s := startUpstream(t, fakepaper.Options{Items: items})
	p := newWorkdir(t, s, 32, "media: link\n")
	p.env = usualMemory
	for _, name := range []string{"the first run", "a run without a change"} {
		start := time.Now()
		s.ClearLog()
		c := p.startAyna(t, "sync", "--quiet")
		over, peak := make(chan struct{}), make(chan int)
		go func() { peak <- c.watchMemory(over) }()
		if code := c.wait(t, time.Hour); code != exitOK {
			t.Fatalf("exit code %d\n%s", code, c.err)
		}
		took := time.Since(start)
		close(over)
		megabytes := <-peak
		requests := len(s.Requests())
		if megabytes >= 200 {
			t.Errorf("%s took %d MiB, want less than 200", name, megabytes)
		}
		t.Logf("%s over %d records: %d MiB, %d requests in %s, %.0f a second",
			name, items, megabytes, requests, took.Round(time.Second), float64(requests)/took.Seconds())
	}
}
