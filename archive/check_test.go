package archive_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/archive/runstate"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/postgrestest"
)

// draw draws the metadata of a record from its JSON.
func draw(r *record.Record) error {
	var article struct {
		Title, Text string
		Images      []string
	}
	if err := json.Unmarshal(r.List, &article); err != nil {
		return err
	}
	r.Title, r.Text, r.Images = article.Title, article.Text, article.Images
	return nil
}

// checked is an archive of three articles that is as it should be.
func checked(t *testing.T, a *archive.Archive) {
	t.Helper()
	for i, title := range []string{"Liman", "Ada\x00", "Körfez"} {
		r := archive.Record{Record: record.Record{Kind: record.Article, ID: fmt.Sprint(i + 1), Metadata: record.Metadata{Tags: []string{}}}, Progress: archive.Progress{Listed: noon}}
		list, err := json.Marshal(map[string]any{"Title": title, "Text": "deniz " + title + " çok güzel", "Images": []string{"http://a.example/" + r.ID}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r.List = range [][]byte{[]byte(`{"Title":"eski"}`), list} {
			if err := draw(&r.Record); err != nil {
				t.Fatal(err)
			}
			put(t, a, r, noon)
		}
	}
	update(t, a, func(tx *archive.Tx) error {
		if err := tx.PutMedia(archive.Media{URL: "http://a.example/1", Fetched: noon, Problem: "404"}); err != nil {
			return err
		}
		if err := tx.State.SetPublishedList(runstate.PublishedList{Dir: "deniz", Title: "Deniz", Pages: 2, Months: []string{"2026-11"}}); err != nil {
			return err
		}
		if _, err := tx.Originals.Put(of("user-3", original("users", "3", `{"name":"Yıldız"}`))); err != nil {
			return err
		}
		return tx.State.SetDirectory("tag", "deniz", "deniz")
	})
	if found, _ := flawsOf(t, a); len(found) > 0 {
		t.Fatalf("flaws of an archive that has none: %q", found)
	}
}

func flawsOf(t *testing.T, a *archive.Archive) (lines []string, flaws []archive.Flaw) {
	t.Helper()
	for f, err := range a.Check(ctx, draw, 2, nil) {
		if err != nil {
			t.Fatal(err)
		}
		lines, flaws = append(lines, f.String()), append(flaws, f)
	}
	return lines, flaws
}

// bothKinds runs a test on either kind of database.
func bothKinds(t *testing.T, test func(*testing.T, *archive.Archive)) {
	t.Run("sqlite", func(t *testing.T) {
		a, err := archive.Memory(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		test(t, a)
	})
	t.Run("postgres", func(t *testing.T) { test(t, openAt(t, postgrestest.Address(t))) })
}

// The check finds whatever is damaged behind the archive's back, in either kind of database.
// Mending derives again what can be derived.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name         string
		file, server string // what damages it; both the same if server is ""
		want         []string
		mended       bool
	}{
		{name: "JSON", file: `UPDATE raw SET single = list WHERE row = 2`, want: []string{"article 2: its JSON is not what arrived"}, mended: true},
		{name: "title", file: `UPDATE record SET title = 'x' WHERE row = 1`, want: []string{"article 1: its metadata is not"}, mended: true},
		{name: "tags", file: `UPDATE record SET tags = '[' WHERE row = 1`, want: []string{"article 1: its metadata is not"}, mended: true},
		{name: "date", file: `UPDATE record SET published = 5 WHERE row = 3`, want: []string{"article 3: its metadata is not"}, mended: true},
		{name: "address of a picture", file: `UPDATE image SET url = 'x' WHERE row = 3`, want: []string{"article 3: its metadata is not"}, mended: true},
		{name: "two records", file: `UPDATE record SET title = 'x' WHERE row <> 2`, want: []string{"article 1: its metadata", "article 3: its metadata"}, mended: true},
		{name: "words lost", file: `DELETE FROM search WHERE rowid = 2`, want: []string{"the full-text index is not what the texts"}, mended: true},
		{name: "last words lost", file: `DELETE FROM search WHERE rowid = 3`, want: []string{"the full-text index is not what the texts"}, mended: true},
		{name: "words of no record", file: `INSERT INTO search (rowid, text) VALUES (9, 'deniz')`, server: `INSERT INTO search VALUES (9, '''deniz''')`,
			want: []string{"the full-text index is not what the texts"}, mended: true},
		{name: "other words", file: `DELETE FROM search WHERE rowid = 1; INSERT INTO search (rowid, text) VALUES (1, 'dag')`, server: `UPDATE search SET words = '''dag''' WHERE rowid = 1`,
			want: []string{"the full-text index is not what the texts"}, mended: true},
		{name: "words lost and a picture unused", file: `DELETE FROM search WHERE rowid = 2; UPDATE media SET url = 'http://a.example/9'`,
			want: []string{"the full-text index is not what the texts", "picture http://a.example/9: no version"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			bothKinds(t, func(t *testing.T, a *archive.Archive) {
				checked(t, a)
				if test.server == "" {
					test.server = test.file
				}
				if err := a.ExecForTest(test.file, test.server); err != nil {
					t.Fatal(err)
				}
				lines, flaws := flawsOf(t, a)
				if !slices.EqualFunc(lines, test.want, strings.HasPrefix) {
					t.Fatalf("flaws %q, want %q", lines, test.want)
				}
				if err := a.Mend(ctx, flaws); err != nil {
					t.Fatal(err)
				}
				if lines, _ = flawsOf(t, a); (len(lines) == 0) != test.mended {
					t.Errorf("mended %v, want %v: %q", !test.mended, test.mended, lines)
				}
				if hits, err := search(a, "deniz", false, 9, 0); test.mended && test.name != "JSON" && (err != nil || hits.Count != 3) {
					t.Errorf("%d hits, %v, want 3", hits.Count, err)
				}
			})
		})
	}
}

// The full-text index of a file that cannot be read any more is found damaged,
// and is filled anew.
func TestCheckDamagedIndex(t *testing.T) {
	a := open(t)
	checked(t, a)
	for _, statement := range []string{
		`UPDATE search_data SET block = substr(block, 1, length(block) - 9) || x'ffffffffffffffffff' WHERE id > 10`,
		`DELETE FROM search_data WHERE id > 10`,
		`DELETE FROM search_data`,
	} {
		if err := a.ExecForTest(statement, ""); err != nil {
			t.Fatal(err)
		}
		lines, flaws := flawsOf(t, a)
		if len(lines) != 1 || !strings.HasPrefix(lines[0], "the full-text index is ") || !strings.HasSuffix(lines[0], "; it is filled anew") {
			t.Fatalf("%s: flaws %q", statement, lines)
		}
		if err := a.Mend(ctx, flaws); err != nil {
			t.Fatal(err)
		}
		if lines, _ := flawsOf(t, a); len(lines) > 0 {
			t.Errorf("%s: after mending %q", statement, lines)
		}
		if hits, err := search(a, "deniz", false, 9, 0); err != nil || hits.Count != 3 {
			t.Errorf("%s: %d hits, %v, want 3", statement, hits.Count, err)
		}
	}
}

// A row whose record is not there, and a second copy that differs from its table, are
// found by SQLite's own checks.
func TestCheckOfTheDatabase(t *testing.T) {
	for statement, want := range map[string]string{
		`PRAGMA foreign_keys = off; INSERT INTO former_url VALUES (9, 'x')`:                                                                                             "the database: the table former_url has rows of a record that is not there",
		`PRAGMA writable_schema = on; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'guard_hit') WHERE name = 'guard_directory'`: "the database: ",
		`PRAGMA writable_schema = on; CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'original_record';
			DELETE FROM sqlite_schema WHERE name = 'original_record'; PRAGMA writable_schema = RESET; UPDATE original SET record = 'user-9';
			PRAGMA writable_schema = on; INSERT INTO sqlite_schema SELECT * FROM kept`: "the database: row 1 missing from index original_record",
	} {
		a := open(t)
		checked(t, a)
		if err := a.ExecForTest(statement, ""); err != nil {
			t.Fatal(err)
		}
		if lines, _ := flawsOf(t, a); len(lines) == 0 || !strings.HasPrefix(lines[0], want) {
			t.Errorf("%s: flaws %q", statement, lines)
		}
	}
}

// A flipped bit of the full-text index is found, or no search shows it: neither one of a
// whole word nor one of the beginning of a word.
func TestCheckFlippedIndex(t *testing.T) {
	testrun.NotShort(t)
	path := filepath.Join(t.TempDir(), "archive.db")
	a, err := archive.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	checked(t, a)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var blocks [][]byte
	var ids []int64
	rows, err := db.Query(`SELECT id, block FROM search_data ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var id int64
		var block []byte
		if err := rows.Scan(&id, &block); err != nil {
			t.Fatal(err)
		}
		ids, blocks = append(ids, id), append(blocks, block)
	}
	if err := rows.Err(); err != nil || len(blocks) == 0 {
		t.Fatal(len(blocks), err)
	}
	answers := func() string {
		var all []string
		for _, text := range []string{"deniz", "de", "den", "deni", "li", "lim", "liman", "ad", "ada", "ko", "kor", "korf", "ço", "cok", "gü", "guz", "güzel", "deniz ad", "x"} {
			rows, err := a.Reader().Search(ctx, text, nil, nil)
			all = append(all, fmt.Sprint(text, rows, err))
		}
		return strings.Join(all, "\n")
	}
	want, found := answers(), 0
	step := testrun.Counts{Plain: 61, Long: 7}.Now()
	for i, block := range blocks {
		for bit := i % 8; bit < 8*len(block); bit += step {
			flipped := slices.Clone(block)
			flipped[bit/8] ^= 1 << (bit % 8)
			if _, err := db.Exec(`UPDATE search_data SET block = ? WHERE id = ?`, flipped, ids[i]); err != nil {
				t.Fatal(err)
			}
			if lines, _ := flawsOf(t, a); len(lines) > 0 {
				found++
			} else if got := answers(); got != want {
				t.Errorf("block %d, bit %d is not found, and answers are\n%s\nwant\n%s", ids[i], bit, got, want)
			}
		}
		if _, err := db.Exec(`UPDATE search_data SET block = ? WHERE id = ?`, block, ids[i]); err != nil {
			t.Fatal(err)
		}
	}
	if found == 0 {
		t.Error("no flip was found: nothing was tested")
	}
}
