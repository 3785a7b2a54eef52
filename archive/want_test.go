package archive_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

// Since when the last records changed, and which they are: not those that are gone
// or of another kind. What is dated to come does not tell of now.
func TestLastChanges(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for i, id := range []string{"1", "2", "3", "4", "5", "6"} {
			r := article(id, "t", i)
			r.Modified = noon.Add(-time.Duration(i) * time.Hour)
			switch id {
			case "1":
				r.Modified = noon.AddDate(3, 0, 0)
			case "5":
				r.Kind = record.Gallery
			case "6":
				r.Modified = time.Time{}
			}
			put(t, a, r, noon)
		}
		update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "3", noon) })
		for _, test := range []struct {
			kind record.Kind
			n    int
			now  time.Time
			want time.Time
		}{
			{record.Article, 1, noon, noon.Add(-time.Hour)},
			{record.Article, 2, noon, noon.Add(-3 * time.Hour)},
			{record.Article, 9, noon, noon.Add(-3 * time.Hour)},
			{record.Article, 1, noon.AddDate(3, 0, 0), noon.AddDate(3, 0, 0)},
			{record.Gallery, 3, noon, noon.Add(-4 * time.Hour)},
			{record.Gallery, 3, noon.Add(-5 * time.Hour), time.Time{}},
			{record.Video, 3, noon, time.Time{}},
		} {
			if got, err := a.Schedule.LatestModified(ctx, test.kind, test.n, test.now); err != nil || !got.Equal(test.want) {
				t.Errorf("the last %d of kind %s at %v: %v, %v; want %v", test.n, test.kind, test.now, got, err, test.want)
			}
		}
		for since, want := range map[time.Time]string{
			noon.Add(-time.Hour): "1 2", noon.Add(time.Millisecond - time.Hour): "1", noon.Add(-99 * time.Hour): "1 2 4", noon.AddDate(4, 0, 0): "",
		} {
			got, err := a.Schedule.ModifiedSince(ctx, record.Article, since)
			if list := slices.Sorted(maps.Keys(got)); err != nil || strings.Join(list, " ") != want {
				t.Errorf("modified since %v: %q, %v; want %q", since, list, err, want)
			}
		}
	})
}
