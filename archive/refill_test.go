package archive_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun/postgrestest"
)

// TestRefillIndex: an index that an earlier version of the program has filled is filled anew,
// once, and wholly or not at all.
func TestRefillIndex(t *testing.T) {
	t.Run("file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "archive.db")
		refillIndex(t, path, func() {
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.Exec(`INSERT INTO search (search) VALUES ('delete-all'); INSERT INTO search (rowid, text) VALUES (1, 'straße'); DELETE FROM state WHERE name = 'words'`)
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		})
	})
	t.Run("postgres", func(t *testing.T) {
		address := postgrestest.Address(t)
		refillIndex(t, address, func() {
			postgrestest.Exec(t, address, `TRUNCATE search`)
			postgrestest.Exec(t, address, `INSERT INTO search (rowid, words) VALUES (1, 'straße')`)
			postgrestest.Exec(t, address, `DELETE FROM state WHERE name = 'words'`)
		})
	})
}

// refillIndex opens an archive, whose index becomes that of an earlier version by old.
func refillIndex(t *testing.T, path string, old func()) {
	texts := []string{"Die Straße ist gesperrt.", "東京で選挙が行われた。", "İstanbul'da 2.600 ev"}
	derive := func(r *record.Record) error {
		var n int
		if _, err := fmt.Sscanf(r.ID, "300%d", &n); err != nil {
			return err
		}
		r.Text = texts[n]
		return nil
	}
	change := func(do func(a *archive.Archive) error) {
		t.Helper()
		a, err := archive.Open(ctx, path)
		if err == nil {
			err = errors.Join(do(a), a.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	moment := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	change(func(a *archive.Archive) error {
		return a.Update(ctx, func(tx *archive.Tx) error {
			for i, text := range texts {
				id := fmt.Sprint("300", i)
				r := archive.Record{Record: record.Record{Kind: record.Article, ID: id, Answers: record.Answers{List: fmt.Appendf(nil, `{"Id":%q}`, id)}, Metadata: record.Metadata{Text: text, Title: "x", Published: moment}}, Progress: archive.Progress{Listed: moment}}
				if _, err := tx.Put(&r, moment); err != nil {
					return err
				}
			}
			return nil
		})
	})
	old()
	find := func(a *archive.Archive, query string) []int64 {
		t.Helper()
		rows, err := a.Reader().Search(ctx, query, nil, derive)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	change(func(a *archive.Archive) error {
		interrupted, cancel := context.WithCancel(ctx)
		err := a.Index.Refill(interrupted, func(r *record.Record) error {
			cancel()
			return derive(r)
		})
		if err == nil || len(find(a, "strasse")) > 0 {
			t.Errorf("after %v, rows %v", err, find(a, "strasse"))
		}
		return nil
	})
	calls := 0
	for range 2 {
		change(func(a *archive.Archive) error {
			return a.Index.Refill(ctx, func(r *record.Record) error {
				calls++
				return derive(r)
			})
		})
	}
	if calls != len(texts) {
		t.Errorf("%d records were derived, want %d", calls, len(texts))
	}
	change(func(a *archive.Archive) error {
		for query, want := range map[string][]int64{
			"strasse": {1}, "STRASSE": {1}, "straß": {1}, "東": {2}, "東京": {2}, "選挙が": {2}, "京東": nil, "istanbul 2600": {3}, "İstanbul'un 2,600": {3}, "挙": {2},
		} {
			if got := find(a, query); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
		return nil
	})
}
