package archive

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed guard.sql
var guards string

// database looks at the file as such: whether it is well-formed, every index
// agrees with its table, every reference leads somewhere, and the schema is ours.
func (c *check) database(ctx context.Context) error {
	if c.Writable() {
		c.turn.Lock()
		_, err := c.write.ExecContext(ctx, guards)
		c.turn.Unlock()
		if err != nil {
			return err
		}
	}
	verdicts, err := listOf(ctx, c.read, `PRAGMA integrity_check(20)`)
	if err != nil {
		return err
	}
	for _, verdict := range verdicts {
		if verdict != "ok" && !c.flaw(Flaw{What: "the database: " + verdict}) {
			return nil
		}
	}
	strays, err := listOf(ctx, c.read, `SELECT DISTINCT "table" FROM pragma_foreign_key_check`)
	if err != nil {
		return err
	}
	for _, table := range strays {
		if !c.flaw(Flaw{What: "the database: the table " + table + " has rows of a record that is not there"}) {
			return nil
		}
	}
	return c.schema(ctx)
}

const schemaOf = `SELECT type || ' ' || name || char(10) || coalesce(sql, '') FROM sqlite_schema
	WHERE name NOT LIKE 'search\_%' ESCAPE '\' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`

// schema compares the schema with the one that a new archive gets. What others
// have added is their own.
func (c *check) schema(ctx context.Context) error {
	actual, err := listOf(ctx, c.read, schemaOf)
	if err != nil {
		return err
	}
	has := make(map[string]bool)
	for _, object := range actual {
		has[object] = true
	}
	fresh, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer fresh.Close()
	fresh.SetMaxOpenConns(1)
	if _, err := fresh.ExecContext(ctx, sqliteSchema+guards); err != nil {
		return err
	}
	expected := newStatements(fresh, c.engine)
	defer expected.close()
	objects, err := listOf(ctx, expected, schemaOf)
	if err != nil {
		return err
	}
	for _, object := range objects {
		name, _, _ := strings.Cut(object, "\n")
		if !has[object] && (c.Writable() || !strings.Contains(name, " guard_")) &&
			!c.flaw(Flaw{What: "the database: the " + name + " is not that of this version's schema"}) {
			return nil
		}
	}
	return nil
}

// texts is a copy of the full-text index, beside the texts that it is of: it
// keeps no text itself, and nothing else tells whether it is good.
type texts struct {
	dir  string
	db   *sql.DB
	stmt *sql.Stmt
	tx   *sql.Tx
}

func newTexts(ctx context.Context, s *sqlite) (t *texts, err error) {
	t = new(texts)
	defer func() {
		if err != nil {
			t.remove()
			err = fmt.Errorf("copy the full-text index: %w", err)
		}
	}()
	parent := ""
	if s.memory == "" {
		parent = filepath.Dir(s.path)
	}
	if t.dir, err = os.MkdirTemp(parent, ".check-"); err != nil {
		return t, err
	}
	if err = t.open(); err != nil {
		return t, err
	}
	for _, statement := range []string{
		`ATTACH '` + strings.ReplaceAll(s.address("ro"), "'", "''") + `' AS archive`,
		`CREATE TABLE folded (row INTEGER PRIMARY KEY, title TEXT, spot TEXT, text TEXT)`,
		`CREATE VIRTUAL TABLE search USING fts5 (title, spot, text,
			content = 'folded', content_rowid = 'row', tokenize = 'unicode61 remove_diacritics 0', prefix = '2 3')`,
		`DELETE FROM search_data`,
		`INSERT INTO search_data SELECT id, block FROM archive.search_data`,
		`INSERT INTO search_idx SELECT segid, term, pgno FROM archive.search_idx`,
		`INSERT INTO search_docsize SELECT id, sz FROM archive.search_docsize`,
		`DETACH archive`,
	} {
		if _, err = t.db.ExecContext(ctx, statement); err != nil {
			return t, err
		}
	}
	if t.tx, err = t.db.BeginTx(ctx, nil); err != nil {
		return t, err
	}
	t.stmt, err = t.tx.PrepareContext(ctx, `INSERT INTO folded (row, title, spot, text) VALUES (?, ?, ?, ?)`)
	return t, err
}

func (t *texts) open() (err error) {
	t.db, err = sql.Open("sqlite", "file:"+filepath.Join(t.dir, "texts.db")+"?_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=cache_size(-8192)")
	if err == nil {
		t.db.SetMaxOpenConns(1)
	}
	return err
}

// add adds the texts of a record that a search looks for.
func (t *texts) add(ctx context.Context, r *Record) error {
	if t == nil || !searched(r.Kind) {
		return nil
	}
	_, err := t.stmt.ExecContext(ctx, r.Row, Fold(r.Title), Fold(r.Spot), Fold(r.Text))
	return err
}

// compare has the index compared with the texts. A new connection is needed: the
// one that copied the index knows only what it had before.
func (t *texts) compare(ctx context.Context) error {
	if err := errors.Join(t.stmt.Close(), t.tx.Commit(), t.db.Close(), t.open()); err != nil {
		return err
	}
	_, err := t.db.ExecContext(ctx, `INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`)
	if err != nil {
		return fmt.Errorf("it is not what the texts of the records give; restore the archive from a copy, or have it filled anew: %w", err)
	}
	return nil
}

func (t *texts) remove() {
	if t.tx != nil {
		t.tx.Rollback()
	}
	if t.db != nil {
		t.db.Close()
	}
	if t.dir != "" {
		os.RemoveAll(t.dir)
	}
}
