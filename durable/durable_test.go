package durable_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ayna/durable"
)

// holds checks that a folder holds one file with that content, and nothing else.
func holds(t *testing.T, name, content string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != content {
		t.Errorf("the file holds %.20q, %v, want %.20q", got, err, content)
	}
	if info, err := os.Stat(name); err == nil && info.Mode().Perm() != 0o644 {
		t.Errorf("its mode is %v", info.Mode())
	}
}

func put(content string) func(*durable.File) error {
	return func(f *durable.File) error { _, err := f.WriteString(content); return err }
}

func TestWrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.txt")
	if err := durable.Write(name, put("a long text")); err != nil {
		t.Fatal(err)
	}
	holds(t, name, "a long text")
	if err := durable.WriteFile(name, []byte("short")); err != nil {
		t.Fatal(err)
	}
	holds(t, name, "short")
	failed := errors.New("failed")
	if err := durable.Write(name, func(f *durable.File) error { return errors.Join(put("half")(f), failed) }); !errors.Is(err, failed) {
		t.Error(err)
	}
	holds(t, name, "short")
	if err := durable.Check(name); err != nil {
		t.Error(err)
	}
	holds(t, name, "short")
	for what, try := range map[string]func(name string) error{
		"Write":     func(name string) error { return durable.Write(name, put("")) },
		"WriteFile": func(name string) error { return durable.WriteFile(name, nil) },
		"Check":     durable.Check,
	} {
		if err := try(filepath.Join(filepath.Dir(name), "none", "a.txt")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "folder ") {
			t.Errorf("%s into a folder that is not there: %v", what, err)
		}
	}
}

// What a killed process has left is replaced, and removed with its folder.
func TestLeftovers(t *testing.T) {
	for what, write := range map[string]func(name string) error{
		"Write":     func(name string) error { return durable.Write(name, put("new")) },
		"WriteFile": func(name string) error { return durable.WriteFile(name, []byte("new")) },
	} {
		name := filepath.Join(t.TempDir(), "a.txt")
		dir := filepath.Dir(name)
		err := os.WriteFile(filepath.Join(dir, ".a.txt.part"), []byte("much that is of no use"), 0o600)
		if what == "Write" {
			err = errors.Join(err, os.MkdirAll(filepath.Join(dir, ".a.txt.scratch", "deep"), 0o755))
		}
		if err = errors.Join(err, write(name)); err != nil {
			t.Fatal(err)
		}
		holds(t, name, "new")
	}
}

func TestScratch(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.txt")
	for _, failed := range []error{nil, errors.New("failed")} {
		err := durable.Write(name, func(f *durable.File) error {
			dir, err := f.Scratch()
			return errors.Join(err, os.WriteFile(filepath.Join(dir, "b.txt"), nil, 0o644), put("a")(f), failed)
		})
		if !errors.Is(err, failed) {
			t.Error(err)
		}
		holds(t, name, "a")
	}
}

// Of two that write the same file at once, one is refused; of small files, each is whole.
func TestAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.txt")
	err := durable.Write(name, func(f *durable.File) error {
		if err := durable.Write(name, put("second")); !errors.Is(err, durable.ErrLocked) {
			t.Errorf("the second: %v", err)
		}
		return put("first")(f)
	})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, name, "first")
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			for range 8 {
				if err := durable.WriteFile(name, bytes.Repeat([]byte{byte('a' + i)}, 100_000)); err != nil {
					t.Error(err)
				}
				if content, err := os.ReadFile(name); err != nil || len(content) != 100_000 || len(slices.Compact(content)) != 1 {
					t.Errorf("%d bytes, %v", len(content), err)
				}
			}
		})
	}
	writers.Wait()
	if entries, err := os.ReadDir(filepath.Dir(name)); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

// What somebody else has put in the place of the temporary file is not written to.
func TestForeignPart(t *testing.T) {
	for what, place := range map[string]func(part, other string) error{
		"link":   func(part, other string) error { return os.Symlink(other, part) },
		"folder": func(part, _ string) error { return os.Mkdir(part, 0o755) },
	} {
		dir := t.TempDir()
		other := filepath.Join(dir, "other.txt")
		if err := errors.Join(os.WriteFile(other, []byte("other"), 0o644), place(filepath.Join(dir, ".a.txt.part"), other)); err != nil {
			t.Fatal(err)
		}
		if err := durable.WriteFile(filepath.Join(dir, "a.txt"), []byte("new")); err == nil || !strings.Contains(err.Error(), "remove it") {
			t.Errorf("%s: %v", what, err)
		}
		if content, err := os.ReadFile(other); err != nil || string(content) != "other" {
			t.Errorf("%s: the other file holds %q, %v", what, content, err)
		}
	}
}
