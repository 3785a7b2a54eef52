package archive_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
)

// readOnly is a folder, and the same one where it may not be written to.
func readOnly(t *testing.T) (dir, same string) {
	t.Helper()
	testrun.NeedsRoot(t, "mounts folders")
	dir, same = t.TempDir(), t.TempDir()
	if out, err := exec.Command("mount", "--bind", dir, same).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no folder can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", same).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	if out, err := exec.Command("mount", "-o", "remount,bind,ro", same).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no folder can be mounted read-only here: %s", out)
	}
	return dir, same
}

// An archive that may not be written to is read as any other. Should somebody
// write to it all the same, that is noticed, and it can be opened anew.
func TestReadOnlyAsRoot(t *testing.T) {
	dir, same := readOnly(t)
	const name = "a?#%.db"
	a, err := archive.Open(ctx, filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	checked(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	read := func() *archive.Archive {
		t.Helper()
		reader, err := archive.OpenReadOnly(ctx, filepath.Join(same, name))
		if err != nil {
			t.Fatal(err)
		}
		return reader
	}
	reader := read()
	if hits, err := search(reader, "deniz", false, 9, 0); err != nil || hits.Count != 3 {
		t.Errorf("%d hits, %v, want 3", hits.Count, err)
	}
	if _, err := reader.Changes(ctx); err != nil || reader.Outdated() {
		t.Errorf("outdated: %v, %v", reader.Outdated(), err)
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}

	reader = read()
	a = openAt(t, filepath.Join(dir, name))
	put(t, a, article("4", "deniz", 0), noon)
	if !reader.Outdated() {
		t.Error("it is not noticed that the archive was written to")
	}
	if err := reader.Close(); err == nil || !strings.Contains(err.Error(), "run the command again") {
		t.Errorf("closed: %v", err)
	}
	reader = read()
	defer reader.Close()
	for i, id := range []string{"4", "5"} { // as beside any writer
		if _, err := reader.Records.Get(ctx, record.Article, id); err != nil || reader.Outdated() {
			t.Errorf("record %s: %v, outdated: %v", id, err, reader.Outdated())
		}
		put(t, a, article("5", "deniz", i), noon)
	}
}

// What stands in the log of writes alone cannot be read there. It says what to
// do.
func TestReadOnlyWithLogAsRoot(t *testing.T) {
	dir, same := readOnly(t)
	a := open(t)
	put(t, a, article("1", "başlık", 0), noon)
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(a.Name() + end)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "archive.db"+end), content, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	reader, err := archive.OpenReadOnly(ctx, filepath.Join(same, "archive.db"))
	if err == nil {
		reader.Close()
		t.Fatal("opened without what stands in the log")
	}
	if !strings.Contains(err.Error(), "archive.db-wal") || !strings.Contains(err.Error(), "run ayna build --offline once where") {
		t.Error(err)
	}
}
