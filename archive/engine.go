package archive

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync"
)

// engine is what SQLite and PostgreSQL do differently. All other statements are
// written once, in SQL that both understand: parameters are ? or ?1, and an order by
// a column that may be NULL names its place (DESC NULLS LAST; NULL is least).
type engine interface {
	// name returns the archive's name for messages, without secrets.
	name() string
	// media returns the folder of the pictures, "" in memory.
	media() string

	// writer opens the only connection that writes. While one process has it, others
	// get [ErrLocked].
	writer(ctx context.Context) (*sql.DB, *sql.Conn, error)
	// readers opens connections that only read, each statement on a consistent
	// snapshot. If alone is set, this process has no writer, another one may have
	// it, and the number of connections is heldReaders.
	readers(ctx context.Context, alone bool) (*sql.DB, error)
	// checkpoint moves committed data to its final place before the writer closes.
	// Closing does so too, but ignores failures.
	checkpoint(ctx context.Context, writer *sql.Conn) error
	// release releases the lock and other resources of the engine.
	release() error

	// version returns the version of the schema, 0 if the database is empty, or
	// [ErrForeign] if it holds something else.
	version(ctx context.Context, d database) (int, error)
	// migrations returns the statements that lead from each version of the schema to
	// the next; the first one creates version 1 in an empty database. A released
	// migration is never changed.
	migrations() []string
	// mark returns the statements that set the version of the schema.
	mark(version int) string
	// begin and commit return the statements around a transaction that writes.
	begin() string
	commit() []string
	// uninterrupted reports whether the writer's statements must not be cancelled,
	// because that would close its connection.
	uninterrupted() bool
	// changes returns a number that differs after every change.
	changes(ctx context.Context, readers *sql.DB) (int64, error)
	// outdated reports whether readers may see an older state than the newest.
	outdated() bool
	// scrub overwrites what deleted rows left.
	scrub(ctx context.Context, writer *sql.Conn) error

	// statement and values translate a statement and its parameters.
	statement(query string) string
	values(args []any) []any
	// equals returns the condition that a column equals a text, in the form that the
	// column's index serves.
	equals(column, text string) (condition string, args []any)
	// receivedTitle returns an SQL expression: the Title in a record's list JSON as it
	// was received, compared byte by byte.
	receivedTitle() string
	// matching returns the query for the rows whose texts hold all words, and its
	// parameter. If beginning is set, the last one also matches the beginning of a word.
	matching(words []string, beginning bool) (query string, arg any)
	// index returns the statement that enters a record's words in the table search.
	// clearIndexSQL returns one that removes all words, even if the index is damaged.
	index(row int64, words []string) (statement string, args []any)
	clearIndexSQL() string
	// beginnings returns how many letters the beginnings of words have of which the index
	// keeps lists of their own; nil if it keeps none.
	beginnings() []int
	// storedDigest returns the sum of the digests of all that the index has.
	storedDigest(ctx context.Context, readers *sql.DB) (uint64, error)

	// inspect returns the flaws of the database itself, apart from its records.
	inspect(ctx context.Context, c *check) ([]Flaw, error)
}

// engineOf returns the engine of an archive by its name in the configuration: the
// address of a PostgreSQL database, or the path of a file, which may not exist yet.
func engineOf(archive string) (engine, error) {
	if isPostgres(archive) {
		return newPostgres(archive)
	}
	if info, err := os.Stat(archive); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a file, as %s", archive, filepath.Join(archive, "archive.db"))
	}
	return &sqlite{path: archive}, nil
}

// Locate returns the file of an archive, "" if a PostgreSQL database holds it, and
// the folder of its pictures. It returns an error if the name is invalid.
func Locate(name string) (file, media string, err error) {
	e, err := engineOf(name)
	if err != nil {
		return "", "", err
	}
	if s, ok := e.(*sqlite); ok {
		file = s.path
	}
	return file, e.media(), nil
}

// rawJSON is JSON as it was received. It is kept byte for byte.
type rawJSON []byte

