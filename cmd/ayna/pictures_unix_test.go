//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// What is no regular file among the archive's pictures neither holds a build or a check,
// nor lets them publish what lies elsewhere.
func TestStrangePictures(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 20})
	illustrate(s)
	p := newWorkdir(t, s, concurrency, fewFiles+"widths: [16]\n")
	p.mustBuild(t)
	dir := p.dir
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("outside of the archive"), 0o644); err != nil {
		t.Fatal(err)
	}
	replace := func(folder string, with func(name string) error) {
		entries, err := os.ReadDir(filepath.Join(dir, ".ayna", folder))
		if err != nil || len(entries) < 2 {
			t.Fatalf("%s: %d files, %v", folder, len(entries), err)
		}
		name := filepath.Join(dir, ".ayna", folder, entries[0].Name())
		if err := errors.Join(os.Remove(name), with(name)); err != nil {
			t.Fatal(err)
		}
	}
	replace("media", func(name string) error { return syscall.Mkfifo(name, 0o644) })
	replace("sizes", func(name string) error { return os.Symlink(secret, name) })
	if err := os.RemoveAll(filepath.Join(dir, "public")); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"ayna", "build", "--quiet", "--offline"}, {"ayna", "check", "--quiet"}} {
		p.startCommand(t, command...).wait(t, time.Minute)
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
