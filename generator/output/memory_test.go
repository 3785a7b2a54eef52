package output_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"testing"

	"ayna/generator/output"
)

// held is what a publishing holds on to when all files have been handed to it.
type held struct {
	bytes   float64 // of each file
	scanned float64 // of these, that the garbage collector looks through
}

// holds publishes a number of files, of a version of the site.
func holds(t testing.TB, dir string, files, version int) (h held) {
	t.Helper()
	scanned := []metrics.Sample{{Name: "/gc/scan/heap:bytes"}}
	measure := func() (bytes, scan float64) {
		var now runtime.MemStats
		runtime.GC()
		runtime.GC() // what was swept says how much is looked through
		runtime.ReadMemStats(&now)
		metrics.Read(scanned)
		return float64(now.HeapAlloc), float64(scanned[0].Value.Uint64())
	}
	bytes, scan := measure()
	_, err := output.Publish(t.Context(), dir, func(yield func(output.File, error) bool) {
		for i := range files {
			file := output.File{Path: fmt.Sprintf("f%d/%d.html", i%40, i)}
			file.Write = func(_ context.Context, w io.Writer) error { _, err := fmt.Fprint(w, i, version); return err }
			if !yield(file, nil) {
				return
			}
		}
		nowBytes, nowScan := measure()
		h = held{(nowBytes - bytes) / float64(files), (nowScan - scan) / float64(files)}
	}, output.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestMemory: a file takes about a hundred bytes while a site is published,
// whether it is new, stays or changes, and they cost no garbage collection
// anything.
func TestMemory(t *testing.T) {
	const files = 4_000
	dir := filepath.Join(t.TempDir(), "public")
	for round, version := range []int{0, 0, 1} {
		h := holds(t, dir, files, version)
		t.Logf("round %d: %.1f bytes of a file, %.1f of them looked through", round, h.bytes, h.scanned)
		if h.bytes > 260 || h.scanned > 90 {
			t.Errorf("round %d: %.1f bytes of a file are held, and %.1f of them looked through", round, h.bytes, h.scanned)
		}
	}
}
