package fetch_test

import (
	"slices"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/attack"
	"ayna/testrun/fakepaper"
)

// Ids are opaque: they are stored and requested byte for byte.
func TestOpaqueIDs(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 6})
		for _, group := range []string{"articles", "writers"} {
			for _, id := range attack.For(attack.ID) {
				n.Add(fakepaper.Record{Group: group, ID: id, Title: "Kimlik", Path: "/spor/", Text: "<p>Metin</p>"})
			}
		}
		if report := n.mustRun(t); len(report.Failed) > 0 {
			t.Errorf("failed: %+v", report.Failed)
		}
		n.checkComplete(t)
	})
}

// An id is reused for another record: the new version replaces the old one, which
// is kept as a revision.
func TestOldVersionsAreKept(t *testing.T) {
	t.Parallel()
	const id = "48999990"
	tests := []struct {
		name string
		edit func(*fakepaper.Record)
	}{
		{"another date of creation", func(r *fakepaper.Record) { r.Created = r.Created.AddDate(-1, 0, 0) }},
		{"the id for another text", func(r *fakepaper.Record) {
			*r = fakepaper.Record{Group: r.Group, ID: r.ID, URL: "/baska", Title: "Başka", Spot: "Başka", Text: "<p>Başka</p>", Tags: []string{"başka"},
				Path: "/ekonomi/", Created: r.Created.Add(time.Hour), Modified: r.Modified.Add(time.Hour)}
		}},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 20})
			n.mustRun(t)
			first, err := n.archive.Records.Get(t.Context(), record.Article, id)
			if err != nil {
				t.Fatal(err)
			}
			n.Edit("articles", id, test.edit)
			n.mustRun(t)
			n.checkComplete(t)
			second, err := n.archive.Records.Get(t.Context(), record.Article, id)
			if err != nil || second.Row != first.Row || !second.Seen.Equal(first.Seen) || second.Published.Equal(first.Published) {
				t.Errorf("row %d, seen %v, published %v; they were %d, %v, %v; %v",
					second.Row, second.Seen, second.Published, first.Row, first.Seen, first.Published, err)
			}
			revisions, err := revisionsOf(t, n.archive, first.Row)
			if err != nil {
				t.Fatal(err)
			}
			var kept []string
			for _, r := range revisions {
				kept = append(kept, r.Part+" "+string(r.JSON))
			}
			slices.Sort(kept)
			if want := []string{"list " + string(first.List), "single " + string(first.Single)}; !slices.Equal(kept, want) {
				t.Errorf("kept\n%q\nwant\n%q", kept, want)
			}
		})
	}
}

// revisionsOf returns the earlier versions of a record, oldest first.
func revisionsOf(t *testing.T, a *archive.Archive, row int64) (list []archive.Revision, err error) {
	for r, err := range a.Records.Earlier(t.Context(), row) {
		if err != nil {
			return nil, err
		}
		list = slices.Insert(list, 0, r)
	}
	return list, nil
}

// A list state of another version, or a damaged one, leads to a new pass over the whole
// list: no record is lost, and a removed one is marked as gone.
func TestStateThatIsNotUnderstood(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for name, state := range map[string]string{
		"damaged": `{"version":`, "another version": `{"version":99,"phase":"head","pass":{"number":7}}`,
		"before versions": `{"last":9,"pass":9,"complete":"2026-11-01T00:00:00Z","size":40}`, "no object": `[]`,
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 20})
			n.mustRun(t)
			n.mustRun(t)
			before := n.held(t)
			fakepaper.Update(t, n.archive, func(tx *archive.Tx) error {
				for _, kind := range record.Kinds {
					if err := tx.State.Set("list "+string(kind), state); err != nil {
						return err
					}
				}
				return nil
			})
			n.Remove("articles", "48999990")
			report := n.mustRun(t)
			if c := report.Kinds[record.Article]; c.Gone != 1 || c.New != 0 || c.Fetched != 0 {
				t.Errorf("articles: %+v, want 1 gone and none fetched", c)
			}
			if held := n.held(t); len(held) != len(before) {
				t.Errorf("%d records are kept of %d", len(held), len(before))
			}
		})
	}
}

// An id that no address can hold proves nothing about the source.
func TestHostileIDsAreNoOutage(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 10})
		hostile := append(attack.For(attack.ID), ".", "..") // no address can hold these two
		for _, id := range hostile {
			n.Add(fakepaper.Record{Group: "articles", ID: id, Title: "Düşman", Path: "/spor/", Created: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)})
		}
		for _, group := range []string{"columns", "newsphotogalleries", "newsvideos"} { // enough for the breaker
			for _, id := range []string{".", ".."} {
				n.Add(fakepaper.Record{Group: group, ID: id, Title: "Düşman", Path: "/spor/", Created: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)})
			}
		}
		n.options.Concurrency = 1
		report := n.mustRun(t)
		if c := report.Kinds[record.Article]; c.Fetched < 6 || c.Failed > len(hostile) {
			t.Errorf("articles: %+v %+v", c, report.Failed)
		}
	})
}
