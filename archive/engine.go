package archive

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
)

// engine is a kind of database that holds an archive: what SQLite and
// PostgreSQL each do in their own way. All statements are written once, as both
// understand them: parameters are ? or ?1, and where the order of unknown times
// matters it is said (DESC NULLS LAST; unknown is least).
type engine interface {
	// name names the archive in errors, without any secret.
	name() string
	// media is the folder of the pictures, "" if there is none.
	media() string

	// writer opens the one connection that writes. Only one process has it at a
	// time; others get [ErrLocked].
	writer(ctx context.Context) (*sql.DB, *sql.Conn, error)
	// readers opens connections that only read, each statement on a consistent
	// snapshot. An archive that is read alone, beside another process that
	// writes, is one of a fixed number of them.
	readers(ctx context.Context, alone bool) (*sql.DB, error)
	// settle brings what was committed to the place where it stays, before the
	// writer closes. Closing would not say that it cannot be done.
	settle(ctx context.Context, writer *sql.Conn) error
	// release gives up what the engine holds beside the connections of writer.
	release() error

	// version returns the version of the schema, 0 if the database is empty, or
	// [ErrForeign] if it holds something else.
	version(ctx context.Context, d database) (int, error)
	// tables is the schema.
	tables() string
	// create makes the schema in an empty database.
	create(ctx context.Context, writer *sql.Conn) error
	// begin and commit are the statements around a transaction that writes.
	begin() []string
	commit() []string
	// whole tells that a statement of the writer must not be given up half-way,
	// since its connection would be lost.
	whole() bool
	// changes returns a number that is another one after every change.
	changes(ctx context.Context, readers *sql.DB) (int64, error)
	// outdated reports whether readers may see what is no longer so.
	outdated() bool
	// scrub overwrites what deleted rows left.
	scrub(ctx context.Context, writer *sql.Conn) error

	// statement is a statement as the engine reads it, and values its parameters.
	statement(query string) string
	values(args []any) []any
	// equals is a condition: a column that is a text is this one. It is for columns
	// whose texts have many rows each, and any length.
	equals(column, text string) (condition string, args []any)
	// ends is a condition: a column ends in a text that is not empty.
	ends(column, text string) (condition string, args []any)
	// call is a function of expressions.
	call(f Function, args ...any) string
	// receivedTitle is an expression: the Title of a record's list JSON as it was
	// received, compared byte by byte.
	receivedTitle() string
	// holds is a condition on the table search: all words are there, the last one
	// perhaps as the beginning of one.
	holds(words []string, beginning bool) (condition string, arg any)
	// index enters the texts of a record in the table search, and emptyIndex takes
	// all out of it, even if it is damaged.
	index(r *Record) (statement string, args []any)
	emptyIndex() string

	// inspect tells what is wrong with the database as such. It returns an error
	// only if that cannot be found out.
	inspect(ctx context.Context, c *check) ([]Flaw, error)
	// texts begins to compare the table search with the texts of the records.
	texts(ctx context.Context, a *Archive) (texts, error)
}

// engineOf returns the engine for what the configuration calls the archive: the
// address of a PostgreSQL database, or a file, which need not be there yet.
func engineOf(archive string) (engine, error) {
	if isPostgres(archive) {
		return newPostgres(archive)
	}
	if info, err := os.Stat(archive); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file, as %s", archive, filepath.Join(archive, "archive.db"))
	}
	return &sqlite{path: archive}, nil
}

// Places returns where an archive of that name lies in the file system: its
// file, "" if a database holds it, and the folder of its pictures. It is an
// error if no archive can have that name.
func Places(name string) (file, media string, err error) {
	e, err := engineOf(name)
	if err != nil {
		return "", "", err
	}
	if s, ok := e.(*sqlite); ok {
		file = s.path
	}
	return file, e.media(), nil
}

// document is JSON as it was received. It is kept byte for byte.
type document []byte
