package archive_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/testrun"
)

// After a power cut a file has the bytes that were synced; the rest is missing, zeros or
// garbage. Whatever is left of the write-ahead log, the archive opens at a whole commit, with
// all commits before it.
func TestPowerLoss(t *testing.T) {
	testrun.NotShort(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "archive.db")
	a, err := archive.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	const commits = 20
	for i := range commits {
		r := article(fmt.Sprint(i), "başlık", i)
		r.Text = string(bytes.Repeat([]byte("metin "), 5000))
		err := a.Update(ctx, func(tx *archive.Tx) error {
			if _, err := tx.Put(&r, noon); err != nil {
				return err
			}
			o := original("tags", fmt.Sprintf("%02d", i), `{"name":"`+strings.Repeat(fmt.Sprint(i), 5000)+`"}`)
			if _, err := tx.Originals.Put(o); err != nil {
				return err
			}
			return tx.State.Set("commits", fmt.Sprint(i+1))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	main, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wal, err := os.ReadFile(path + "-wal") // as it is while the archive is open
	if err != nil || len(wal) < 100_000 {
		t.Fatalf("a log of %d bytes, %v", len(wal), err)
	}
	seen := make(map[string]bool)
	for i := range 30 {
		cut := len(wal) * i / 29
		for name, rest := range map[string][]byte{
			"gone":  nil,
			"zeros": make([]byte, len(wal)-cut),
			"torn":  bytes.Repeat([]byte{0xa5}, min(5000, len(wal)-cut)),
		} {
			state := openAfterPowerLoss(t, fmt.Sprintf("%d bytes of the log, the rest %s", cut, name), main, append(wal[:cut:cut], rest...))
			seen[state] = true
		}
	}
	if len(seen) < commits/2 || !seen[fmt.Sprint(commits)] {
		t.Errorf("only %d different states: %v", len(seen), seen)
	}
}

// openAfterPowerLoss opens an archive of these files and returns the number of commits in its
// state. It checks that the archive has as many records.
func openAfterPowerLoss(t *testing.T, what string, main, wal []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "archive.db")
	for name, content := range map[string][]byte{path: main, path + "-wal": wal} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, err := archive.Open(ctx, path)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return ""
	}
	defer a.Close()
	state, err := a.State.Get(ctx, "commits")
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	records := 0
	for r, err := range a.Catalog.Scan(ctx) {
		if err == nil {
			_, err = a.Records.Get(ctx, r.Kind, r.ID)
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return state
		}
		records++
	}
	if state != fmt.Sprint(records) && (state != "" || records != 0) {
		t.Errorf("%s: %d records after %q commits", what, records, state)
	}
	if originals := len(allOriginals(t, a, "tags", "list")); originals != records {
		t.Errorf("%s: %d originals beside %d records", what, originals, records)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("%s: the database says %q, %v", what, verdict, err)
	}
	return state
}
