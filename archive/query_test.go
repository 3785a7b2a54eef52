package archive_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/archive/query"
	"ayna/record"
	"ayna/testrun"
)

func ids(records []*archive.Record) string {
	var list []string
	for _, d := range records {
		list = append(list, d.ID)
	}
	return strings.Join(list, " ")
}

func listed(t *testing.T, a *archive.Archive, q query.Query) string {
	t.Helper()
	return ids(list(t, a, q))
}

// list returns the records of a query with their kinds and ids.
func list(t *testing.T, a *archive.Archive, q query.Query) []*archive.Record {
	t.Helper()
	reader := a.Reader()
	rows, err := reader.Rows(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	list, err := reader.Lists(ctx, rows, len(rows))
	for _, listed := range list {
		stored, err := a.Records.Row(ctx, listed.Row)
		if err != nil {
			t.Fatal(err)
		}
		listed.Kind, listed.ID = stored.Kind, stored.ID
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAmong(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for id, path := range map[string]string{"1": "/spor/", "2": "/spor/futbol/", "3": "/dünya/", "4": "/spor/"} {
			r := article(id, "t", 0)
			r.Path = path
			if id == "4" {
				r.Kind = record.Video
			}
			put(t, a, r, noon)
		}
		update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "2", noon) })
		n, err := a.Catalog.CountWanted(ctx, func(paths []string) bool { return strings.HasPrefix(paths[len(paths)-1], "/spor/") })
		if err != nil || len(n) != 2 || n[record.Article] != 1 || n[record.Video] != 1 {
			t.Errorf("%v, %v", n, err)
		}
	})
}

func TestListOrder(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for i, id := range []string{"1", "2", "3", "4", "5"} {
			r := article(id, "t", i/2) // two of each minute
			r.Modified = noon.Add(-time.Duration(i) * time.Hour)
			if id == "5" {
				r.Published, r.Modified = time.Time{}, time.Time{}
			}
			put(t, a, r, noon)
		}
		for i, title := range []string{"Spor", "Ekonomi", "Dünya"} {
			put(t, a, archive.Record{Record: record.Record{Kind: record.Folder, ID: fmt.Sprint(i), Answers: record.Answers{List: []byte("{}")}, Metadata: record.Metadata{Title: title}}, Progress: archive.Progress{Listed: noon}}, noon)
		}
		by := func(down bool, p ...query.Property) query.Order {
			o := query.Order{By: p}
			for range p {
				o.Down = append(o.Down, down)
			}
			return o
		}
		tests := []struct {
			name  string
			query query.Query
			want  string
		}{
			{"newest first, the unknown last", query.Query{Limit: 9}, "4 3 2 1 5"},
			{"page", query.Query{Limit: 2, Skip: 1}, "3 2"},
			{"the last page", query.Query{Limit: 2, Skip: 4}, "5"},
			{"beyond all", query.Query{Limit: 2, Skip: 1 << 30}, ""},
			{"none", query.Query{}, ""},
			{"oldest first", query.Query{Limit: 9, Order: by(false, query.ByPublished, query.ByID)}, "5 1 2 3 4"},
			{"by change", query.Query{Limit: 9, Order: by(true, query.ByModified)}, "1 2 3 4 5"},
			{"equal ones newest first", query.Query{Limit: 9, Order: by(false, query.ByPath)}, "4 3 2 1 5"},
			{"by id", query.Query{Limit: 9, Order: by(true, query.ByID)}, "5 4 3 2 1"},
			{"folders by title", query.Query{Kind: record.Folder, Limit: 9}, "2 1 0"},
			{"folders by id", query.Query{Kind: record.Folder, Limit: 9, Order: by(false, query.ByID)}, "0 1 2"},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				if test.query.Kind == "" {
					test.query.Kind = record.Article
				}
				if got := listed(t, a, test.query); got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
			})
		}
		if n, err := count(a, query.Query{Kind: record.Article, Limit: 1, Skip: 3}); n != 5 || err != nil {
			t.Errorf("%d counted, %v", n, err)
		}
	})
}

func TestGoneRecordsAreNotAnswered(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for i, id := range []string{"1", "2", "3"} {
			put(t, a, article(id, "Kar yağdı", i), noon)
		}
		if err := a.Update(ctx, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "2", noon) }); err != nil {
			t.Fatal(err)
		}
		if got := listed(t, a, query.Query{Kind: record.Article, Limit: 9}); got != "3 1" {
			t.Errorf("listed: %s", got)
		}
		if hits, err := search(a, "kar", false, 9, 0); err != nil || hits.Count != 2 || ids(hits.List) != "3 1" {
			t.Errorf("found: %+v, %v", hits, err)
		}
		if _, err := a.Reader().Single(ctx, record.Article, "2"); !errors.Is(err, database.ErrNotFound) {
			t.Errorf("by itself: %v", err)
		}
		if d, err := a.Reader().Single(ctx, record.Article, "1"); err != nil || d.Single != nil {
			t.Errorf("what has not arrived: %s, %v", d.Single, err)
		}
	})
}

