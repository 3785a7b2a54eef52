//go:build linux

package swap_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"ayna/generator/swap"
	"ayna/testrun/disk"
)

// TestCopyOfLargeFile: where a file cannot be linked, since it lies on another file
// system, it is copied in pieces.
func TestCopyOfLargeFile(t *testing.T) {
	const size = 64 << 20
	elsewhere, dir := disk.Elsewhere(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "film.mp4"), nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "film.mp4"), size); err != nil {
		t.Fatal(err)
	}
	from, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenRoot(elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := swap.CopyForeign(from, to, func(string) bool { return false }); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > size/8 {
		t.Errorf("the copy took %d bytes of memory", took)
	}
	if info, err := to.Stat("film.mp4"); err != nil || info.Size() != size || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
}
