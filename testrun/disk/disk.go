// Package disk reads a directory of a test into a [Tree] of paths and contents, writes files,
// and mounts small disks.
package disk

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ayna/testrun"
)

// Tree is content by path. An empty directory ends in a slash, a symbolic link holds its
// target.
type Tree map[string]string

// Read returns what is at dir.
func Read(t testing.TB, dir string) Tree {
	t.Helper()
	found := make(Tree)
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || file == dir {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		var content []byte
		switch {
		case e.IsDir():
			if entries, _ := os.ReadDir(file); len(entries) == 0 {
				found[name+"/"] = ""
			}
		case e.Type()&fs.ModeSymlink != 0:
			found[name], err = os.Readlink(file)
		default:
			content, err = os.ReadFile(file)
			found[name] = string(content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Write writes a file below dir, and makes its directories.
func Write(t testing.TB, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// With returns a tree with changes: empty content removes a file, unless its name ends in
// a slash.
func With(base, changes Tree) Tree {
	next := maps.Clone(base)
	for name, content := range changes {
		if next[name] = content; content == "" && !strings.HasSuffix(name, "/") {
			delete(next, name)
		}
	}
	return next
}

// Elsewhere returns a folder that is on another file system than those of t.TempDir. It skips
// the test where no such file system exists.
func Elsewhere(t testing.TB) string {
	t.Helper()
	here := t.TempDir()
	Write(t, here, "file", "")
	for _, parent := range []string{"/dev/shm", os.TempDir(), "/tmp", "/var/tmp"} {
		dir, err := os.MkdirTemp(parent, "ayna-test-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		if os.Link(filepath.Join(here, "file"), filepath.Join(dir, "file")) != nil {
			return dir
		}
	}
	t.Skip("there is no other file system")
	return ""
}

// Mount makes dir a file system in memory until the test ends, and skips the test where that
// is not allowed. The options are those of tmpfs, as size=1m.
func Mount(t testing.TB, dir, options string) {
	t.Helper()
	testrun.NeedsRoot(t, "mounts small disks")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "ayna-test", dir).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no file system can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
}

// Remount gives a file system that Mount has mounted other options.
func Remount(t testing.TB, dir, options string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err != nil {
		t.Fatalf("remount with %s: %s", options, out)
	}
}
