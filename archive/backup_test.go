package archive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
)

// filled returns an archive file with records and a picture.
func filled(t *testing.T, records int) (a *archive.Archive, name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "archive.db")
	a, err := archive.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	store := func(tx *archive.Tx) error {
		for i := range records {
			if _, err := tx.Put(short(record.Article, fmt.Sprint(i)), time.Unix(1e9, 0)); err != nil {
				return err
			}
		}
		if _, err := tx.Originals.Put(original("tags", "7", `{"name":"kar"}`)); err != nil {
			return err
		}
		return tx.PutMedia(archive.Media{URL: "https://pictures.example/a.jpg", Name: "a.jpg", Type: "image/jpeg", Bytes: 5, Fetched: time.Unix(1e9, 0)})
	}
	if err := a.Update(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(a.Pictures.Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a.Pictures.Dir(), "a.jpg"), []byte("resim"), 0o644); err != nil {
		t.Fatal(err)
	}
	return a, name
}

// short returns a record with little content.
func short(kind record.Kind, id string) *archive.Record {
	return &archive.Record{Record: record.Record{Kind: kind, ID: id, Answers: record.Answers{List: []byte(`{"Title":"Haber","Text":"Zeytin"}`)}, Metadata: record.Metadata{Title: "Haber"}}, Progress: archive.Progress{Listed: time.Unix(1e9, 0)}}
}

// namesIn returns the names in a folder.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// A backup made while a process writes is of one moment. It uses what a killed one has
// left, and replaces one that has been used since.
func TestBackup(t *testing.T) {
	t.Parallel()
	const records = 200
	a, _ := filled(t, records)
	writing, stop := context.WithCancel(t.Context())
	began, wrote := make(chan bool), make(chan bool)
	go func() { // pairs of records, in one transaction each
		defer close(wrote)
		for n := 0; writing.Err() == nil; n++ {
			if n == 1 {
				close(began)
			}
			a.Update(context.Background(), func(tx *archive.Tx) error {
				for _, part := range []string{"a", "b"} {
					if _, err := tx.Put(short(record.Video, fmt.Sprint(n, part)), time.Unix(1e9, 0)); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}()
	<-began
	dir := filepath.Join(t.TempDir(), "backup")
	for name, content := range map[string]string{
		"archive.db.part": "half", "archive.db.part-journal": "half", "media/a.jpg": "", "media/a.jpg.tmp": "res", "media/old.jpg": "eski", "archive.db-wal": "of another database",
	} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		copied, err := a.Backup(t.Context(), dir, func() error {
			if _, err := os.Stat(filepath.Join(dir, "archive.db.part")); err != nil {
				return err
			}
			_, err := os.Stat(filepath.Join(dir, "media", "a.jpg"))
			return err
		})
		if err != nil || copied.Pictures != 1 || copied.Missing != 0 || copied.Bytes < 1000 {
			t.Fatalf("%+v, %v", copied, err)
		}
		b, err := archive.Open(t.Context(), filepath.Join(dir, "archive.db"))
		if err != nil {
			t.Fatal(err)
		}
		counts, err := b.Catalog.CountWanted(t.Context(), nil)
		if err != nil || counts[record.Article] != records || counts[record.Video]%2 != 0 {
			t.Errorf("the backup has %v, %v", counts, err)
		}
		if got := allOriginals(t, b, "tags", "list"); !slices.Equal(got, []string{`7 {"name":"kar"}`}) {
			t.Errorf("the backup has the originals %q", got)
		}
		if content, err := os.ReadFile(filepath.Join(b.Pictures.Dir(), "a.jpg")); err != nil || string(content) != "resim" {
			t.Errorf("the picture: %q, %v", content, err)
		}
		if _, err := a.Backup(t.Context(), dir, func() error { return nil }); !errors.Is(err, database.ErrLocked) {
			t.Errorf("while it is open: %v", err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if names := append(namesIn(t, dir), namesIn(t, filepath.Join(dir, "media"))...); !slices.Equal(names, []string{"archive.db", "archive.db.lock", "media", "a.jpg"}) {
			t.Errorf("the backup holds %q", names)
		}
	}
	stop()
	<-wrote
}

// A backup that fails before its end leaves the one before.
func TestBackupFails(t *testing.T) {
	t.Parallel()
	a, _ := filled(t, 1)
	dir := t.TempDir()
	if _, err := a.Backup(t.Context(), dir, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, "archive.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Update(t.Context(), func(tx *archive.Tx) error {
		_, err := tx.Put(short(record.Article, "new"), time.Unix(1e9, 0))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for name, test := range map[string]struct {
		ctx   context.Context
		ready error
		want  error
	}{"no room": {t.Context(), syscall.ENOSPC, syscall.ENOSPC}, "cancelled": {ended, nil, context.Canceled}} {
		if _, err := a.Backup(test.ctx, dir, func() error { return test.ready }); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(filepath.Join(dir, "archive.db")); err != nil || string(after) != string(before) {
			t.Errorf("%s: the backup before has changed, %v", name, err)
		}
		if names := namesIn(t, dir); !slices.Equal(names, []string{"archive.db", "archive.db.lock", "media"}) {
			t.Errorf("%s: it left %q", name, names)
		}
	}
}

// Pictures whose files are gone or empty, lie elsewhere or are no regular files are counted,
// and not read: an archive may be of somebody else.
func TestBackupWithoutPicture(t *testing.T) {
	t.Parallel()
	a, name := filled(t, 1)
	picture := filepath.Join(a.Pictures.Dir(), "a.jpg")
	if err := errors.Join(os.Remove(picture), os.Symlink(name, picture), a.Update(t.Context(), func(tx *archive.Tx) error {
		empty := archive.Media{URL: "https://pictures.example/c.jpg", Name: "c.jpg", Type: "image/jpeg", Bytes: 5, Fetched: time.Unix(1e9, 0)}
		return errors.Join(tx.PutMedia(empty),
			tx.PutMedia(archive.Media{URL: "https://pictures.example/b.jpg", Name: "../archive.db", Type: "image/jpeg", Fetched: time.Unix(1e9, 0)}))
	}), os.WriteFile(filepath.Join(a.Pictures.Dir(), "c.jpg"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if n, err := a.Backup(t.Context(), dir, func() error { return nil }); err != nil || n.Missing != 3 || n.Pictures != 0 {
		t.Errorf("%+v, %v", n, err)
	}
	if names := namesIn(t, filepath.Join(dir, "media")); len(names) > 0 {
		t.Errorf("it copied %q", names)
	}
}
