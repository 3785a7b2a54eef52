package archive_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sub dir", "a?#%.db")
	a, err := archive.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, a, article("1", "x", 0), noon)
	if _, err := archive.Open(ctx, path); !errors.Is(err, database.ErrLocked) {
		t.Errorf("second writer: %v, want ErrLocked", err)
	}
	reader, err := archive.OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, a, article("2", "y", 0), noon)
	if _, err := reader.Records.Get(ctx, record.Article, "2"); err != nil {
		t.Errorf("reader beside the writer: %v", err)
	}
	if err := reader.Update(ctx, func(*archive.Tx) error { return nil }); err == nil {
		t.Error("a reader could write")
	}
	reader.Close()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := archive.Open(ctx, path)
	if err != nil {
		t.Fatalf("after close: %v", err)
	}
	defer again.Close()
	if _, err := again.Records.Get(ctx, record.Article, "1"); err != nil {
		t.Errorf("record lost: %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file is not where it was asked for: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte("this is no database, but a text that is long enough to look like one"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Open(ctx, text); !errors.Is(err, database.ErrForeign) {
		t.Errorf("text file: %v, want ErrForeign", err)
	}
	newer := filepath.Join(dir, "newer.db")
	a, err := archive.Open(ctx, newer)
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	setVersion(t, newer, archive.SchemaVersion+1)
	if _, err := archive.Open(ctx, newer); !errors.Is(err, database.ErrNewer) {
		t.Errorf("newer schema: %v, want ErrNewer", err)
	}
	if _, err := archive.OpenReadOnly(ctx, newer); !errors.Is(err, database.ErrNewer) {
		t.Errorf("newer schema, reading: %v, want ErrNewer", err)
	}
	none := filepath.Join(t.TempDir(), "none.db")
	for range 2 { // without a file, and with an empty one
		for name, open := range map[string]func(context.Context, string) (*archive.Archive, error){"existing": archive.OpenExisting, "read": archive.OpenReadOnly} {
			if _, err := open(ctx, none); !errors.Is(err, database.ErrMissing) || !strings.HasSuffix(err.Error(), " at "+none) {
				t.Errorf("%s, no archive: %v, want ErrMissing", name, err)
			}
		}
		if entries, err := os.ReadDir(filepath.Dir(none)); err != nil || len(entries) > 1 {
			t.Errorf("files without an archive: %v, %v", entries, err)
		}
		if err := os.WriteFile(none, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, open := range map[string]func(context.Context, string) (*archive.Archive, error){"open": archive.Open, "read": archive.OpenReadOnly} {
		if _, err := open(ctx, dir); err == nil || errors.Is(err, database.ErrFull) || !strings.Contains(err.Error(), "is a folder; name a file") {
			t.Errorf("%s a folder: %v", name, err)
		}
	}
}
