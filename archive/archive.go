// Package archive is the local store of a mirror: every record as it was
// received, its earlier versions, its pictures, and the state of the
// synchronisation. It is one SQLite file in WAL mode, with a folder media/ beside
// it, or a schema of a PostgreSQL database; the tables of both (schema.sql,
// postgres.sql, and what later versions add) are documented for people who open them with sqlite3 or psql.
//
// In go [Record] values, which package wire makes from the service's JSON. Out come
// records, summaries and teasers for a site, and lists, searches and single records
// for the server. Begin with record.go and write.go; reader.go and query.go serve
// lists, and engine.go lists what SQLite and PostgreSQL do differently.
package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	sqlitedriver "modernc.org/sqlite"
)

// Version is the schema version this package reads and writes.
const Version = 3

// Archive is an open archive. Its methods may be called by any number of
// goroutines; writes take turns.
type Archive struct {
	engine engine

	readers *sql.DB     // any number of connections, each on a consistent snapshot
	read    *statements // of readers
	writers *sql.DB     // nil if the archive is open for reading only
	writer  *sql.Conn   // the only one of writers
	write   *statements // of writer
	turn    sync.Mutex  // held during each transaction that writes

	isNew bool // it held no record when it was opened

	validity func() *validity // allocated by the first list
}

// Open opens an archive for writing, and creates it if it does not exist. It is named
// by the path of its file, or by the address of a PostgreSQL database
// (postgres://user@host/database), which must exist. Only one process at a time can
// open it for writing; others get [ErrLocked].
func Open(ctx context.Context, name string) (*Archive, error) {
	e, err := engineOf(name)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	return open(ctx, e)
}

// Memory returns an empty archive in memory.
func Memory(ctx context.Context) (*Archive, error) { return open(ctx, newMemory()) }

// OpenReader opens an existing archive for reading. Another process may write
// to it meanwhile.
func OpenReader(ctx context.Context, name string) (*Archive, error) {
	e, err := engineOf(name)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	a := &Archive{engine: e, validity: sync.OnceValue(newValidity)}
	if err := a.connectReaders(ctx, true); err != nil {
		return nil, a.failed(err)
	}
	return a, nil
}

func open(ctx context.Context, e engine) (*Archive, error) {
	a := &Archive{engine: e, validity: sync.OnceValue(newValidity)}
	// The writer creates the file, so it is opened before the readers.
	if err := a.connectWriter(ctx); err != nil {
		return nil, a.failed(err)
	}
	if err := a.connectReaders(ctx, false); err != nil {
		return nil, a.failed(err)
	}
	return a, nil
}

// failed closes an archive that could not be opened.
func (a *Archive) failed(err error) error {
	return errors.Join(fmt.Errorf("open archive %s: %w", a.Name(), err), a.Close())
}

func (a *Archive) connectWriter(ctx context.Context) (err error) {
	if a.writers, a.writer, err = a.engine.writer(ctx); err != nil {
		return Explain(err)
	}
	a.write = newStatements(a.writer, a.engine)
	a.write.uninterrupted = true // a cancelled statement would close PostgreSQL's connection
	if err := a.migrate(ctx); err != nil {
		return err
	}
	return Explain(a.writer.QueryRowContext(ctx, `SELECT NOT EXISTS (SELECT 1 FROM record)`).Scan(&a.isNew))
}

// migrate brings the schema to this program's version, one version in each
// transaction.
func (a *Archive) migrate(ctx context.Context) error {
	version, err := a.engine.version(ctx, a.writer)
	if err != nil {
		return Explain(err)
	}
	if version > Version {
		return checkVersion(version)
	}
	begin, _ := a.engine.transaction()
	for version++; version <= Version; version++ {
		statements := []string{begin, a.engine.migration(version), "COMMIT"}
		if _, err := a.writer.ExecContext(ctx, strings.Join(statements, ";\n")); err != nil {
			return fmt.Errorf("make version %d of the schema: %w", version, Explain(err))
		}
	}
	return nil
}

