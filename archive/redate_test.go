package archive_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

// TestRedate: by other rules all dates are read anew, once, and wholly or not at all.
func TestRedate(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for i := range 3 {
			r := article(fmt.Sprint(i), "x", 0)
			r.Published, r.Modified = time.Time{}, time.Time{}
			put(t, a, r, noon)
		}
		undated := func() (n int) {
			for r, err := range a.Records.Undated(ctx) {
				if err != nil || r.List == nil {
					t.Fatal(r, err)
				}
				n++
			}
			return n
		}
		generation := func() string {
			g, err := a.State.Generation(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return g
		}
		began, calls := generation(), 0
		derive := func(r *record.Record) error {
			if calls++; r.ID == "2" {
				return fmt.Errorf("it has no date")
			}
			r.Published, r.Modified = noon, noon.Add(time.Hour)
			return nil
		}
		interrupted, cancel := context.WithCancel(ctx)
		if err := a.Redate(interrupted, "1", func(r *record.Record) error { cancel(); return derive(r) }); err == nil || undated() != 3 || generation() != began {
			t.Errorf("interrupted: %v, %d undated", err, undated())
		}
		for i, step := range []struct {
			rules string
			calls int
		}{{"1", 3}, {"1", 0}, {"2", 3}, {"2", 0}} {
			before := generation()
			if calls = 0; a.Redate(ctx, step.rules, derive) != nil || calls != step.calls || undated() != 1 || (generation() != before) != (i == 0) {
				t.Errorf("step %d: %d calls, %d undated, generation %s after %s", i, calls, undated(), generation(), before)
			}
		}
		r, err := a.Records.Get(ctx, record.Article, "1")
		if err != nil || !r.Published.Equal(noon) || !r.Modified.Equal(noon.Add(time.Hour)) {
			t.Errorf("%v, %v, %v", r.Published, r.Modified, err)
		}
		update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "2", noon) })
		if undated() != 0 {
			t.Error("a record that is gone is undated")
		}
	})
}
