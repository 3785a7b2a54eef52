package archive_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/archive/postgrestest"
	"ayna/server/newsroom"
)

// moved are the versions of a record that had three addresses, and one of damaged JSON.
func moved(t *testing.T, a *archive.Archive) (row int64) {
	t.Helper()
	for i, url := range []string{"https://h.example/çay", "", " https://h.example/su\n", "https://h.example/ayran"} {
		r := article("1", "İçecek", i)
		r.URL = strings.TrimSpace(url)
		r.List = []byte(`{"Id":"1","Url":"` + strings.ReplaceAll(url, "\n", `\n`) + `"}`)
		r.Single = []byte(`{"Id":"1","Url":"http://h.example/both"}`)
		r.URLs = []string{r.URL, "http://h.example/both"}
		put(t, a, r, noon)
	}
	got, err := a.Records.Get(ctx, archive.Article, "1")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.SpoilForTest(`INSERT INTO revision (row, part, json, seen) VALUES (1, 'damaged', '{"Url":"https://h.exa', 1)`,
		`INSERT INTO revision (row, part, json, seen) VALUES (1, 'damaged', '{"Url":"https://h.exa', 1)`); err != nil {
		t.Fatal(err)
	}
	return got.Row
}

var formerOfMoved = []string{"http://h.example/both", "https://h.example/su", "https://h.example/çay"}

// publishedOfMoved has each form that version 1 had of the feeds and months of a list.
var publishedOfMoved = map[string]archive.PublishedList{
	"":      {Months: []string{"2026-11", "2026-10-1", "2026-10"}},
	"bos":   {Dir: "bos"},
	"kent":  {Dir: "kent", Feeds: "none", Months: []string{"2026-11"}},
	"spor":  {Dir: "spor", Feeds: "none", Months: []string{"2026-11", "2026-10"}},
	"x":     {Dir: "x", Feeds: "none"},
	"other": {Dir: "other", Feeds: "one"},
}

// Put keeps each address that a record had.
func TestFormerAddresses(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		row := moved(t, a)
		if former := a.FormerForTest(t, row); !slices.Equal(former, formerOfMoved) {
			t.Errorf("former addresses %q", former)
		}
	})
}

// An archive of an earlier version of the schema is brought to the present one, and has the
// former addresses of its records from their JSON. Readers say who does that.
func TestMigration(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "archive.db")
			if kind == "postgres" {
				name = postgrestest.Address(t)
			}
			a, err := archive.Open(ctx, name)
			if err != nil {
				t.Fatal(err)
			}
			row := moved(t, a)
			members := article("2", "Üyelere", 5)
			members.List, members.Single, members.Access = []byte(`{"Id":"2"}`), []byte(`{"Id":"2","Access":"members"}`), "members"
			put(t, a, members, noon)
			stored, err := a.Records.Get(ctx, archive.Article, "2")
			if err != nil {
				t.Fatal(err)
			}
			update(t, a, func(tx *archive.Tx) error {
				for dir, list := range publishedOfMoved {
					list.Dir = dir
					if err := tx.State.SetPublishedList(list); err != nil {
						return err
					}
				}
				return tx.Forget(archive.Article, "9", true)
			})
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			newsroom.Downgrade(t, name)

			_, err = archive.OpenReadOnly(ctx, name)
			if err == nil || !strings.Contains(err.Error(), "ayna build --offline") {
				t.Errorf("reading an older archive: %v", err)
			}
			for range 2 {
				if a, err = archive.Open(ctx, name); err != nil {
					t.Fatal(err)
				}
				if former := a.FormerForTest(t, row); !slices.Equal(former, formerOfMoved) {
					t.Errorf("former addresses %q", former)
				}
				teasers, err := a.Catalog.Teasers(ctx, []int64{row, stored.Row}, false)
				if err != nil || len(teasers) != 2 || slices.ContainsFunc(teasers, func(t archive.Teaser) bool { return t.Members != (t.Row == stored.Row) }) {
					t.Errorf("teasers %+v, %v", teasers, err)
				}
				if forgotten, err := a.State.Forgotten(ctx); err != nil || len(forgotten) != 1 || forgotten[0].ID != "9" {
					t.Errorf("forgotten %v, %v", forgotten, err)
				}
				if lists, err := a.State.PublishedLists(ctx); err != nil || !reflect.DeepEqual(lists, publishedOfMoved) {
					t.Errorf("published lists %+v, %v", lists, err)
				}
				for f, err := range a.Check(ctx, archive.CheckOptions{Derive: func(*archive.Record) error { return nil }}) {
					if err != nil || f.Kind == "" {
						t.Errorf("%v, %v", f, err)
					}
				}
				if err := a.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := archive.OpenReadOnly(ctx, name); err != nil {
				t.Error(err)
			}
		})
	}
}

// What is not of an archive's version of the schema would run during its migration.
func TestMigrationOfCraftedSchema(t *testing.T) {
	t.Parallel()
	path := crafted(t, `SELECT 1`)
	newsroom.Downgrade(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TRIGGER harm AFTER INSERT ON forgotten BEGIN DELETE FROM record; END`); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(context.Context, string) (*archive.Archive, error){"Open": archive.Open, "OpenReadOnly": archive.OpenReadOnly} {
		if _, err := open(ctx, path); err == nil || !strings.Contains(err.Error(), `trigger "harm"`) {
			t.Errorf("%s: %v, want one that names the trigger", name, err)
		}
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file has changed, %v", err)
	}
}
