//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/cli"
	"ayna/testrun"
	"ayna/testrun/disk"
	"ayna/testrun/fakepaper"
)

// A backup that is killed leaves the one before it, or one that is complete, and nothing
// in the way of the next.
func TestKilledBackup(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newWorkdir(t, startUpstream(t, fakepaper.Options{Items: 20}), concurrency, fewFiles)
	p.mustBuild(t)
	dir, to := p.dir, filepath.Join(t.TempDir(), "copy")
	run := func(dir string, args ...string) *exec.Cmd {
		c := exec.Command("ayna", args...)
		c.Dir, c.Env = dir, append(os.Environ(), "AYNA_API_KEY="+canary)
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

// On a disk that becomes full, packs, exports and backups end with exit code 9 and leave
// nothing.
func TestOntoFullDiskAsRoot(t *testing.T) {
	testrun.NotShort(t)
	small := t.TempDir()
	disk.Mount(t, small, "size=16k")
	p := newWorkdir(t, startUpstream(t, fakepaper.Options{Items: 30}), concurrency, fewFiles)
	p.mustBuild(t)
	t.Chdir(p.dir)
	t.Setenv("AYNA_API_KEY", canary)
	out := filepath.Join(small, "out")
	for _, args := range [][]string{{"pack", "zip", "--out", out}, {"pack", "epub", "--out", out}, {"export", "--out", out}, {"backup", small}} {
		var printed strings.Builder
		if code := cli.Ayna(append(args, "--quiet"), &printed, &printed); code != exitDisk || !strings.Contains(printed.String(), "hint: free some space") {
			t.Errorf("%s: exit code %d\n%s", args, code, &printed)
		}
		left, err := os.ReadDir(small)
		for _, entry := range left {
			if name := entry.Name(); args[0] != "backup" || name == "archive.db" || name == "archive.db.part" || name == "site.yaml" {
				t.Errorf("%s left %s", args, entry.Name())
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
}
