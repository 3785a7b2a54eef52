//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whoever opens a pipe waits for its writer, and cannot be interrupted.
func TestPipeAsArchive(t *testing.T) {
	dir := standing(t, "")
	pipe := filepath.Join(dir, "archive.db")
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for _, args := range []string{"serve --addr 0", "build --offline", "doctor --offline"} {
		c := exec.CommandContext(ctx, "ayna", strings.Fields(args)...)
		c.Dir = dir
		out, _ := c.CombinedOutput()
		if code := c.ProcessState.ExitCode(); code != 8 || !strings.Contains(string(out), "archive.db: this is no ayna archive: it is no regular file") {
			t.Errorf("%s: exit %d, want 8: %s", args, code, out)
		}
	}
}
