package archive_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/archive/database"
)

// crafted makes an archive and runs statements on its file.
func crafted(t *testing.T, statements string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "archive.db")
	a, err := archive.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, a, article("1", "başlık", 0), noon)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// A file that holds more than the schema is not opened, neither to write
// nor to read, and the object is named.
func TestCraftedSchema(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, statements, object string }{
		{"trigger", `CREATE TRIGGER harm AFTER INSERT ON request BEGIN DELETE FROM record; END`, `trigger "harm"`},
		{"trigger under a name of the schema", `DROP TRIGGER generation_hit_new; CREATE TRIGGER generation_hit_new AFTER INSERT ON hit BEGIN DELETE FROM record; END`, `trigger "generation_hit_new"`},
		{"trigger in other letters", `DROP TRIGGER generation_media_new; CREATE TRIGGER GENERATION_MEDIA_NEW AFTER INSERT ON media BEGIN
			UPDATE state SET value = value + 1 WHERE name = 'generation'; END`, `trigger "GENERATION_MEDIA_NEW"`},
		{"view", `CREATE VIEW harm AS SELECT load_extension('x')`, `view "harm"`},
		{"view under a name of the schema", `DROP VIEW item; CREATE VIEW item AS SELECT row, title AS item FROM record`, `view "item"`},
		{"index with an expression", `CREATE INDEX harm ON record (lower(title))`, `index "harm"`},
		{"index under a name of the schema", `DROP INDEX record_seen; CREATE INDEX record_seen ON record (abs(seen))`, `index "record_seen"`},
		{"virtual table", `CREATE VIRTUAL TABLE harm USING fts5 (a)`, `table "harm"`},
		{"table", `CREATE TABLE harm (a, b AS (hex(a)))`, `table "harm"`},
		{"column", `ALTER TABLE record ADD COLUMN harm TEXT AS (hex(title)) VIRTUAL`, `table "record"`},
		{"table of statistics", `PRAGMA writable_schema = on; INSERT INTO sqlite_schema VALUES ('table', 'sqlite_stat1', 'sqlite_stat1', 0, 'CREATE VIRTUAL TABLE sqlite_stat1 USING fts5 (a)')`, `table "sqlite_stat1"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := crafted(t, test.statements)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for name, open := range map[string]func(context.Context, string) (*archive.Archive, error){"Open": archive.Open, "OpenReadOnly": archive.OpenReadOnly} {
				a, err := open(ctx, path)
				if err == nil {
					a.Close()
				}
				if !errors.Is(err, database.ErrForeign) || !strings.Contains(err.Error(), test.object) {
					t.Errorf("%s: %v, want one that names the %s", name, err, test.object)
				}
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
				t.Errorf("the file has changed, %v", err)
			}
		})
	}
}

// What the program itself has made, and SQLite's statistics, are no harm:
// also if another version of it wrote other comments, or lacked what was added.
func TestOwnSchema(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, statements string }{
		{"nothing", `SELECT 1`},
		{"statistics", `ANALYZE`},
		{"indexes of the check", `DROP INDEX guard_hit`},
		{"other comments", "DROP TABLE request; CREATE TABLE request (  -- when\n\n\tsent /* Unix */ INTEGER NOT NULL\n) STRICT; CREATE INDEX request_sent ON request (sent)"},
	} {
		path := crafted(t, test.statements)
		for name, open := range map[string]func(context.Context, string) (*archive.Archive, error){"Open": archive.Open, "OpenReadOnly": archive.OpenReadOnly} {
			a, err := open(ctx, path)
			if err != nil {
				t.Errorf("%s: %s: %v", test.name, name, err)
				continue
			}
			if err := a.Close(); err != nil {
				t.Errorf("%s: %s: %v", test.name, name, err)
			}
		}
	}
}

// Statements of the archive cannot write to the inside of the file.
func TestHardened(t *testing.T) {
	t.Parallel()
	a := open(t)
	for query, want := range map[string]string{"PRAGMA trusted_schema": "0", "PRAGMA cell_size_check": "1"} {
		for where, got := range a.PragmaForTest(t, query) {
			if got != want {
				t.Errorf("%s of %s: %s, want %s", query, where, got, want)
			}
		}
	}
	if err := a.Update(ctx, func(tx *archive.Tx) error { return tx.ExecForTest(`DELETE FROM search_data`) }); err == nil {
		t.Error("a table of the full-text index can be written to")
	}
}

func BenchmarkOpenReader(b *testing.B) {
	path := filepath.Join(b.TempDir(), "archive.db")
	a, err := archive.Open(ctx, path)
	if err != nil {
		b.Fatal(err)
	}
	if err := a.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		a, err := archive.OpenReadOnly(ctx, path)
		if err != nil {
			b.Fatal(err)
		}
		a.Close()
	}
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "archive.db")
	for b.Loop() {
		a, err := archive.Open(ctx, path)
		if err != nil {
			b.Fatal(err)
		}
		a.Close()
	}
}
