package archive_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ayna/archive"
)

// What a sheaf says of a record is what the record says: it goes when that
// changes, in whatever way.
func TestSheaves(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		const stored = 2*archive.SheafRows + 5
		numbers := []int64{0, 1, 2, 7}
		const lead = "http://img.example/1.jpg"
		record := func(i int) archive.Record {
			r := article(fmt.Sprint(i), fmt.Sprint("Haber ", i), i%60)
			r.Lead, r.Images = lead, []string{lead}
			return r
		}
		changes := 0
		change := func(i int, edit func(*archive.Record)) {
			t.Helper()
			r := record(i)
			changes++
			r.Single = fmt.Appendf(nil, `{"Id":"%d","Text":"%d. metin"}`, i, changes)
			edit(&r)
			put(t, a, r, noon)
		}
		for i := range stored {
			put(t, a, record(i+1), noon)
		}
		// tied returns how many teasers stand in sheaves, after comparing them with
		// what the records say.
		tied := func() int {
			t.Helper()
			n := 0
			err := a.Sheaves(ctx, numbers, func(number int64, s archive.Sheaf) {
				for row := number * archive.SheafRows; row < (number+1)*archive.SheafRows; row++ {
					got, ok := s.Teaser(row)
					if !ok {
						continue
					}
					n++
					want, err := a.Teasers(ctx, []int64{row}, true)
					if err != nil || len(want) != 1 || got != want[0] {
						t.Errorf("row %d: %+v, want %+v, %v", row, got, want, err)
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		tie := func() {
			t.Helper()
			if err := a.TieSheaves(ctx, numbers); err != nil {
				t.Fatal(err)
			}
		}
		if n := tied(); n != 0 {
			t.Errorf("before any was tied: %d", n)
		}
		tie()
		if n := tied(); n != stored {
			t.Errorf("tied: %d, want %d", n, stored)
		}
		for _, step := range []struct {
			name  string
			edit  func()
			stays bool
		}{
			{"its text", func() { change(40, func(*archive.Record) {}) }, true},
			{"its title", func() { change(40, func(r *archive.Record) { r.Title = "Başka" }) }, false},
			{"its spot", func() { change(40, func(r *archive.Record) { r.Spot = "Başka" }) }, false},
			{"its picture", func() { change(40, func(r *archive.Record) { r.Lead = "http://img.example/x.jpg" }) }, false},
			{"a picture that came", func() {
				update(t, a, func(tx *archive.Tx) error {
					return tx.PutMedia(archive.Media{URL: lead, Name: "ab.jpg", Type: "image/jpeg", Width: 640, Height: 480, Bytes: 7, Fetched: noon})
				})
			}, false},
			{"the same picture, of another size", func() {
				update(t, a, func(tx *archive.Tx) error {
					return tx.PutMedia(archive.Media{URL: lead, Name: "ab.jpg", Type: "image/jpeg", Width: 320, Height: 240, Bytes: 7, Fetched: noon})
				})
			}, false},
			{"the size of a picture", func() {
				update(t, a, func(tx *archive.Tx) error { return tx.SetMediaSize(lead, 480, 640) })
			}, false},
			{"one more record", func() { put(t, a, record(stored+1), noon) }, false},
			{"one that is too long", func() { change(41, func(r *archive.Record) { r.Spot = strings.Repeat("uzun ", 300) }) }, false},
			{"one forgotten", func() {
				update(t, a, func(tx *archive.Tx) error { _, _, err := tx.Forget(archive.Article, "42"); return err })
			}, false},
		} {
			tie()
			before := tied()
			step.edit()
			if n := tied(); n == before != step.stays {
				t.Errorf("%s: %d of %d teasers are tied", step.name, n, before)
			}
			tie()
			if n := tied(); n < stored-1 {
				t.Errorf("%s: %d teasers are tied again, of %d", step.name, n, stored)
			}
		}
	})
}

// A sheaf that a program wrote in another form is made again.
func TestSheafForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	a := openAt(t, path)
	put(t, a, article("1", "Haber", 1), noon)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`INSERT INTO sheaf (number, data) VALUES (0, zeroblob(200))`); err != nil {
		t.Fatal(err)
	}
	if err := a.TieSheaves(ctx, []int64{0}); err != nil {
		t.Fatal(err)
	}
	found := false
	err = a.Sheaves(ctx, []int64{0}, func(_ int64, s archive.Sheaf) { _, found = s.Teaser(1) })
	if err != nil || !found {
		t.Errorf("found: %t, %v", found, err)
	}
}
