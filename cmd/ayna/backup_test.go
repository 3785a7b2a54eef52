//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// L29: a backup that is killed leaves the one before it, and nothing in the way of the
// next.
func TestL29KilledBackup(t *testing.T) {
	t.Parallel()
	dir := sampleMirror(t)
	to := t.TempDir()
	file := filepath.Join(to, "b.tar.zst")
	backup := func() *exec.Cmd {
		c := exec.Command("ayna", "backup", "--quiet", file)
		c.Dir = dir
		return c
	}
	if out, err := backup().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	killed := 0
	for i := range 12 {
		c := backup()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(5+10*i)*time.Millisecond, func() { c.Process.Kill() })
		if c.Wait() != nil {
			killed++
		}
		restored := filepath.Join(t.TempDir(), "restored")
		if err := os.CopyFS(restored, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(restored, ".ayna")); err != nil {
			t.Fatal(err)
		}
		restore := exec.Command("ayna", "restore", file)
		restore.Dir = restored
		if out, err := restore.CombinedOutput(); err != nil {
			t.Fatalf("after kill %d: %v\n%s", i, err, out)
		}
	}
	if killed == 0 {
		t.Error("no backup was killed")
	}
	if out, err := backup().CombinedOutput(); err != nil {
		t.Errorf("the last one: %v\n%s", err, out)
	}
	if entries, err := os.ReadDir(to); err != nil || len(entries) != 1 {
		t.Errorf("beside the backup: %v, %v", entries, err)
	}
}

// L29: on a disk that becomes full, a backup ends with exit code 9, and the one before
// it stays.
func TestL29BackupOntoFullDisk(t *testing.T) {
	t.Parallel()
	dir := sampleMirror(t)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("SKIPPED: this user may not mount a small disk:", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, 0) })
	file := filepath.Join(disk, "b.tar.zst")
	if err := os.WriteFile(file, []byte("önceki"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("ayna", "backup", file)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 9 || !strings.Contains(string(out), file+": the disk is full") || !strings.Contains(string(out), "hint: free some space") {
		t.Errorf("%v\n%s", err, out)
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "önceki" {
		t.Errorf("the one before: %q, %v", content, err)
	}
	if entries, err := os.ReadDir(disk); err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", fmt.Sprint(entries), err)
	}
}
