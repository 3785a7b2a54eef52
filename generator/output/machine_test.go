//go:build unix

package output_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ayna/generator/output"
	"ayna/generator/release"
)

// TestL01DiskFull: wherever the disk is full, the published site stays whole,
// the error says so, nothing is left that takes up space, and with space again
// the work is done.
func TestL01DiskFull(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "disk")
	mount(t, disk, "4m")
	first, next := make(tree), make(tree)
	for i := range 60 {
		first[fmt.Sprintf("a%d/%d.html", i%7, i)] = strings.Repeat("x", i*300)
		next[fmt.Sprintf("a%d/%d.html", i%7, i)] = strings.Repeat("y", i*300)
	}
	dir := filepath.Join(disk, "public")
	publish(t, dir, first)
	publish(t, dir, with(first, tree{"z.html": "z"}))
	publish(t, dir, first)
	step := 8
	if os.Getenv("AYNA_LONG") != "" {
		step = 1
	}
	failed := 0
	for left := 0; left < 200; left += step { // pages of 4 KiB
		fill(t, disk, left)
		_, err := output.Publish(t.Context(), dir, next.files(), output.Options{Jobs: 2})
		if err == nil {
			break
		}
		failed++
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%d pages left: error %v", left, err)
		}
		checkContents(t, dir, first)
		if _, err := os.Stat(filepath.Join(disk, ".public.ayna", "stage")); err == nil {
			t.Errorf("%d pages left: the work tree is still there", left)
		}
	}
	if failed == 0 {
		t.Error("the disk was never full")
	}
	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	publish(t, dir, next)
	checkContents(t, dir, next)
	checkHidden(t, dir)
}

// fill leaves so many pages of a disk free.
func fill(t *testing.T, disk string, left int) {
	t.Helper()
	os.Remove(filepath.Join(disk, "filler"))
	var stat syscall.Statfs_t
	if err := syscall.Statfs(disk, &stat); err != nil {
		t.Fatal(err)
	}
	size := max(0, int(stat.Bavail)-left) * int(stat.Bsize)
	if err := os.WriteFile(filepath.Join(disk, "filler"), make([]byte, size), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestL04ReadOnly: a place that cannot be written to is found out before the
// work.
func TestL04ReadOnly(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "disk")
	mount(t, disk, "4m")
	dir := filepath.Join(disk, "public")
	publish(t, dir, small)
	remount(t, disk, "ro")
	defer remount(t, disk, "rw")
	if err := release.Check(dir); !errors.Is(err, syscall.EROFS) {
		t.Errorf("ready: %v", err)
	}
	if _, err := output.Publish(t.Context(), dir, tree{"index.html": "HOME"}.files(), output.Options{Jobs: 1}); !errors.Is(err, syscall.EROFS) {
		t.Errorf("publish: %v", err)
	}
	checkContents(t, dir, small)
}

// TestL09TwoRuns: two runs do not publish to one place at once.
func TestL09TwoRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	_, err := output.Publish(t.Context(), dir, func(yield func(output.File, error) bool) {
		if _, err := output.Publish(t.Context(), dir, small.files(), output.Options{}); !errors.Is(err, release.ErrLocked) {
			t.Errorf("the second run: %v", err)
		}
		if err := output.Rollback(dir); !errors.Is(err, release.ErrLocked) {
			t.Errorf("going back: %v", err)
		}
		for file := range small.files() {
			yield(file, nil)
		}
	}, output.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	checkContents(t, dir, small)
}

// TestL21Modes: whatever the process masks, people can read the site.
func TestL21Modes(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "public")
	for _, site := range []tree{small, with(small, tree{"new/a.html": "a"}), with(small, tree{"new/b/c.html": "a"})} {
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

// TestHiddenFolderTaken: what is in the place of the hidden folder is not
// touched.
func TestHiddenFolderTaken(t *testing.T) {
	outer := t.TempDir()
	write(t, outer, "victim/file", "untouched")
	for name, make := range map[string]func(string) error{
		"L19 a link": func(name string) error { return os.Symlink("victim", name) },
		"a file":     func(name string) error { return os.WriteFile(name, nil, 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			hidden := filepath.Join(outer, ".public.ayna")
			if err := make(hidden); err != nil {
				t.Fatal(err)
			}
			defer os.Remove(hidden)
			_, err := output.Publish(t.Context(), filepath.Join(outer, "public"), small.files(), output.Options{Jobs: 1})
			if !errors.Is(err, release.ErrPlace) {
				t.Errorf("error %v", err)
			}
			if got := contents(t, filepath.Join(outer, "victim")); !maps.Equal(got, tree{"file": "untouched"}) {
				t.Errorf("beside the tree: %q", got)
			}
		})
	}
}

// TestB08NothingChanged: no file is written, beside the tree neither.
func TestB08NothingChanged(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "public")
	for _, n := range []string{"1", "2", "3"} {
		publish(t, dir, with(small, tree{"index.html": n}))
	}
	age(t, outer)
	folder, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, publish(t, dir, with(small, tree{"index.html": "3"})), [4]int{0, 4, 0, 0})
	if again := touched(t, outer); len(again) > 0 {
		t.Errorf("written: %v", again)
	}
	if now, err := os.Stat(dir); err != nil || !os.SameFile(folder, now) || !now.ModTime().Equal(folder.ModTime()) {
		t.Error("the tree was exchanged")
	}
}

func remount(t *testing.T, dir, how string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+how, dir).CombinedOutput(); err != nil {
		t.Fatalf("remount: %s", out)
	}
}
