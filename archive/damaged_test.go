package archive_test

import (
	"database/sql"
	"path/filepath"
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
