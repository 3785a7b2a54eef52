package archive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/attachment"
	"ayna/record"
)

// Cards are due by what earlier runs heard of them, a backup has them, damage makes them due
// again, and what no record shows any more is forgotten.
func TestCards(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		const one, both = "https://film.example/one", "https://film.example/both"
		carded := func(id string, second int, pages ...string) {
			r := filing(t, id, second, "x.pdf")
			for _, page := range pages {
				r.Attachments = append(r.Attachments, record.Attachment{URL: page, Kind: attachment.Card})
			}
			put(t, a, r, noon)
		}
		carded("1", 0, one, both)
		carded("2", 60, both)
		all := func(record.Kind, []string) bool { return true }
		checkDue := func(when string, at time.Time, want ...string) {
			t.Helper()
			var got []string
			list, err := a.Cards.Due(ctx, at, 9, all)
			for _, card := range list {
				got = append(got, card.Media.URL+card.Title)
			}
			if err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("due %s: %q, %v, want %q", when, got, err, want)
			}
		}
		checkDue("at first", noon, both, one)
		if list, err := a.Cards.Due(ctx, noon, 9, func(record.Kind, []string) bool { return false }); err != nil || len(list) > 0 {
			t.Errorf("of records that are not wanted: %v, %v", list, err)
		}
		writeMedia(t, a.Pictures.Dir(), mediaName(1))
		writeMedia(t, a.Pictures.Dir(), mediaName(2))
		update(t, a, func(tx *archive.Tx) error {
			for i, page := range []string{one, both} {
				if err := tx.PutMedia(archive.Media{URL: page, Name: mediaName(i + 1), Type: "image/jpeg", Width: 4, Height: 3, Bytes: 1, Title: "Gizli film", Fetched: noon}); err != nil {
					return err
				}
				if err := tx.PutDownload(archive.Download{URL: page, Length: -1, Due: noon.Add(time.Hour), Tries: 4}); err != nil {
					return err
				}
			}
			return nil
		})
		checkDue("after a run", noon)
		checkDue("an hour later", noon.Add(time.Hour), both+"Gizli film", one+"Gizli film")
		files, _, err := a.Attachments.Missing(ctx, noon, 1<<20, 9, func(_ record.Kind, _ []string, f record.Attachment) bool { return f.Kind == attachment.Card })
		if again, err2 := a.Attachments.Again(ctx, noon.Add(time.Hour), 9, attachment.Kinds); err != nil || err2 != nil || len(files)+len(again) > 0 {
			t.Errorf("cards are fetched as files: %v, %v", files, again)
		}
		if !strings.HasPrefix(a.Name(), "postgres") && a.Pictures.Dir() != "" {
			saved := t.TempDir()
			if _, err := a.Backup(ctx, saved, func() error { return nil }); err != nil {
				t.Fatal(err)
			}
			b, err := archive.OpenReadOnly(ctx, filepath.Join(saved, "archive.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			if media, err := b.Pictures.Of(ctx, 1); err != nil || media[one].Title != "Gizli film" || !media[one].IsCard || len(namesIn(t, b.Pictures.Dir())) != 2 {
				t.Errorf("the backup has %+v, %v", media, err)
			}
		}
		if dir := a.Pictures.Dir(); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, mediaName(2)), []byte("başka"), 0o644); err != nil {
				t.Fatal(err)
			}
			var flaws []archive.Flaw
			for f, err := range a.Check(ctx, cardedAgain, 1, nil) {
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(f.What, mediaName(2)) {
					flaws = append(flaws, f)
				}
			}
			if err := a.Mend(ctx, flaws); err != nil || len(flaws) != 1 {
				t.Errorf("flaws %v, %v", flaws, err)
			}
			checkDue("after damage", noon, both+"Gizli film")
		}
		update(t, a, func(tx *archive.Tx) error { return tx.Forget(record.Article, "1", false) })
		if err := a.Purge(ctx, opened{}, cardedAgain); err != nil {
			t.Fatal(err)
		}
		if rows, err := a.MediaForTest(ctx); err != nil || strings.Join(rows, " ") != both || a.CountForTest(t, "download") != 1 {
			t.Errorf("after forget: %q, %v", rows, err)
		}
	})
}

// cardedAgain sets the attachments of a record of the test as they were.
func cardedAgain(r *record.Record) error {
	err := filed(r)
	pages := map[string][]string{"1": {"one", "both"}, "2": {"both"}}[r.ID]
	for _, page := range pages {
		r.Attachments = append(r.Attachments, record.Attachment{URL: "https://film.example/" + page, Kind: attachment.Card})
	}
	return err
}
