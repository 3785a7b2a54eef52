package archive_test

import (
	"fmt"
	"testing"
	"time"

	"ayna/archive"
)

// Lists know a record by the hash that it had when they last showed something
// else of it.
func TestTeaserHashes(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		r := article("1", "Liman", 0)
		now := noon
		store := func(change func()) (hash archive.TeaserHash) {
			t.Helper()
			change()
			now = now.Add(time.Hour)
			put(t, a, r, now)
			stored, err := a.Get(ctx, r.Kind, r.ID)
			if err != nil {
				t.Fatal(err)
			}
			copy(hash[:], stored.Hash[:])
			return hash
		}
		check := func(step string, want archive.TeaserHash) {
			t.Helper()
			hashes, err := a.TeaserHashes(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if got := hashes[1]; got != want {
				t.Errorf("%s: %x, want %x", step, got, want)
			}
		}
		own := archive.TeaserHash{}
		store(func() { r.Single = nil })
		check("new", own)
		first := store(func() { r.Single = []byte(`{"Id":"1","Text":"bir"}`) })
		check("its text arrived", own)
		store(func() { r.Single = []byte(`{"Id":"1","Text":"iki"}`) })
		check("another text", first)
		store(func() { r.Single = []byte(`{"Id":"1","Text":"üç"}`) })
		check("and another", first)
		for name, change := range map[string]func(){
			"title": func() { r.Title = "Liman ve ada" }, "spot": func() { r.Spot = "Yeni" }, "lead": func() { r.Lead = "http://img.example/9.jpg" },
		} {
			hash := store(func() { change(); r.Single = []byte(`{"Id":"1","Text":"` + name + `"}`) })
			check(name, own)
			store(func() { r.Single = []byte(`{"Id":"1","Text":"sonra ` + name + `"}`) })
			check("text after "+name, hash)
		}
	})
}

// However many are asked for, each that is there is read once.
func TestTeasersOfMany(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		const stored = 450
		update(t, a, func(tx *archive.Tx) error {
			for i := range stored {
				r := article(fmt.Sprint(i+1), fmt.Sprint("Haber ", i+1), i%60)
				if _, err := tx.Put(&r, noon); err != nil {
					return err
				}
			}
			return nil
		})
		for _, n := range []int{0, 1, 2, 9, 65, 200, 201, stored + 7} {
			rows := make([]int64, n)
			for i := range rows {
				rows[i] = int64(n - i)
			}
			teasers, err := a.Teasers(ctx, rows, n%2 == 0)
			if err != nil || len(teasers) != min(n, stored) {
				t.Fatalf("%d rows: %d teasers, %v", n, len(teasers), err)
			}
			for _, teaser := range teasers {
				if want := fmt.Sprint("Haber ", teaser.Row); teaser.Title != want {
					t.Errorf("row %d: %q, want %q", teaser.Row, teaser.Title, want)
				}
			}
		}
	})
}