func (a *Archive) connectReaders(ctx context.Context, alone bool) (err error) {
	if a.readers, err = a.engine.readers(ctx, alone); err != nil {
		return Explain(err)
	}
	a.read = newStatements(a.readers, a.engine)
	if !alone {
		return nil
	}
	version, err := a.engine.version(ctx, a.readers)
	if err != nil {
		return Explain(err)
	}
	return checkVersion(version)
}

// heldReaders is the number of connections of an archive that is open for reading
// only. A goroutine that holds one must not wait for another.
const heldReaders = 8

func checkVersion(version int) error {
	switch {
	case version == 0:
		return fmt.Errorf("it is empty (%w); run ayna build first", fs.ErrNotExist)
	case version < Version:
		return fmt.Errorf("its schema is version %d; run ayna build --offline once, where it can be written, to bring it to version %d", version, Version)
	case version > Version:
		return fmt.Errorf("%w: its schema is %d, this one reads up to %d; use that version, or another archive", ErrNewer, version, Version)
	}
	return nil
}

// Name names the archive in messages: its file, or its address without secrets.
func (a *Archive) Name() string {
	name, _ := a.engine.place()
	return name
}

// New reports whether the archive held no record when it was opened for writing.
func (a *Archive) New() bool { return a.isNew }

// MediaDir returns the folder in which mirrored pictures are kept, "" for an
// archive in memory.
func (a *Archive) MediaDir() string {
	_, media := a.engine.place()
	return media
}

// SizesDir returns the folder beside [Archive.MediaDir] in which smaller
// pictures made of the mirrored ones are kept, "" for an archive in memory.
func (a *Archive) SizesDir() string { return sizesBeside(a.MediaDir()) }

// Close closes the archive and releases its lock. An error means that recent writes
// may be missing on the disk, or that what was read may be inconsistent.
func (a *Archive) Close() error {
	var errs []error
	if a.Outdated() {
		errs = append(errs, fmt.Errorf("the archive %s, which is read from a read-only folder, was changed meanwhile; run the command again", a.Name()))
	}
	if a.write != nil && a.read != nil { // it was opened
		if err := a.engine.checkpoint(context.Background(), a.writer); err != nil {
			errs = append(errs, fmt.Errorf("close archive %s: %w", a.Name(), Explain(err)))
		}
	}
	for _, s := range []*statements{a.read, a.write} {
		if s != nil {
			s.close()
		}
	}
	if a.readers != nil {
		errs = append(errs, a.readers.Close())
	}
	if a.writer != nil {
		errs = append(errs, a.writer.Close())
	}
	if a.writers != nil {
		errs = append(errs, a.writers.Close())
	}
	return errors.Join(append(errs, a.engine.release())...)
}

// Errors that callers distinguish.
var (
	ErrLocked   = errors.New("another run holds the archive")
	ErrNewer    = errors.New("the archive was written by a newer version of ayna")
	ErrOlder    = errors.New("the archive was made by a program from before the first release, which this one cannot read; name another file or schema as archive in site.yaml and build anew; records that the source no longer has can be written as JSON lines by the program that made it, and read with ayna import FILE")
	ErrForeign  = errors.New("this is no ayna archive")
	ErrDamaged  = errors.New("the archive is damaged")
	ErrFull     = errors.New("the disk is full or cannot be written")
	ErrDown     = errors.New("the PostgreSQL server of the archive cannot be reached; check whether it runs, and archive in site.yaml")
	ErrRefused  = errors.New("the PostgreSQL server of the archive refuses user, password or database; correct archive in site.yaml")
	ErrNotFound = errors.New("no such record in the archive")
	ErrWords    = errors.New("too many different words")
)

// Explain wraps an error of the database driver in the error of this package that
// classifies it. It returns other errors unchanged.
func Explain(err error) error {
	var kind error
	if e := (*sqlitedriver.Error)(nil); errors.As(err, &e) {
		kind = explainSQLite(e)
	} else {
		kind = explainPostgres(err)
	}
	if kind == nil || errors.Is(err, kind) {
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}
