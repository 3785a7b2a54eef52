package story_test

import (
	"slices"
	"testing"
	"time"

	"ayna/archive"
	"ayna/server/newsroom"
)

// Every text is made ready once, those of more records than are made at a time
// as well; of those that are there already none is made again.
func TestPrepare(t *testing.T) {
	before := records
	t.Cleanup(func() { records = before })
	records = append(slices.Clip(records), newsroom.Articles(600, newsroom.Noon, time.Second)...)
	r := reader(t, true)
	for _, test := range []struct {
		name  string
		spoil string
		want  int
	}{{"first", "", r.Site.Home.Items.Len()}, {"again", "", 0}, {"after a change", "50000007", 1}} {
		if test.spoil != "" {
			newsroom.Update(t, r.Archive, func(tx *archive.Tx) error {
				changed, err := tx.Get(archive.Article, test.spoil)
				if err != nil {
					return err
				}
				changed.List = append(changed.List, ' ')
				_, err = tx.Put(changed, changed.Seen)
				return err
			})
		}
		last, all := 0, 0
		if err := r.Prepare(t.Context(), 2, func(made, of int) { last, all = made, of }); err != nil {
			t.Fatal(err)
		}
		if last != test.want || all != test.want {
			t.Errorf("%s: %d made of %d, want %d", test.name, last, all, test.want)
		}
	}
}
