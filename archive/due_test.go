package archive_test

import (
	"iter"
	"slices"
	"testing"
	"time"

	"ayna/archive"
)

// due are the ids of what is to be fetched.
func due(t *testing.T, list iter.Seq2[archive.Wanted, error]) (ids []string) {
	t.Helper()
	for w, err := range list {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, w.ID)
	}
	slices.Sort(ids)
	return ids
}

func TestUnfetched(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for id, change := range map[string]func(*archive.Record){
			"never had":       func(*archive.Record) {},
			"had before":      func(r *archive.Record) { r.Fetched = noon.Add(-time.Millisecond) },
			"had since":       func(r *archive.Record) { r.Fetched = noon },
			"not wanted":      func(r *archive.Record) { r.Fetched, r.Wanted = noon.Add(-time.Hour), false },
			"tried":           func(r *archive.Record) { r.Tries = 1 },
			"another kind":    func(r *archive.Record) { r.Kind = archive.Column },
			"to be rechecked": func(r *archive.Record) { r.Fetched, r.Wanted, r.Recheck = noon.Add(-time.Hour), false, true },
			"gone":            func(*archive.Record) {},
		} {
			r := article(id, "x", 0)
			change(&r)
			put(t, a, r, noon)
		}
		update(t, a, func(tx *archive.Tx) error { return tx.Vanish(archive.Article, "gone", noon) })
		if got := due(t, a.Unfetched(ctx, archive.Article, noon)); !slices.Equal(got, []string{"had before", "never had", "to be rechecked"}) {
			t.Errorf("%q", got)
		}
	})
}
