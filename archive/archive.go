// Package archive stores a mirror: records as they were received, pictures and the
// state of the synchronisation go in, records, their earlier versions and lists of
// them come out. An archive is one SQLite file in WAL mode, with a folder media/ beside
// it, or a schema of a PostgreSQL database; the tables of both (schema.sql,
// postgres.sql) are documented for people who open them with sqlite3 or psql.
//
// It stores [Record] values, whose metadata package record derives from their JSON, and
// each [Original] that a living source sent. It returns records, summaries and teasers for a
// site, and lists, searches and single records for the server. Begin with [Archive], which
// lists the parts of an archive; [Tx] in write.go writes to them. [Reader] serves lists to the
// server, and engine.go lists what SQLite and PostgreSQL do differently.
package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// firstSchema is the version of the schema that schema.sql and postgres.sql make before
// their first line that names another version. Earlier versions were never released.
const firstSchema = 5

// SchemaVersion is the version of the schema that this package reads and writes.
var SchemaVersion = firstSchema + len(sqliteSteps)

// Archive is an open archive. Its methods, and those of its parts, may be called by any
// number of goroutines; writes take turns. Take the part that you need.
type Archive struct {
	Records     Records     // records with JSON, and their earlier versions
	Catalog     Catalog     // all records, without JSON
	Index       Index       // the full-text index
	Texts       Texts       // cleaned texts
	Originals   Originals   // what living sources sent
	Pictures    Pictures    // mirrored pictures
	Attachments Attachments // mirrored documents, sounds and films
	Cards       Cards       // pages of other sites
	Schedule    Schedule    // records to fetch
	Requests    Requests    // when requests were sent
	State       State       // values that a run keeps for later runs

	engine engine

	readers *sql.DB     // any number of connections, each on a consistent snapshot
	read    *statements // of readers
	writers *sql.DB     // nil if the archive is open for reading only
	writer  *sql.Conn   // the only one of writers
	write   *statements // of writer
	turn    sync.Mutex  // held during each transaction that writes

	isNew bool // it held no record when it was opened

	validity func() *validity // allocated by the first Reader
}

// Open opens an archive for writing, and creates it if it does not exist. The name is
// the path of the archive's file, or the address of a PostgreSQL database
// (postgres://user@host/database), which must exist. Only one process at a time can
// open an archive for writing; others get [ErrLocked].
func Open(ctx context.Context, name string) (*Archive, error) {
	e, err := engineOf(name)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	return open(ctx, e)
}

// OpenExisting is [Open] for an archive that must exist. Without an archive the error is
// [ErrMissing].
func OpenExisting(ctx context.Context, name string) (*Archive, error) {
	a, err := OpenReadOnly(ctx, name)
	if errors.Is(err, ErrMissing) {
		return nil, err
	}
	if err == nil {
		a.Close() // it read nothing
	}
	return Open(ctx, name) // it migrates an older archive, and returns any other error again
}

// Memory returns an empty archive in memory.
func Memory(ctx context.Context) (*Archive, error) { return open(ctx, newMemory()) }

// OpenReadOnly opens an existing archive for reading. Another process may write
// to it meanwhile. Without an archive the error is [ErrMissing].
func OpenReadOnly(ctx context.Context, name string) (*Archive, error) {
	e, err := engineOf(name)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	return openReadOnly(ctx, e)
}

func openReadOnly(ctx context.Context, e engine) (*Archive, error) {
	a := newArchive(e)
	if err := a.connectReaders(ctx, true); err != nil {
		return nil, a.failed(err)
	}
	return a, nil
}

func newArchive(e engine) *Archive {
	a := &Archive{engine: e, validity: sync.OnceValue(newValidity)}
	a.Index, a.Pictures, a.Attachments, a.Cards, a.Requests = Index{a}, Pictures{a}, Attachments{a}, Cards{a}, Requests{a}
	return a
}

func open(ctx context.Context, e engine) (*Archive, error) {
	a := newArchive(e)
	// The writer creates the file, so it is opened before the readers.
	if err := a.connectWriter(ctx); err != nil {
		return nil, a.failed(err)
	}
	if err := a.connectReaders(ctx, false); err != nil {
		return nil, a.failed(err)
	}
	return a, nil
}

