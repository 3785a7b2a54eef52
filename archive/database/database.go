// Package database opens the database of an archive, a SQLite file or a schema of PostgreSQL,
// and runs statements on it: a name and a [Schema] go in, a [DB] with its tables in the latest
// version comes out. The DB gives rows, transactions and classified errors.
//
// What is stored in the tables is for the packages above. Begin with [Open]; [Statements] run a
// statement, [Each] reads what it returns, and engine.go lists what SQLite and PostgreSQL do
// differently.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// DB is an open database. Its methods may be called by any number of goroutines; writes take
// turns.
type DB struct {
	Read *Statements // each sees the newest state

	engine engine
	schema *Schema

	readers *sql.DB     // any number of connections, each on a consistent snapshot
	writers *sql.DB     // nil if the database is open for reading only
	writer  *sql.Conn   // the only one of writers
	write   *Statements // of writer
	turn    sync.Mutex  // held during each transaction that writes
}

// Open opens a database for writing, creates it if it does not exist, and brings its tables to
// the latest version. The name is the path of a file, or the address of a PostgreSQL database
// (postgres://user@host/database), which must exist. Only one process at a time can open a
// database for writing; others get [ErrLocked].
func Open(ctx context.Context, name string, schema *Schema) (*DB, error) {
	e, err := engineOf(name, schema)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	return open(ctx, e, schema)
}

// Memory returns an empty database in memory.
func Memory(ctx context.Context, schema *Schema) (*DB, error) {
	return open(ctx, newMemory(schema), schema)
}

// OpenReadOnly opens an existing database for reading. Another process may write to it
// meanwhile. Without a database the error is [ErrMissing].
func OpenReadOnly(ctx context.Context, name string, schema *Schema) (*DB, error) {
	e, err := engineOf(name, schema)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	d := &DB{engine: e, schema: schema}
	if err := d.connectReaders(ctx, true); err != nil {
		return nil, d.failed(err)
	}
	return d, nil
}

func open(ctx context.Context, e engine, schema *Schema) (*DB, error) {
	d := &DB{engine: e, schema: schema}
	// The writer creates the file, so it is opened before the readers.
	if err := d.connectWriter(ctx); err != nil {
		return nil, d.failed(err)
	}
	if err := d.connectReaders(ctx, false); err != nil {
		return nil, d.failed(err)
	}
	return d, nil
}

// failed closes a database that could not be opened, and returns the error with its name.
func (d *DB) failed(err error) error {
	if errors.Is(err, ErrMissing) {
		return errors.Join(fmt.Errorf("%w at %s", ErrMissing, d.Name()), d.Close())
	}
	return errors.Join(fmt.Errorf("open archive %s: %w", d.Name(), err), d.Close())
}

func (d *DB) connectWriter(ctx context.Context) (err error) {
	if d.writers, d.writer, err = d.engine.writer(ctx); err != nil {
		return Classify(err)
	}
	d.write = newStatements(d.writer, d.engine)
	d.write.uninterrupted = true // a cancelled statement would close PostgreSQL's connection
	return d.migrate(ctx)
}

// migrate brings the schema to this program's version, one version in each
// transaction.
func (d *DB) migrate(ctx context.Context) error {
	version, err := d.engine.version(ctx, d.writer)
	if err != nil {
		return Classify(err)
	}
	if version != 0 && (version < d.schema.first || version > d.schema.Latest()) {
		return d.checkVersion(version)
	}
	begin, _ := d.engine.transaction()
	for version = max(version+1, d.schema.first); version <= d.schema.Latest(); version++ {
		statements := []string{begin, d.engine.migration(version), "COMMIT"}
		if _, err := d.writer.ExecContext(ctx, strings.Join(statements, ";\n")); err != nil {
			return fmt.Errorf("make version %d of the schema: %w", version, Classify(err))
		}
	}
	return nil
}

func (d *DB) connectReaders(ctx context.Context, readOnly bool) (err error) {
	if d.readers, err = d.engine.readers(ctx, readOnly); err != nil {
		return Classify(err)
	}
	d.Read = newStatements(d.readers, d.engine)
	if !readOnly {
		return nil
	}
	version, err := d.engine.version(ctx, d.readers)
	if err != nil {
		return Classify(err)
	}
	return d.checkVersion(version)
}

func (d *DB) checkVersion(version int) error {
	switch first, latest := d.schema.first, d.schema.Latest(); {
	case version == 0:
		return ErrMissing
	case version < first:
		return fmt.Errorf("%w: its schema is %d; run ayna build --offline once with the program of commit 39d1da99, which brings it to version %d, or name another archive in site.yaml",
			ErrOlder, version, first)
	case version < latest:
		return fmt.Errorf("its schema is version %d; run ayna build --offline once, where it can be written, to bring it to version %d", version, latest)
	case version > latest:
		return fmt.Errorf("%w: its schema is %d, this one reads up to %d; use that version, or another archive", ErrNewer, version, latest)
	}
	return nil
}

// Name names the archive in messages: its file, or its address without secrets.
func (d *DB) Name() string {
	name, _ := d.engine.location()
	return name
}

// Media returns the folder of the archive's pictures, "" for a database in memory.
func (d *DB) Media() string {
	_, media := d.engine.location()
	return media
}

// Writable reports whether the database is open for writing.
func (d *DB) Writable() bool { return d.write != nil }

// Close closes the database and releases its lock. An error means that recent writes
// may be missing on the disk, or that what was read may be inconsistent.
func (d *DB) Close() error {
	var errs []error
	if d.Outdated() {
		errs = append(errs, fmt.Errorf("the archive %s, which is read from a read-only folder, was changed meanwhile; run the command again", d.Name()))
	}
	if d.write != nil && d.Read != nil { // it was opened for writing
		if err := d.engine.checkpoint(context.Background(), d.writer); err != nil {
			errs = append(errs, fmt.Errorf("close archive %s: %w", d.Name(), Classify(err)))
		}
	}
	for _, s := range []*Statements{d.Read, d.write} {
		if s != nil {
			s.close()
		}
	}
	if d.readers != nil {
		errs = append(errs, d.readers.Close())
	}
	if d.writer != nil {
		errs = append(errs, d.writer.Close())
	}
	if d.writers != nil {
		errs = append(errs, d.writers.Close())
	}
	return errors.Join(append(errs, d.engine.release())...)
}

// Changes returns a number that changes with every change of the database by any
// process. It is only comparable while the database is open.
func (d *DB) Changes(ctx context.Context) (int64, error) {
	version, err := d.engine.changes(ctx, d.readers)
	if err != nil {
		return 0, fmt.Errorf("watch the archive: %w", Classify(err))
	}
	return version, nil
}

// Outdated reports whether another process changed a database in a read-only folder
// since it was opened. Reads may be inconsistent then: open it again.
func (d *DB) Outdated() bool { return d.engine.outdated() }

// Inspect returns the damage of the database itself, apart from its records, and whether the
// full-text index alone is damaged.
func (d *DB) Inspect(ctx context.Context) (damage []string, index bool, err error) {
	return d.engine.inspect(ctx)
}

// Scrub overwrites the deleted rows in the database.
func (d *DB) Scrub(ctx context.Context) error {
	d.turn.Lock()
	defer d.turn.Unlock()
	return Wrap(d.engine.scrub(ctx, d.writer), "overwrite what was deleted")
}
