package database

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
)

// Dialect is what SQLite and PostgreSQL do differently in a statement. All other statements
// are written once, in SQL that both understand: parameters are $1, and an order by a
// column that may be NULL names its place (DESC NULLS LAST; NULL is least).
type Dialect interface {
	// Values converts the parameters of a statement.
	Values(args []any) []any
	// Equals returns the condition that a column equals the text in a parameter, in the
	// form that the column's index serves.
	Equals(column, parameter string) string
	// Among returns the condition that a record is in one of some rows, and its parameter.
	Among(rows []int64, parameter string) (condition string, arg any)
	// ReceivedTitle returns an SQL expression: the Title in a record's list JSON as it
	// was received, compared byte by byte.
	ReceivedTitle() string

	// IndexWords returns the statement that enters a record's words in the table search, and
	// ClearIndex one that removes all words, even if the index is damaged.
	IndexWords(row int64, words []string) (statement string, args []any)
	ClearIndex() string
	// SearchQuery returns the query for the rows whose texts hold all words, and its
	// parameter $1. If prefix is set, the last one also matches as a prefix.
	SearchQuery(words []string, prefix bool) (query string, arg any)
}

// engine is what SQLite and PostgreSQL do differently.
type engine interface {
	Dialect

	// location returns the archive's name for messages, without secrets, and the folder of
	// its pictures, "" in memory.
	location() (name, media string)
	// writer opens the only connection that writes. While one process has it, others
	// get [ErrLocked].
	writer(ctx context.Context) (*sql.DB, *sql.Conn, error)
	// readers opens connections that only read, each statement on a consistent
	// snapshot. If readOnly is set, this process has no writer, and another one may
	// write; then there are at most heldReaders connections.
	readers(ctx context.Context, readOnly bool) (*sql.DB, error)
	// checkpoint moves committed data to its final place before the writer closes.
	// Closing does so too, but ignores failures.
	checkpoint(ctx context.Context, writer *sql.Conn) error
	// release releases the lock and other resources of the engine.
	release() error

	// version returns the version of the schema, 0 if the database is empty, or
	// [ErrForeign] if it holds something else.
	version(ctx context.Context, d database) (int, error)
	// migration returns the statements that lead to a version of the schema from the one
	// before, and mark it; the first one is created in an empty database.
	migration(version int) string
	// transaction returns the statements around a transaction that writes.
	transaction() (begin, commit string)
	// changes returns a number that every change of the database changes.
	changes(ctx context.Context, readers *sql.DB) (int64, error)
	// outdated reports whether readers may see an older state than the newest.
	outdated() bool
	// inspect returns the damage of the database itself, apart from its records, and whether
	// the full-text index alone is damaged.
	inspect(ctx context.Context) (damage []string, index bool, err error)
	// scrub overwrites what deleted rows left.
	scrub(ctx context.Context, writer *sql.Conn) error

	// digest returns the sum of the digests of all words and prefixes in the index: see
	// [digestOf].
	digest(ctx context.Context, readers *sql.DB) (uint64, error)
	// prefixLengths returns the lengths in letters of the prefixes that the index stores
	// besides whole words.
	prefixLengths() []int
}

// engineOf returns the engine of an archive by its name in the configuration: the
// address of a PostgreSQL database, or the path of a file, which may not exist yet.
func engineOf(archive string, schema *Schema) (engine, error) {
	if isPostgres(archive) {
		return newPostgres(archive, schema)
	}
	if info, err := os.Stat(archive); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file, as %s", archive, filepath.Join(archive, "archive.db"))
	}
	return &sqlite{schema: schema, path: archive}, nil
}

// Locate returns the file of an archive, "" if a PostgreSQL database holds it, and
// the folder of its pictures. It returns an error if the name is invalid.
func Locate(name string) (file, media string, err error) {
	e, err := engineOf(name, nil)
	if err != nil {
		return "", "", err
	}
	if s, ok := e.(*sqlite); ok {
		file = s.path
	}
	_, media = e.location()
	return file, media, nil
}

// heldReaders is the number of connections of an archive that is open for reading
// only. A goroutine that holds one must not wait for another.
const heldReaders = 8