// failed closes an archive that could not be opened, and returns the error with its name.
func (a *Archive) failed(err error) error {
	if errors.Is(err, ErrMissing) {
		return errors.Join(fmt.Errorf("%w at %s", ErrMissing, a.Name()), a.Close())
	}
	return errors.Join(fmt.Errorf("open archive %s: %w", a.Name(), err), a.Close())
}

func (a *Archive) connectWriter(ctx context.Context) (err error) {
	if a.writers, a.writer, err = a.engine.writer(ctx); err != nil {
		return Classify(err)
	}
	a.write = newStatements(a.writer, a.engine)
	a.write.uninterrupted = true // a cancelled statement would close PostgreSQL's connection
	if err := a.migrate(ctx); err != nil {
		return err
	}
	return Classify(a.writer.QueryRowContext(ctx, `SELECT NOT EXISTS (SELECT 1 FROM record)`).Scan(&a.isNew))
}

// migrate brings the schema to this program's version, one version in each
// transaction.
func (a *Archive) migrate(ctx context.Context) error {
	version, err := a.engine.version(ctx, a.writer)
	if err != nil {
		return Classify(err)
	}
	if version != 0 && (version < firstSchema || version > a.engine.latest()) {
		return a.checkVersion(version)
	}
	begin, _ := a.engine.transaction()
	for version = max(version+1, firstSchema); version <= a.engine.latest(); version++ {
		statements := []string{begin, a.engine.migration(version), "COMMIT"}
		if _, err := a.writer.ExecContext(ctx, strings.Join(statements, ";\n")); err != nil {
			return fmt.Errorf("make version %d of the schema: %w", version, Classify(err))
		}
	}
	return nil
}

func (a *Archive) connectReaders(ctx context.Context, readOnly bool) (err error) {
	if a.readers, err = a.engine.readers(ctx, readOnly); err != nil {
		return Classify(err)
	}
	a.read = newStatements(a.readers, a.engine)
	a.Records, a.Catalog, a.Texts, a.Originals = Records{a.read}, Catalog{a.read}, Texts{a.read}, Originals{a.read}
	a.Schedule, a.State = Schedule{a.read}, State{a.read}
	if !readOnly {
		return nil
	}
	version, err := a.engine.version(ctx, a.readers)
	if err != nil {
		return Classify(err)
	}
	return a.checkVersion(version)
}

func (a *Archive) checkVersion(version int) error {
	switch latest := a.engine.latest(); {
	case version == 0:
		return ErrMissing
	case version < firstSchema:
		return fmt.Errorf("%w: its schema is %d; run ayna build --offline once with the program of commit 39d1da99, which brings it to version %d, or name another archive in site.yaml",
			ErrOlder, version, firstSchema)
	case version < latest:
		return fmt.Errorf("its schema is version %d; run ayna build --offline once, where it can be written, to bring it to version %d", version, latest)
	case version > latest:
		return fmt.Errorf("%w: its schema is %d, this one reads up to %d; use that version, or another archive", ErrNewer, version, latest)
	}
	return nil
}

// Name names the archive in messages: its file, or its address without secrets.
func (a *Archive) Name() string {
	name, _ := a.engine.location()
	return name
}

// New reports whether the archive held no record when it was opened for writing.
func (a *Archive) New() bool { return a.isNew }

// Close closes the archive and releases its lock. An error means that recent writes
// may be missing on the disk, or that what was read may be inconsistent.
func (a *Archive) Close() error {
	var errs []error
	if a.Outdated() {
		errs = append(errs, fmt.Errorf("the archive %s, which is read from a read-only folder, was changed meanwhile; run the command again", a.Name()))
	}
	if a.write != nil && a.read != nil { // it was opened for writing
		if err := a.engine.checkpoint(context.Background(), a.writer); err != nil {
			errs = append(errs, fmt.Errorf("close archive %s: %w", a.Name(), Classify(err)))
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

// Changes returns a number that changes with every change of the archive by any
// process. It is only comparable while the archive is open.
func (a *Archive) Changes(ctx context.Context) (int64, error) {
	version, err := a.engine.changes(ctx, a.readers)
	if err != nil {
		return 0, fmt.Errorf("watch the archive: %w", Classify(err))
	}
	return version, nil
}

// Outdated reports whether another process changed an archive in a read-only folder
// since it was opened. Reads may be inconsistent then: open it again.
func (a *Archive) Outdated() bool { return a.engine.outdated() }
