package archive_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/archive/query"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/postgrestest"
)

var (
	ctx  = context.Background()
	noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
)

func TestMain(m *testing.M) {
	if name := os.Getenv(migrating); name != "" { // until it is killed
		if _, err := archive.OpenAfterForTest(ctx, name, nextStep); err != nil {
			panic(err)
		}
		return
	}
	testrun.InMemory()
	testrun.SpendMemory()
	os.Exit(m.Run())
}

func open(t *testing.T) *archive.Archive {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "archive.db"))
}

func openAt(t *testing.T, name string) *archive.Archive {
	t.Helper()
	a, err := archive.Open(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func put(t *testing.T, a *archive.Archive, r archive.Record, now time.Time) archive.Change {
	t.Helper()
	var change archive.Change
	err := a.Update(ctx, func(tx *archive.Tx) (err error) {
		change, err = tx.Put(&r, now)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return change
}

func every(record.Kind, []string) bool { return true }

func article(id, title string, minutes int) archive.Record {
	return archive.Record{Record: record.Record{Kind: record.Article, ID: id, Answers: record.Answers{List: []byte(`{"Id":"` + id + `","Title":"` + title + `"}`), FetchDue: true}, Metadata: record.Metadata{Path: "/spor/", Title: title, Published: noon.Add(time.Duration(minutes) * time.Minute)}}, Progress: archive.Progress{Listed: noon}}
}

// everyKind runs a test on an archive in a file, on one in memory, and on one in
// PostgreSQL.
func everyKind(t *testing.T, test func(*testing.T, *archive.Archive)) {
	t.Run("file", func(t *testing.T) { test(t, open(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, openAt(t, postgrestest.Address(t))) })
	t.Run("memory", func(t *testing.T) {
		a, err := archive.Memory(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		test(t, a)
	})
}

// An archive is new until it holds a record, however often it has been opened.
func TestNew(t *testing.T) {
	for kind, name := range map[string]string{"file": filepath.Join(t.TempDir(), "archive.db"), "postgres": ""} {
		t.Run(kind, func(t *testing.T) {
			if name == "" {
				name = postgrestest.Address(t)
			}
			for i, want := range []bool{true, true, false} {
				a, err := archive.Open(ctx, name)
				if err != nil {
					t.Fatal(err)
				}
				if a.New() != want {
					t.Errorf("opened for time %d: new is %t, want %t", i+1, a.New(), want)
				}
				if i == 1 {
					put(t, a, article("1", "x", 0), noon)
				}
				if err := a.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestPutKeepsRecordAndRevisions(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		r := article("41000001", "Iğdır'da kar", 0)
		r.Tags = []string{"kar", "kış"}
		r.Writers = []record.Person{{ID: "w1", Name: "Işıl"}}
		r.Related = []record.Reference{{ID: "2", Title: "b", URL: "http://x.example/b"}}
		if got := put(t, a, r, noon); got != archive.New {
			t.Errorf("first time: %v, want New", got)
		}
		if got := put(t, a, r, noon.Add(time.Hour)); got != archive.Unchanged {
			t.Errorf("the same again: %v, want Unchanged", got)
		}
		withBody := r
		withBody.Single, withBody.Fetched, withBody.FetchDue = []byte(`{"Id":"41000001","Text":"<p>a</p>"}`), noon.Add(2*time.Hour), false
		if got := put(t, a, withBody, noon.Add(2*time.Hour)); got != archive.Changed {
			t.Errorf("body arrives: %v, want Changed", got)
		}
		edited := withBody
		edited.Single = []byte(`{"Id":"41000001","Text":"<p>b</p>"}`)
		put(t, a, edited, noon.Add(3*time.Hour))

		got, err := a.Records.Get(ctx, record.Article, "41000001")
		if err != nil {
			t.Fatal(err)
		}
		if string(got.Single) != string(edited.Single) || string(got.List) != string(r.List) {
			t.Errorf("JSON not kept byte for byte: %s %s", got.List, got.Single)
		}
		if !got.Seen.Equal(noon) || !got.Changed.Equal(noon.Add(3*time.Hour)) || got.FetchDue {
			t.Errorf("seen %v, changed %v, wanted %v", got.Seen, got.Changed, got.FetchDue)
		}
		if !slices.Equal(got.Tags, r.Tags) || !slices.Equal(got.Writers, r.Writers) || !slices.Equal(got.Related, r.Related) {
			t.Errorf("metadata: %v %v %v", got.Tags, got.Writers, got.Related)
		}
		revisions, err := revisionsOf(a, got.Row)
		if err != nil {
			t.Fatal(err)
		}
		if len(revisions) != 1 || string(revisions[0].JSON) != string(withBody.Single) || revisions[0].Part != "single" {
			t.Errorf("revisions: %+v, want the first body alone", revisions)
		}
	})
}

func TestUpdateLeavesNothingOfAFailedOne(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		failure := errors.New("no")
		err := a.Update(ctx, func(tx *archive.Tx) error {
			r := article("1", "x", 0)
			if _, err := tx.Put(&r, noon); err != nil {
				return err
			}
			return failure
		})
		if !errors.Is(err, failure) {
			t.Fatal(err)
		}
		if _, err := a.Records.Get(ctx, record.Article, "1"); !errors.Is(err, database.ErrNotFound) {
			t.Errorf("Get: %v, want ErrNotFound", err)
		}
	})
}

func TestSearchFoldsTurkish(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		r := article("1", "IĞDIR'da şarkı gecesi", 0)
		r.Text = "İstanbul'dan gelen koro ısı ve ışık üzerine söyledi. Kâğıt gemiler."
		put(t, a, r, noon)
		put(t, a, article("2", "Basketbol", 1), noon)
		for query, want := range map[string]int{
			"ığdır": 1, "iğdir": 1, "IGDIR": 1, "istanbul": 1, "İSTANBUL": 1, "sarki gecesi": 1,
			"kağıt": 1, "kâğıt gem": 1, "isi": 1, "ısı": 1, "bas": 1, "koro basket": 0,
			"": 0, `" OR *`: 0, "NEAR(": 0, "-": 0, "title:koro": 0, "'": 0,
		} {
			hits, err := search(a, query, false, 10, 0)
			if err != nil || hits.Count != want || len(hits.List) != want {
				t.Errorf("%q: count %d, %d hits, %v; want %d", query, hits.Count, len(hits.List), err, want)
			}
		}
	})
}

func TestListOrderAndConditions(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for i, id := range []string{"1", "2", "3", "4"} {
			r := article(id, "t"+id, i)
			r.Modified = r.Published
			if id == "3" {
				r.Path = "/ekonomi/"
			}
			put(t, a, r, noon)
		}
		tests := map[string]struct {
			query query.Query
			want  []string
		}{
			"newest first": {query.Query{Limit: 10}, []string{"4", "3", "2", "1"}},
			"page":         {query.Query{Limit: 2, Skip: 1}, []string{"3", "2"}},
			"path": {query.Query{Limit: 10, Where: where(t, "Path eq '/spor/'")},
				[]string{"4", "2", "1"}},
			"since": {query.Query{Limit: 10, Where: where(t, "ModifiedDate ge "+noon.Add(2*time.Minute).Format(time.RFC3339))},
				[]string{"4", "3"}},
		}
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				test.query.Kind = record.Article
				if got := strings.Fields(listed(t, a, test.query)); !slices.Equal(got, test.want) {
					t.Errorf("got %v, want %v", got, test.want)
				}
			})
		}
	})
}