// reader runs queries: a pool of connections, one connection, or a transaction.
type reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// database is a reader that can write, too.
type database interface {
	reader
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// statements runs statements on a database in the dialect of its engine.
type statements struct {
	database      database
	engine        engine
	uninterrupted bool      // they ignore the end of ctx
	kept          *prepared // nil: they are prepared each time
}

// prepared caches statements by their text: SQLite takes longer to compile a
// statement than to find a row.
type prepared struct {
	mu     sync.Mutex
	byText map[string]*sql.Stmt
}

// maxStatements bounds the cache. The archive has fewer statements of its own; those
// of filters, which have any number of texts, are not kept (see [Reader.Rows]).
const maxStatements = 256

func newStatements(d database, e engine) *statements {
	return &statements{database: d, engine: e, kept: &prepared{byText: make(map[string]*sql.Stmt)}}
}

// brief returns statements that ignore the end of ctx, for results of a few rows:
// watching ctx would cost more than reading them.
func (s *statements) brief() *statements {
	return &statements{s.database, s.engine, true, s.kept}
}

// prepared returns the prepared statement of a text, nil if there is no cache, the
// cache is full, or the text is invalid: running it then fails in the same way.
func (s *statements) prepared(ctx context.Context, query string) *sql.Stmt {
	if s.kept == nil {
		return nil
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	stmt := s.kept.byText[query]
	if stmt == nil && len(s.kept.byText) < maxStatements {
		var err error
		if stmt, err = s.database.PrepareContext(ctx, s.engine.statement(query)); err != nil {
			return nil
		}
		s.kept.byText[query] = stmt
	}
	return stmt
}

// context returns the context that a statement runs with.
func (s *statements) context(ctx context.Context) context.Context {
	if s.uninterrupted {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// ExecContext runs a statement that returns no rows.
func (s *statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := ctx.Err(); err != nil { // PostgreSQL's driver would give up the connection
		return nil, err
	}
	ctx, args = s.context(ctx), s.engine.values(args)
	if stmt := s.prepared(ctx, query); stmt != nil {
		return stmt.ExecContext(ctx, args...)
	}
	return s.database.ExecContext(ctx, s.engine.statement(query), args...)
}

// QueryContext runs a query.
func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := ctx.Err(); err != nil { // PostgreSQL's driver would give up the connection
		return nil, err
	}
	ctx, args = s.context(ctx), s.engine.values(args)
	if stmt := s.prepared(ctx, query); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return s.database.QueryContext(ctx, s.engine.statement(query), args...)
}

// QueryRowContext runs a query for one row.
func (s *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	ctx, args = s.context(ctx), s.engine.values(args)
	if stmt := s.prepared(ctx, query); stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return s.database.QueryRowContext(ctx, s.engine.statement(query), args...)
}

// close closes the cached statements.
func (s *statements) close() {
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	for _, stmt := range s.kept.byText {
		stmt.Close()
	}
	clear(s.kept.byText)
}

// scanner is a row of a result.
type scanner interface{ Scan(...any) error }

// each yields what scan reads from each row of a query. Errors begin with what.
func each[T any](ctx context.Context, q reader, what string, scan func(scanner) (T, error), query string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		failed := func(err error) {
			var none T
			yield(none, fmt.Errorf("%s: %w", what, err))
		}
		rows, err := q.QueryContext(ctx, query, args...)
		if err != nil {
			failed(err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			value, err := scan(rows)
			if err != nil {
				failed(err)
				return
			}
			if !yield(value, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			failed(err)
		}
	}
}

// all is [each], collected in memory.
func all[T any](ctx context.Context, q reader, what string, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	var list []T
	for value, err := range each(ctx, q, what, scan, query, args...) {
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

// column reads the only column of a row.
func column[T any](row scanner) (value T, err error) {
	err = row.Scan(&value)
	return value, err
}

// wrap prefixes an error with what failed. It returns nil for nil.
func wrap(err error, what string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(what+": %w", append(args, err)...)
}
