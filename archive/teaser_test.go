package archive_test

import (
	"fmt"
	"testing"

	"ayna/archive"
	"ayna/testrun"
)

// However many are asked for, each that is there is read once.
func TestTeasersOfMany(t *testing.T) {
	testrun.NotShort(t)
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
			teasers, err := a.Catalog.Teasers(ctx, rows, n%2 == 0)
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
