package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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
	if err = t.average(ctx); err != nil {
		return t, err
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

// average writes the sums of the sizes of all texts, which the index would rank
// by: one without content does not take off what is deleted.
func (t *texts) average(ctx context.Context) error {
	rows, err := t.db.QueryContext(ctx, `SELECT sz FROM search_docsize`)
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
	_, err = t.db.ExecContext(ctx, `UPDATE search_data SET block = ? WHERE id = 1`, record)
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
