package archive_test

import (
	"slices"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/query"
	"ayna/record"
)

// A provisional record is stored and nowhere shown until a list shows it again. A
// record with a page does not become one.
func TestProvisional(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		later := noon.Add(time.Hour)
		for id, seen := range map[string]time.Time{"known": noon, "new": later, "new with a page": later} {
			r := article(id, "Liman", 0)
			r.Images = []string{"https://haber.example/" + id + ".jpg"}
			put(t, a, r, seen)
		}
		published, err := a.Records.Get(ctx, record.Article, "new with a page")
		if err != nil {
			t.Fatal(err)
		}
		update(t, a, func(tx *archive.Tx) error {
			if err := tx.SetAddress(published.Row, "spor/liman-1.html"); err != nil {
				return err
			}
			return tx.Schedule.MarkProvisional(record.Article, noon)
		})
		checkShown(t, a, "known", "new with a page")
		provisional, err := a.Records.Get(ctx, record.Article, "new")
		if err != nil || !provisional.Provisional || !provisional.FetchDue {
			t.Fatalf("%+v, %v", provisional, err)
		}
		update(t, a, func(tx *archive.Tx) error { return tx.Touch(provisional) })
		checkShown(t, a, "known", "new", "new with a page")
		update(t, a, func(tx *archive.Tx) error { return tx.Schedule.MarkProvisional(record.Article, time.Time{}) })
		checkShown(t, a, "new with a page")
	})
}

// A record of which the source says that it is none is due again when its list record
// changes, and shown when it has a single record.
func TestNoRecord(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		r := article("known", "Liman", 0)
		r.Images = []string{"https://haber.example/known.jpg"}
		put(t, a, r, noon)
		check := func(isNone bool, wantDue ...string) {
			t.Helper()
			stored, err := a.Records.Get(ctx, record.Article, "known")
			if err != nil || stored.NoRecord != isNone || stored.GoneAt.IsZero() == isNone || stored.Provisional {
				t.Errorf("%+v, %v", stored, err)
			}
			if got := due(t, a.Schedule.Due(ctx, noon.Add(time.Hour), time.Hour)); !slices.Equal(got, wantDue) {
				t.Errorf("due: %q, want %q", got, wantDue)
			}
			r = *stored
		}
		check(false, "known")
		update(t, a, func(tx *archive.Tx) error { return tx.Schedule.MarkNoRecord(r.Row) })
		check(true)
		checkShown(t, a)
		update(t, a, func(tx *archive.Tx) error { return tx.Touch(&r) })
		check(true)
		r.List, r.FetchDue = []byte(`{"Id":"known"}`), true
		put(t, a, r, noon)
		check(true, "known")
		r.Single, r.FetchDue = []byte(`{"Id":"known","Text":"Liman"}`), false
		put(t, a, r, noon)
		check(false)
	})
}

// checkShown compares what each way to the records shows with these ids.
func checkShown(t *testing.T, a *archive.Archive, want ...string) {
	t.Helper()
	got := make(map[string][]string)
	add := func(method, id string, err error) {
		if err != nil {
			t.Fatal(method, err)
		}
		got[method] = append(got[method], id)
	}
	for l, err := range a.Catalog.Summaries(ctx, nil) {
		add("Summaries", l.ID, err)
	}
	for r, err := range a.Catalog.Scan(ctx) {
		add("Scan", r.ID, err)
	}
	for r, err := range a.Catalog.Scan(ctx, record.Article) {
		add("Scan of a kind", r.ID, err)
	}
	for r, err := range a.Records.All(ctx) {
		add("Records", r.ID, err)
	}
	for _, d := range list(t, a, query.Query{Kind: record.Article, Limit: 10}) {
		add("List", d.ID, nil)
	}
	hits, err := search(a, "liman", false, 10, 0)
	for _, d := range hits.List {
		add("Search", d.ID, err)
	}
	got["Due"] = due(t, a.Schedule.Due(ctx, noon.Add(time.Hour), time.Hour))
	got["Unseen"] = due(t, a.Schedule.Unseen(ctx, record.Article, 1000))
	pictures, err := a.Pictures.Missing(ctx, noon, time.Hour, func(record.Kind, []string) bool { return true })
	for _, url := range pictures {
		add("MissingMedia", url[len("https://haber.example/"):len(url)-len(".jpg")], err)
	}
	for _, id := range []string{"known", "new", "new with a page"} {
		if _, err := a.Reader().Single(ctx, record.Article, id); err == nil {
			add("Single", id, nil)
		}
	}
	for _, method := range []string{"Summaries", "Scan", "Scan of a kind", "Records", "List", "Search", "Due", "Unseen", "MissingMedia", "Single"} {
		slices.Sort(got[method])
		if !slices.Equal(got[method], want) {
			t.Errorf("%s shows %q, want %q", method, got[method], want)
		}
	}
	held, err := a.Catalog.Count(ctx, record.Article)
	counted, countErr := count(a, query.Query{Kind: record.Article})
	if held != len(want) || counted != len(want) || err != nil || countErr != nil {
		t.Errorf("%d held, %d counted, want %d; %v, %v", held, counted, len(want), err, countErr)
	}
}

// A record that is gone, or provisional, stays so when a mention in it is redacted.
func TestRedactedRecordStaysGone(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		put(t, a, article("1", "liman", 0), noon)
		put(t, a, article("2", "körfez", 1), noon)
		update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "1", noon) })
		update(t, a, func(tx *archive.Tx) error { return tx.Schedule.MarkProvisional(record.Article, noon.Add(-time.Hour)) })
		for _, id := range []string{"1", "2"} {
			before, err := a.Records.Get(ctx, record.Article, id)
			if err != nil {
				t.Fatal(err)
			}
			update(t, a, func(tx *archive.Tx) error {
				r := *before
				r.List, r.Title = []byte(`{"Title":"x"}`), "x"
				return tx.ReplaceForTest(&r)
			})
			after, err := a.Records.Get(ctx, record.Article, id)
			if err != nil || after.Title != "x" || after.Damaged || !after.GoneAt.Equal(before.GoneAt) || after.GoneAt.IsZero() || after.Provisional != before.Provisional {
				t.Errorf("record %s: %v, %q, gone at %v, want %v, provisional: %v", id, err, after.Title, after.GoneAt, before.GoneAt, after.Provisional)
			}
		}
	})
}
