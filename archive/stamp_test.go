package archive_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

// Changed has the rows of which a site may show something else, whatever changed them, and
// writing what no site shows changes none.
func TestChangedRows(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		const picture = "http://img.example/1.jpg"
		first, other := article("1", "Liman", 0), article("2", "Ada", 1)
		first.Images, first.Lead, first.URL = []string{picture}, picture, "http://haber.example/1"
		again, fetched := article("1", "Liman ve ada", 0), article("1", "Liman ve ada", 0)
		again.Images, again.URL = first.Images, "http://haber.example/liman"
		fetched.Images, fetched.URL, fetched.Fetched = again.Images, again.URL, noon.Add(time.Hour)
		derive := func(r *record.Record) error { r.Published = noon.Add(2 * time.Minute); return nil }
		in := func(do func(*archive.Tx) error) func() error {
			return func() error { return a.Update(ctx, do) }
		}
		media := archive.Media{URL: picture, Name: "aa.jpg", Fetched: noon}
		for _, step := range []struct {
			name string
			do   func() error
			want []int64
		}{
			{"new records", in(func(tx *archive.Tx) error {
				_, err := tx.Put(&first, noon)
				return errors.Join(err, drop(tx.Put(&other, noon)))
			}), []int64{1, 2}},
			{"the same again", in(func(tx *archive.Tx) error { return drop(tx.Put(&first, noon.Add(time.Hour))) }), nil},
			{"another text and address at the source", in(func(tx *archive.Tx) error { return drop(tx.Put(&again, noon)) }), []int64{1}},
			{"fetched again", in(func(tx *archive.Tx) error { return drop(tx.Put(&fetched, noon)) }), []int64{1}},
			{"an address", in(func(tx *archive.Tx) error { return tx.SetAddress(2, "a.html") }), []int64{2}},
			{"a picture", in(func(tx *archive.Tx) error { return tx.PutMedia(media) }), []int64{1}},
			{"another picture there", in(func(tx *archive.Tx) error { media.Name = "bb.jpg"; return tx.PutMedia(media) }), []int64{1}},
			{"a picture that no record shows", in(func(tx *archive.Tx) error {
				return tx.PutMedia(archive.Media{URL: picture + "?", Name: "cc.jpg", Fetched: noon})
			}), nil},
			{"an earlier version", in(func(tx *archive.Tx) error { return tx.ReplaceRevision(1, "list", noon, []byte(`{"Id":"1"}`)) }), []int64{1}},
			{"dates", func() error { return a.Redate(ctx, "1", derive) }, []int64{1, 2}},
			{"a derived column", in(func(tx *archive.Tx) error { return tx.ExecForTest(`UPDATE record SET links = '["a"]' WHERE row = 2`) }), []int64{2}},
			{"a text", in(func(tx *archive.Tx) error { return tx.PutText(2, 1, []byte("a")) }), nil},
			{"a text that is gone", in(func(tx *archive.Tx) error { return tx.ExecForTest(`DELETE FROM body`) }), []int64{2}},
			{"a former address", in(func(tx *archive.Tx) error { return tx.ExecForTest(`DELETE FROM former_url`) }), []int64{1}},
			{"gone", in(func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "2", noon) }), []int64{2}},
			{"back", in(func(tx *archive.Tx) error { return drop(tx.Put(&other, noon)) }), []int64{2}},
			{"no record", in(func(tx *archive.Tx) error { return tx.Schedule.MarkNoRecord(2) }), []int64{2}},
			{"what fetching notes", in(func(tx *archive.Tx) error {
				return errors.Join(tx.Schedule.Postpone(record.Article, "1", noon), tx.Schedule.MarkSeen(record.Article, "1", 3))
			}), nil},
			{"provisional", in(func(tx *archive.Tx) error { return tx.Schedule.MarkProvisional(record.Article, time.Time{}) }), []int64{1}},
			{"pictures that are gone", in(func(tx *archive.Tx) error { return tx.ExecForTest(`DELETE FROM media`) }), []int64{1}},
			{"forgotten", in(func(tx *archive.Tx) error { return tx.ForgetForTest(record.Article, "1") }), []int64{1}},
		} {
			before, err := a.Catalog.LastChange(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := step.do(); err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
			got, err := a.Catalog.Changed(ctx, before)
			if slices.Sort(got); err != nil || got == nil || !slices.Equal(got, step.want) {
				t.Errorf("%s: rows %v, %v; want %v", step.name, got, err, step.want)
			}
			var all, some string
			for l, err := range a.Catalog.Summaries(ctx, nil) {
				if slices.Contains(got, l.Row) {
					all += fmt.Sprint(*l, err)
				}
			}
			for l, err := range a.Catalog.Summaries(ctx, got) {
				some += fmt.Sprint(*l, err)
			}
			if all != some {
				t.Errorf("%s: the summaries of %v are %s, want %s", step.name, got, some, all)
			}
		}
	})
}
