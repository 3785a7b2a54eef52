package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	driver "modernc.org/sqlite"
)

// texts compares the full-text index with the texts of the records.
type texts interface {
	// add takes in what the index should have of a record, as [engine.index] gives
	// it. Records come in the order of their rows, each that is searched for.
	add(ctx context.Context, words []any) error
	// compare says, in the end, in what way the index is another one; "" if it is
	// not.
	compare(ctx context.Context) (string, error)
	remove()
}

// words looks whether the full-text index is that of the records' texts. If
// others of their flaws have been found, there is no telling yet.
func (c *check) words(ctx context.Context, texts texts) error {
	if c.found > 0 {
		return nil
	}
	what, err := texts.compare(ctx)
	if err != nil || what == "" {
		return err
	}
	c.flaw(c.wrongIndex(what))
	return nil
}

func (c *check) wrongIndex(what string) Flaw {
	return Flaw{What: what + "; it is filled anew", mend: func(tx *Tx) error { return tx.refill(c.Derive) }}
}

// refill empties the full-text index and enters the texts of all records. Some
// are read at a time: while a connection reads, it cannot write.
func (t *Tx) refill(derive func(*Record) error) error {
	if err := t.exec(t.tx.engine.emptyIndex()); err != nil {
		return err
	}
	last := int64(0)
	for {
		records, err := t.some(last)
		if err != nil || len(records) == 0 {
			return err
		}
		for _, r := range records {
			last = r.Row
			if r.Damaged || !searched(r.Kind) || r.List == nil && r.Single == nil {
				continue
			}
			if err := derive(r); err != nil {
				continue // nothing of it is shown, either
			}
			statement, args := t.tx.engine.index(r)
			if err := t.exec(statement, args...); err != nil {
				return err
			}
		}
	}
}

// some returns the records with their JSON that follow a row.
func (t *Tx) some(after int64) ([]*Record, error) {
	const most = 16 // which may be long
	var list []*Record
	for r, err := range records(t.ctx, t.tx, true, `SELECT `+rawColumns+` FROM record `+withRaw+` WHERE row > ? ORDER BY row LIMIT ?`, after, most) {
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// copied is a copy of the full-text index of a file, beside the texts that it is
// of: it keeps no text itself, and nothing else tells whether it is good.
type copied struct {
	file  string
	db    *sql.DB
	conn  *sql.Conn
	fresh *sql.Conn // which has not used the index while it was copied
	stmt  *sql.Stmt
	tx    *sql.Tx
}

// checkFiles begins the names of files, and folders, that a check writes for
// itself beside an archive.
const checkFiles = ".check-"

func (s *sqlite) texts(ctx context.Context, _ *Archive) (_ texts, err error) {
	t := new(copied)
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
	if err = t.open(ctx, parent); err != nil {
		return nil, err
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
		if _, err = t.conn.ExecContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	if err = t.average(ctx); err != nil {
		return nil, err
	}
	if t.tx, err = t.conn.BeginTx(ctx, nil); err != nil {
		return nil, err
	}
	t.stmt, err = t.tx.PrepareContext(ctx, `INSERT INTO folded (row, title, spot, text) VALUES (?, ?, ?, ?)`)
	return t, err
}

// open makes the file, and takes its name away again: it holds what may have to
// be forgotten, and so goes with the process, however that ends.
func (t *copied) open(ctx context.Context, dir string) error {
	f, err := os.CreateTemp(dir, checkFiles)
	if err != nil {
		return err
	}
	t.file = f.Name()
	if err := f.Close(); err != nil {
		return err
	}
	address := fileAddress(t.file, url.Values{"_pragma": {"journal_mode(off)", "synchronous(off)", "cache_size(-8192)"}})
	if t.db, err = sql.Open("sqlite", address); err != nil {
		return err
	}
	for _, conn := range []**sql.Conn{&t.conn, &t.fresh} {
		if *conn, err = t.db.Conn(ctx); err != nil {
			return err
		}
	}
	os.Remove(t.file) // where that can be done with an open one
	return nil
}

// removeCheckFiles removes what checks have left beside the archive. One that is
// at work has taken its file's name away, or has it open where that prevents its
// removal.
func (s *sqlite) removeCheckFiles() error {
	if s.memory != "" {
		return nil
	}
	dir := filepath.Dir(s.path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), checkFiles) {
			errs = append(errs, os.RemoveAll(filepath.Join(dir, entry.Name())))
		}
	}
	return errors.Join(errs...)
}

// average writes the sums of the sizes of all texts, which the index would rank
// by: one without content does not take off what is deleted.
func (t *copied) average(ctx context.Context) error {
	rows, err := t.conn.QueryContext(ctx, `SELECT sz FROM search_docsize`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var sums [4]uint64 // rows, and words of each column
	for rows.Next() {
		var sizes sql.RawBytes
		if err := rows.Scan(&sizes); err != nil {
			return err
		}
		sums[0]++
		column := 1
		for n := uint64(0); len(sizes) > 0 && column < len(sums); sizes = sizes[1:] {
			if n = n<<7 | uint64(sizes[0]&0x7f); sizes[0] < 0x80 {
				sums[column] += n
				column, n = column+1, 0
			}
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	var record []byte
	for _, sum := range sums {
		record = appendVarint(record, sum)
	}
	_, err = t.conn.ExecContext(ctx, `UPDATE search_data SET block = ? WHERE id = 1`, record)
	return err
}

// appendVarint appends a number in SQLite's form (File Format, section 1.6).
func appendVarint(b []byte, n uint64) []byte {
	for shift := 49; shift > 0; shift -= 7 {
		if n>>shift > 0 {
			b = append(b, byte(n>>shift)|0x80)
		}
	}
	return append(b, byte(n&0x7f))
}

func (t *copied) add(ctx context.Context, words []any) error {
	_, err := t.stmt.ExecContext(ctx, words...)
	return err
}

// compare has the index compared with the texts. The connection that copied the
// index knows only what it had before.
func (t *copied) compare(ctx context.Context) (string, error) {
	if err := errors.Join(t.stmt.Close(), t.tx.Commit()); err != nil {
		return "", err
	}
	_, err := t.fresh.ExecContext(ctx, `INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`)
	if e := (*driver.Error)(nil); errors.As(err, &e) && errors.Is(explainSQLite(e), ErrDamaged) {
		return "the full-text index is not what the texts of the records give", nil
	}
	return "", err
}

func (t *copied) remove() {
	if t.tx != nil {
		t.tx.Rollback()
	}
	for _, conn := range []*sql.Conn{t.conn, t.fresh} {
		if conn != nil {
			conn.Close()
		}
	}
	if t.db != nil {
		t.db.Close()
	}
	if t.file != "" {
		os.Remove(t.file)
	}
}
