//go:build unix

package output_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ayna/generator/output"
	"ayna/testrun"
	"ayna/testrun/disk"
)

// TestDiskFullAsRoot: wherever the disk is full, the published site stays whole,
// the error says so, nothing is left that takes up space, and with space again
// the work is done.
func TestDiskFullAsRoot(t *testing.T) {
	mounted := filepath.Join(t.TempDir(), "disk")
	disk.Mount(t, mounted, "size=4m")
	first, next := make(tree), make(tree)
	for i := range 60 {
		first[fmt.Sprintf("a%d/%d.html", i%7, i)] = strings.Repeat("x", i*300)
		next[fmt.Sprintf("a%d/%d.html", i%7, i)] = strings.Repeat("y", i*300)
	}
	dir := filepath.Join(mounted, "public")
	publish(t, dir, first)
	publish(t, dir, disk.With(first, tree{"z.html": "z"}))
	publish(t, dir, first)
	step := testrun.Counts{Plain: 16, Long: 1}.Now()
	failed := 0
	for left := 0; left < 200; left += step { // pages of 4 KiB
		fill(t, mounted, left)
		_, err := output.Publish(t.Context(), dir, files(next), output.Options{Jobs: 2})
		if err == nil {
			break
		}
		failed++
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%d pages left: error %v", left, err)
		}
		checkContents(t, dir, first)
		if _, err := os.Stat(filepath.Join(mounted, ".public.ayna", "stage")); err == nil {
			t.Errorf("%d pages left: the work tree is still there", left)
		}
	}
	if failed == 0 {
		t.Error("the disk was never full")
	}
	if err := os.Remove(filepath.Join(mounted, "filler")); err != nil {
		t.Fatal(err)
	}
	publish(t, dir, next)
	checkContents(t, dir, next)
	checkHidden(t, dir)
}

// fill leaves so many pages of a disk free.
func fill(t *testing.T, mounted string, left int) {
	t.Helper()
	os.Remove(filepath.Join(mounted, "filler"))
	var stat syscall.Statfs_t
	if err := syscall.Statfs(mounted, &stat); err != nil {
		t.Fatal(err)
	}
	size := max(0, int(stat.Bavail)-left) * int(stat.Bsize)
	if err := os.WriteFile(filepath.Join(mounted, "filler"), make([]byte, size), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestModes: whatever the process masks, people can read the site.
func TestModes(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "public")
	for _, site := range []tree{small, disk.With(small, tree{"new/a.html": "a"}), disk.With(small, tree{"new/b/c.html": "a"})} {
		publish(t, dir, site)
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			info, _ := e.Info()
			if want := map[bool]fs.FileMode{true: 0o755, false: 0o644}[e.IsDir()]; info.Mode().Perm() != want {
				t.Errorf("%s has mode %o", path, info.Mode().Perm())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