func TestPicturesMarkTheRecordsThatShowThem(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		r := article("1", "x", 0)
		r.Images, r.Lead = []string{"http://p.example/1.jpg", "http://p.example/2.jpg"}, "http://p.example/1.jpg"
		put(t, a, r, noon)
		missing, err := a.Pictures.Missing(ctx, noon, time.Minute, every)
		if err != nil || !slices.Equal(missing, r.Images) {
			t.Fatalf("missing %v, %v", missing, err)
		}
		err = a.Update(ctx, func(tx *archive.Tx) error {
			if err := tx.PutMedia(archive.Media{URL: r.Images[0], Name: "ab.jpg", Width: 640, Height: 400, Fetched: noon}); err != nil {
				return err
			}
			return tx.PutMedia(archive.Media{URL: r.Images[1], Problem: "404", Fetched: noon})
		})
		if err != nil {
			t.Fatal(err)
		}
		after, _ := a.Records.Get(ctx, record.Article, "1")
		if missing, _ := a.Pictures.Missing(ctx, noon, time.Minute, every); len(missing) != 0 {
			t.Errorf("still missing: %v", missing)
		}
		if missing, _ := a.Pictures.Missing(ctx, noon.Add(time.Hour), time.Minute, every); !slices.Equal(missing, r.Images[1:]) {
			t.Errorf("to try again: %v", missing)
		}
		for _, media := range []bool{true, false} {
			teasers, err := a.Catalog.Teasers(ctx, []int64{after.Row}, media)
			if err != nil || len(teasers) != 1 || teasers[0].Lead != r.Lead ||
				media && (teasers[0].Media == nil || teasers[0].Media.Name != "ab.jpg" || teasers[0].Media.Width != 640) || !media && teasers[0].Media != nil {
				t.Errorf("teaser %+v, %v", teasers, err)
			}
		}
	})
}

// hits is what a search found.
type hits struct {
	Count int // of all
	List  []*archive.Record
}

// search finds records as a server does.
func search(a *archive.Archive, text string, oldest bool, limit, skip int) (h hits, err error) {
	err = a.Snapshot(ctx, func(r *archive.Reader) error {
		rows, err := r.Search(ctx, text, nil, nil)
		if err != nil {
			return err
		}
		if h.Count = len(rows); oldest {
			slices.Reverse(rows)
		}
		h.List, err = r.Hits(ctx, rows[min(skip, len(rows)):], limit)
		return err
	})
	return h, err
}

// count returns how many records a query has without its limits.
func count(a *archive.Archive, q query.Query) (int, error) {
	q.Limit, q.Skip = query.All, 0
	rows, err := a.Reader().Rows(ctx, q)
	return len(rows), err
}

// revisionsOf returns the earlier versions of a record, oldest first.
func revisionsOf(a *archive.Archive, row int64) (list []archive.Revision, err error) {
	for r, err := range a.Records.Earlier(ctx, row) {
		if err != nil {
			return nil, err
		}
		list = slices.Insert(list, 0, r)
	}
	return list, nil
}