// Few hits are found and sorted in another way than many; both agree.
func TestSearchOfManyHits(t *testing.T) {
	testrun.NotShort(t)
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		const all = 4200
		if err := a.FillForTest(all); err != nil {
			t.Fatal(err)
		}
		few, err := search(a, "kar dolu", false, all, 0)
		if err != nil || few.Count != all/100 || len(few.List) != all/100 {
			t.Fatalf("%d of %d hits, %v", len(few.List), few.Count, err)
		}
		for _, oldest := range []bool{false, true} {
			many, err := search(a, "kar", oldest, all, 0)
			if err != nil || many.Count != all {
				t.Fatalf("%d hits, %v", many.Count, err)
			}
			var among []string
			for _, d := range many.List {
				for _, f := range few.List {
					if d.ID == f.ID {
						among = append(among, d.ID)
					}
				}
			}
			few, err := search(a, "kar dolu", oldest, all, 0)
			if err != nil || strings.Join(among, " ") != ids(few.List) {
				t.Errorf("oldest %v: %s\nof many: %s\n%v", oldest, ids(few.List), among, err)
			}
			page, err := search(a, "kar", oldest, 3, 4000)
			if err != nil || ids(page.List) != ids(many.List[4000:4003]) {
				t.Errorf("oldest %v, a page: %s, want %s, %v", oldest, ids(page.List), ids(many.List[4000:4003]), err)
			}
		}
	})
}

func TestVersion(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		version := func() int64 {
			v, err := a.Changes(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		first := version()
		if again := version(); again != first {
			t.Errorf("%d, then %d without a change", first, again)
		}
		put(t, a, article("1", "x", 0), noon)
		if second := version(); second == first {
			t.Errorf("still %d after a change", second)
		}
		given, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := a.Changes(given); !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
		version()
	})
}

// A record whose JSON was quarantined is in no list and in no count, and leaves no
// hole: who reads page by page would take it for the end.
func TestQuarantinedRecordsLeaveNoHole(t *testing.T) {
	bothKinds(t, func(t *testing.T, a *archive.Archive) {
		checked(t, a)
		const statement = `UPDATE raw SET single = list WHERE row = 3`
		if err := a.ExecForTest(statement, statement); err != nil {
			t.Fatal(err)
		}
		_, flaws := flawsOf(t, a)
		if err := a.Mend(ctx, flaws); err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			limit, skip int
			want        string
		}{{limit: 9, want: "2 1"}, {limit: 1, want: "2"}, {limit: 1, skip: 1, want: "1"}, {limit: 1, skip: 2}} {
			if got := listed(t, a, query.Query{Kind: record.Article, Limit: test.limit, Skip: test.skip}); got != test.want {
				t.Errorf("%d after %d: %s, want %s", test.limit, test.skip, got, test.want)
			}
		}
		if n, err := count(a, query.Query{Kind: record.Article}); n != 2 || err != nil {
			t.Errorf("%d counted, %v", n, err)
		}
	})
}

// Folders come in the byte order of their titles as the service sent them: one
// of its answers has a title with a blank in front at the first place.
func TestFoldersByTitleAsReceived(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for id, title := range map[string]string{
			"1": `" Özelleştirme"`, "2": `"10 Kasım"`, "3": `"15 Temmuz"`, "4": `"Zonguldak"`, "5": `"emlak"`, "6": `"Çevre"`, "7": `"İzmir"`, "8": `"emlak"`, "9": `7`,
		} {
			plain := strings.TrimSpace(strings.Trim(title, `"`))
			put(t, a, archive.Record{Record: record.Record{Kind: record.Folder, ID: id, Answers: record.Answers{List: []byte(`{"Id":"` + id + `","Title":` + title + `}`)}, Metadata: record.Metadata{Title: plain}}, Progress: archive.Progress{Listed: noon}}, noon)
		}
		// Without a title there, the one that the archive has counts.
		put(t, a, archive.Record{Record: record.Record{Kind: record.Folder, ID: "x", Answers: record.Answers{List: []byte(`{"Title":null}`)}, Metadata: record.Metadata{Title: "Yozgat"}}, Progress: archive.Progress{Listed: noon}}, noon)
		put(t, a, archive.Record{Record: record.Record{Kind: record.Folder, ID: "y", Answers: record.Answers{List: []byte(`{"Id":"y"}`)}, Metadata: record.Metadata{Title: "Yalova"}}, Progress: archive.Progress{Listed: noon}}, noon)
		const want = "1 2 3 9 y x 4 8 5 6 7"
		if got := listed(t, a, query.Query{Kind: record.Folder, Limit: 20}); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got := listed(t, a, query.Query{Kind: record.Folder, Limit: 4, Skip: 3}); got != "9 y x 4" {
			t.Errorf("a page: %s", got)
		}
		down := query.Order{By: []query.Property{query.ByTitle}, Down: []bool{true}}
		if got := listed(t, a, query.Query{Kind: record.Folder, Limit: 3, Order: down}); got != "7 6 8" {
			t.Errorf("downwards: %s", got)
		}
	})
}
