package archive_test

import (
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
