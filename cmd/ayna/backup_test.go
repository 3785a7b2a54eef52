//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayna/testrun"
)

// A backup that is killed leaves the one before it, or one that is complete, and nothing
// in the way of the next.
func TestKilledBackup(t *testing.T) {
	t.Parallel()
	dir := mirrorPlace(t).dir
	to := filepath.Join(t.TempDir(), "copy")
	run := func(dir string, args ...string) *exec.Cmd {
		c := exec.Command("ayna", args...)
		c.Dir = dir
		return c
	}
	if out, err := run(dir, "backup", "--quiet", to).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	killed, first := 0, false
	for i := range (testrun.Counts{Plain: 4, Long: 60}).Now() {
		if i%3 == 1 { // as if it were the first one
			if err := os.RemoveAll(to); err != nil {
				t.Fatal(err)
			}
			first = true
		}
		c := run(dir, "backup", "--quiet", to)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(5+10*(i%12))*time.Millisecond, func() { c.Process.Kill() })
		if c.Wait() != nil {
			killed++
		}
		if _, err := os.Stat(filepath.Join(to, "archive.db")); errors.Is(err, os.ErrNotExist) && first {
			continue // there is no backup yet
		}
		first = false
		if out, err := run(to, "build", "--offline", "--check", "--quiet").CombinedOutput(); err != nil {
			t.Fatalf("after kill %d: %v\n%s", i, err, out)
		}
	}
	if killed == 0 {
		t.Error("no backup was killed")
	}
	if out, err := run(dir, "backup", "--quiet", to).CombinedOutput(); err != nil {
		t.Errorf("the last one: %v\n%s", err, out)
	}
	if left, err := filepath.Glob(to + "/*.part"); err != nil || len(left) != 0 {
		t.Errorf("it left %q, %v", left, err)
	}
}

// On a disk that becomes full, a backup ends with exit code 9, and the one before it stays.
func TestBackupOntoFullDisk(t *testing.T) {
	t.Parallel()
	dir := mirrorPlace(t).dir
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("SKIPPED: this user may not mount a small disk:", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, 0) })
	c := exec.Command("ayna", "backup", disk)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 9 || !strings.Contains(string(out), disk+": the disk is full") || !strings.Contains(string(out), "hint: free some space") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, name := range []string{"archive.db", "archive.db.part", "site.yaml"} {
		if _, err := os.Stat(filepath.Join(disk, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v, want none", name, err)
		}
	}
}

// On a disk that becomes full, packs and exports end so, too, and leave nothing.
func TestPackOntoFullDisk(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	dir, disk := mirrorPlace(t).dir, t.TempDir()
	run := func(args ...string) ([]byte, error) {
		c := exec.Command("ayna", args...)
		c.Dir = dir
		return c.CombinedOutput()
	}
	if out, err := run("build", "--offline", "--quiet"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("SKIPPED: this user may not mount a small disk:", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, 0) })
	for _, args := range [][]string{{"pack", "zip"}, {"pack", "epub"}, {"pack", "wacz"}, {"export"}} {
		out, err := run(append(args, "--quiet", "--out", filepath.Join(disk, "out"))...)
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 9 || !strings.Contains(string(out), "hint: free some space") {
			t.Errorf("%s: %v\n%s", args, err, out)
		}
		if left, err := os.ReadDir(disk); err != nil || len(left) > 0 {
			t.Errorf("%s left %v, %v", args, left, err)
		}
	}
}
