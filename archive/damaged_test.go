package archive_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"

	"ayna/archive"
	"ayna/record"
)

// A record whose JSON is not what was stored is known as damaged, and nothing of
// its JSON is given out; the same record, stored again, makes it whole.
func TestDamagedRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	a, err := archive.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	whole := article("1", "başlık", 0)
	put(t, a, whole, noon)
	put(t, a, article("2", "öteki", 0), noon)

	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`UPDATE raw SET list = replace(list, 'baş', 'boş')`); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"1": true, "2": false} {
		r, err := a.Records.Get(ctx, record.Article, id)
		if err != nil || r.Damaged != want || (r.List == nil) != want {
			t.Errorf("record %s: damaged: %t, JSON %s, %v; want damaged: %t", id, r.Damaged, r.List, err, want)
		}
	}
	put(t, a, whole, noon)
	if r, err := a.Records.Get(ctx, record.Article, "1"); err != nil || r.Damaged || string(r.List) != string(whole.List) {
		t.Errorf("stored again: damaged: %t, JSON %s, %v", r.Damaged, r.List, err)
	}
}

// Quarantine of a damaged writer keeps the hit of an item that has the same id.
func TestQuarantineKeepsHitOfItem(t *testing.T) {
	bothKinds(t, func(t *testing.T, a *archive.Archive) {
		update(t, a, func(tx *archive.Tx) error { return tx.Hits.Put("7", []byte(`{"Id":"7","Title":"Liman"}`)) })
		item, writer := article("7", "Liman", 0), article("7", "Yazar", 0)
		item.Hit, writer.Kind = []byte(`{"Id":"7","Title":"Liman"}`), record.Writer
		put(t, a, item, noon)
		put(t, a, writer, noon)
		damage := `UPDATE raw SET list = '{}' WHERE row IN (SELECT row FROM record WHERE kind = 'writer')`
		if err := a.ExecForTest(damage, damage); err != nil {
			t.Fatal(err)
		}
		_, flaws := flawsOf(t, a)
		flaws = slices.DeleteFunc(flaws, func(f archive.Flaw) bool { return f.Kind != record.Writer })
		if len(flaws) != 1 {
			t.Fatalf("flaws of the writer: %v", flaws)
		}
		if err := a.Mend(ctx, flaws); err != nil {
			t.Fatal(err)
		}
		if r, err := a.Records.Get(ctx, record.Article, "7"); err != nil || r.Damaged || r.Hit == nil {
			t.Errorf("the item is damaged: %t, hit %s, %v", r.Damaged, r.Hit, err)
		}
	})
}
