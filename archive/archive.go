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
// server. Package database opens the file or the schema, and has the errors that callers
// distinguish; packages schedule and runstate are parts that need no more than a transaction.
package archive

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"sync"

	"ayna/archive/database"
	"ayna/archive/runstate"
	"ayna/archive/schedule"
)

// firstSchema is the version of the schema that schema.sql and postgres.sql make before
// their first line that names another version. Earlier versions were never released.
const firstSchema = 5

var (
	//go:embed schema.sql
	sqliteSchema string
	//go:embed postgres.sql
	postgresSchema string

	schema = database.NewSchema(firstSchema, sqliteSchema, postgresSchema)
)

// SchemaVersion is the version of the schema that this package reads and writes.
var SchemaVersion = schema.Latest()

// Archive is an open archive. Its methods, and those of its parts, may be called by any
// number of goroutines; writes take turns. Take the part that you need.
type Archive struct {
	Records     Records           // records with JSON, and their earlier versions
	Catalog     Catalog           // all records, without JSON
	Index       Index             // the full-text index
	Texts       Texts             // cleaned texts
	Originals   Originals         // what living sources sent
	Pictures    Pictures          // mirrored pictures
	Attachments Attachments       // mirrored documents, sounds and films
	Cards       Cards             // pages of other sites
	Comments    Comments          // what readers have written
	Schedule    schedule.Schedule // records to fetch
	Requests    schedule.Requests // when requests were sent
	State       runstate.State    // values that a run keeps for later runs

	db    *database.DB
	read  *database.Statements // of db
	isNew bool                 // it held no record when it was opened

	validity func() *validity // allocated by the first Reader
}

// Open opens an archive for writing, and creates it if it does not exist. The name is
// the path of the archive's file, or the address of a PostgreSQL database
// (postgres://user@host/database), which must exist. Only one process at a time can
// open an archive for writing; others get [database.ErrLocked].
func Open(ctx context.Context, name string) (*Archive, error) { return open(ctx, name, schema) }

// OpenExisting is [Open] for an archive that must exist. Without an archive the error is
// [database.ErrMissing].
func OpenExisting(ctx context.Context, name string) (*Archive, error) {
	a, err := OpenReadOnly(ctx, name)
	if errors.Is(err, database.ErrMissing) {
		return nil, err
	}
	if err == nil {
		a.Close() // it read nothing
	}
	return Open(ctx, name) // it migrates an older archive, and returns any other error again
}

// Memory returns an empty archive in memory.
func Memory(ctx context.Context) (*Archive, error) {
	db, err := database.Memory(ctx, schema)
	if err != nil {
		return nil, err
	}
	return forWriting(ctx, db)
}

// OpenReadOnly opens an existing archive for reading. Another process may write
// to it meanwhile. Without an archive the error is [database.ErrMissing].
func OpenReadOnly(ctx context.Context, name string) (*Archive, error) {
	return openReadOnly(ctx, name, schema)
}

func openReadOnly(ctx context.Context, name string, schema *database.Schema) (*Archive, error) {
	db, err := database.OpenReadOnly(ctx, name, schema)
	if err != nil {
		return nil, err
	}
	return newArchive(db), nil
}

func open(ctx context.Context, name string, schema *database.Schema) (*Archive, error) {
	db, err := database.Open(ctx, name, schema)
	if err != nil {
		return nil, err
	}
	return forWriting(ctx, db)
}

func newArchive(db *database.DB) *Archive {
	a := &Archive{db: db, read: db.Read, validity: sync.OnceValue(newValidity)}
	a.Records, a.Catalog, a.Texts, a.Originals = Records{a.read}, Catalog{a.read}, Texts{a.read}, Originals{a.read}
	a.Comments = Comments{a.read}
	a.Index, a.Pictures, a.Attachments, a.Cards = Index{a}, Pictures{a}, Attachments{a}, Cards{a}
	a.Schedule, a.Requests, a.State = schedule.Of(db), schedule.RequestsOf(db), runstate.Of(db)
	return a
}

// forWriting returns the archive of a database that is open for writing.
func forWriting(ctx context.Context, db *database.DB) (*Archive, error) {
	a := newArchive(db)
	if err := a.read.QueryRowContext(ctx, `SELECT NOT EXISTS (SELECT 1 FROM record)`).Scan(&a.isNew); err != nil {
		return nil, errors.Join(fmt.Errorf("open archive %s: %w", a.Name(), database.Classify(err)), a.Close())
	}
	return a, nil
}

// Name names the archive in messages: its file, or its address without secrets.
func (a *Archive) Name() string { return a.db.Name() }

// New reports whether the archive held no record when it was opened for writing.
func (a *Archive) New() bool { return a.isNew }

// Writable reports whether the archive is open for writing.
func (a *Archive) Writable() bool { return a.db.Writable() }

// Close closes the archive and releases its lock. An error means that recent writes
// may be missing on the disk, or that what was read may be inconsistent.
func (a *Archive) Close() error { return a.db.Close() }

// Changes returns a number that changes with every change of the archive by any
// process. It is only comparable while the archive is open.
func (a *Archive) Changes(ctx context.Context) (int64, error) { return a.db.Changes(ctx) }

// Outdated reports whether another process changed an archive in a read-only folder
// since it was opened. Reads may be inconsistent then: open it again.
func (a *Archive) Outdated() bool { return a.db.Outdated() }
