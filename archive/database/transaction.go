package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Tx is a transaction that writes.
type Tx struct {
	*Statements
	ctx context.Context
}

// Update runs fn in a transaction. It commits if fn returns nil, and rolls back
// otherwise.
func (d *DB) Update(ctx context.Context, fn func(Tx) error) error {
	d.turn.Lock()
	defer d.turn.Unlock()
	if d.write == nil {
		return errors.New("the archive is open for reading only")
	}
	begin, commit := d.engine.transaction()
	if _, err := d.write.ExecContext(ctx, begin); err != nil {
		return fmt.Errorf("write to the archive: %w", err)
	}
	committed := false
	defer func() {
		if !committed {
			// SQLite has rolled back already if the disk is full.
			d.write.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if err := fn(Tx{d.write, ctx}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("write to the archive: %w", err)
	}
	// Not prepared: PostgreSQL's commit is two statements.
	if _, err := d.writer.ExecContext(context.WithoutCancel(ctx), commit); err != nil {
		return fmt.Errorf("write to the archive: %w", err)
	}
	committed = true
	return nil
}

// Exec runs a statement that returns no rows.
func (t Tx) Exec(query string, args ...any) error {
	_, err := t.ExecContext(t.ctx, query, args...)
	return err
}

// QueryRow runs a query for one row.
func (t Tx) QueryRow(query string, args ...any) *sql.Row {
	return t.QueryRowContext(t.ctx, query, args...)
}

// Count runs a statement that returns no rows, and returns how many it has changed.
func (t Tx) Count(query string, args ...any) (int64, error) {
	result, err := t.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// UpdateOrInsert runs insert if update finds no row. Both take the same parameters. An
// upsert would name the key, which in PostgreSQL is a digest of the column.
func (t Tx) UpdateOrInsert(update, insert string, args ...any) error {
	if n, err := t.Count(update, args...); err != nil || n > 0 {
		return err
	}
	return t.Exec(insert, args...)
}

// Snapshot calls read with statements that all see the same state. They are prepared each time.
func (d *DB) Snapshot(ctx context.Context, read func(*Statements) error) error {
	tx, err := d.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return fmt.Errorf("read the archive: %w", err)
	}
	defer tx.Rollback()
	return read(&Statements{Dialect: d.engine, database: tx})
}

// Once returns statements that are prepared each time: for texts that do not recur.
func (d *DB) Once() *Statements { return &Statements{Dialect: d.engine, database: d.readers} }
