package archive_test

import (
	"iter"
	"slices"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/schedule"
	"ayna/record"
)

// due are the ids of the records to fetch.
func due(t *testing.T, list iter.Seq2[schedule.Due, error]) (ids []string) {
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
			"not wanted":      func(r *archive.Record) { r.Fetched, r.FetchDue = noon.Add(-time.Hour), false },
			"tried":           func(r *archive.Record) { r.Attempts = 1 },
			"another kind":    func(r *archive.Record) { r.Kind = record.Column },
			"to be rechecked": func(r *archive.Record) { r.Fetched, r.FetchDue, r.Recheck = noon.Add(-time.Hour), false, true },
			"gone":            func(*archive.Record) {},
		} {
			r := article(id, "x", 0)
			change(&r)
			put(t, a, r, noon)
		}
		update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "gone", noon) })
		if got := due(t, a.Schedule.Unfetched(ctx, record.Article, noon)); !slices.Equal(got, []string{"had before", "never had", "to be rechecked"}) {
			t.Errorf("%q", got)
		}
	})
}

// Nothing waits for times to come that a clock has noted which was ahead.
func TestClockThatWasAhead(t *testing.T) {
	const most = 7 * 24 * time.Hour
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for id, change := range map[string]func(*archive.Record){
			"due":                 func(r *archive.Record) { r.RetryAt = noon },
			"postponed":           func(r *archive.Record) { r.RetryAt = noon.Add(most) },
			"postponed too long":  func(r *archive.Record) { r.RetryAt = noon.Add(most + time.Millisecond) },
			"fetched":             func(r *archive.Record) { r.Fetched, r.FetchDue = noon, false },
			"fetched later":       func(r *archive.Record) { r.Fetched, r.FetchDue = noon.Add(time.Millisecond), false },
			"fetched, and gone":   func(r *archive.Record) { r.Fetched, r.FetchDue = noon.Add(time.Hour), false },
			"fetched, and column": func(r *archive.Record) { r.Kind, r.Fetched, r.FetchDue = record.Column, noon.Add(time.Hour), false },
		} {
			r := article(id, "x", 0)
			change(&r)
			if id == "due" {
				r.Images = []string{"http://p.example/failed", "http://p.example/failed later", "http://p.example/later"}
			}
			put(t, a, r, noon.Add(time.Minute))
		}
		update(t, a, func(tx *archive.Tx) error {
			for _, m := range []archive.Media{
				{URL: "http://p.example/failed", Problem: "404", Fetched: noon},
				{URL: "http://p.example/failed later", Problem: "404", Fetched: noon.Add(time.Minute)},
				{URL: "http://p.example/later", Name: "a.jpg", Fetched: noon.Add(time.Minute)},
			} {
				if err := tx.PutMedia(m); err != nil {
					return err
				}
			}
			if err := tx.MarkGone(record.Article, "fetched, and gone", noon); err != nil {
				return err
			}
			return nil
		})
		if got := due(t, a.Schedule.Due(ctx, noon, most)); !slices.Equal(got, []string{"due", "postponed too long"}) {
			t.Errorf("wanted: %q", got)
		}
		if got := due(t, a.Schedule.Overdue(ctx, schedule.Intervals[0], noon)); !slices.Equal(got, []string{"fetched later", "fetched, and column"}) {
			t.Errorf("due again: %q", got)
		}
		if got, err := a.Pictures.Missing(ctx, noon, time.Hour, every); err != nil || !slices.Equal(got, []string{"http://p.example/failed later"}) {
			t.Errorf("missing: %q, %v", got, err)
		}
		for after, want := range map[time.Duration]bool{0: false, 2 * time.Minute: true} { // all lie in a folder that has no record
			if got, err := a.Schedule.UnknownReferences(ctx, record.Folder, noon.Add(-time.Hour), noon.Add(after)); err != nil || got != want {
				t.Errorf("strangers %s after: %t, %v", after, got, err)
			}
		}
	})
}

// RecheckIn goes by whole names of folders, in upper and lower case.
func TestRecheckIn(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for id, paths := range map[string][]string{
			"main":             {"/a_b%/"},
			"first of two":     {"/a_b%/", "/spor/"},
			"second of two":    {"/spor/", "/a_b%/"},
			"as a pattern":     {"/spor/", "/axbyy/"},
			"in upper case":    {"/spor/", "/A_B%/"},
			"below it":         {"/spor/", "/a_b%/c/"},
			"at its end":       {"/spor/", `x"/a_b%/`},
			"behind a comma":   {"/spor/", `x,"/a_b%/`},
			"behind a bracket": {"/spor/", `["/a_b%/`},
			"not fetched":      {"/spor/", "/a_b%/"},
			"folder":           {"/a_b%/"},
		} {
			r := article(id, "x", 0)
			r.Path, r.FetchDue = paths[0], false
			if len(paths) > 1 {
				r.Paths = paths
			}
			if id != "not fetched" {
				r.Fetched = noon
			}
			if id == "folder" {
				r.Kind = record.Folder
			}
			put(t, a, r, noon)
		}
		update(t, a, func(tx *archive.Tx) error { return tx.Schedule.RecheckIn("/a_b%/") })
		if got := due(t, a.Schedule.Due(ctx, noon, time.Hour)); !slices.Equal(got, []string{"first of two", "main", "second of two"}) {
			t.Errorf("%q", got)
		}
	})
}
