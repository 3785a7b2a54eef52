//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What is no regular file among the archive's pictures neither holds a build or a check,
// nor lets them publish what lies elsewhere.
func TestStrangePictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(args ...string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c := exec.CommandContext(ctx, "ayna", args...)
		c.Dir = dir
		return c.CombinedOutput()
	}
	const settings = "base_url: https://ayna.example/\ncontent: {include: [/spor/]}\nmarkdown: false\nfeeds: {of: [home]}\n"
	if err := os.WriteFile(filepath.Join(dir, "site.yaml"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := run("build", "--quiet"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("outside of the archive"), 0o644); err != nil {
		t.Fatal(err)
	}
	replace := func(folder string, with func(name string) error) {
		entries, err := os.ReadDir(filepath.Join(dir, ".ayna", "sample", folder))
		if err != nil || len(entries) < 2 {
			t.Fatalf("%s: %d files, %v", folder, len(entries), err)
		}
		name := filepath.Join(dir, ".ayna", "sample", folder, entries[0].Name())
		if err := errors.Join(os.Remove(name), with(name)); err != nil {
			t.Fatal(err)
		}
	}
	replace("media", func(name string) error { return syscall.Mkfifo(name, 0o644) })
	replace("sizes", func(name string) error { return os.Symlink(secret, name) })
	if err := os.RemoveAll(filepath.Join(dir, "public")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"build", "--quiet", "--offline"}, {"check", "--quiet"}} {
		if out, err := run(args...); err != nil && strings.Contains(err.Error(), "killed") {
			t.Fatalf("%s did not end: %v\n%s", args[0], err, out)
		}
	}
	err := filepath.WalkDir(filepath.Join(dir, "public"), func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if !entry.Type().IsRegular() {
			t.Errorf("%s is published, which is no regular file", name)
			return nil
		}
		if content, err := os.ReadFile(name); err != nil || strings.Contains(string(content), "outside of the archive") {
			t.Errorf("%s has what lies elsewhere, %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
