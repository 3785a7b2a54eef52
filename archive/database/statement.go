package database

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"sync"
)

// Reader runs queries: a pool of connections, one connection, or a transaction.
type Reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// database is a Reader that can write, too.
type database interface {
	Reader
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Statements runs statements on a database, with parameters as its [Dialect] stores them.
type Statements struct {
	Dialect

	database      database
	uninterrupted bool      // once they run, they ignore the end of ctx
	kept          *prepared // nil: they are prepared each time
}

// prepared caches statements by their text: SQLite takes longer to compile a
// statement than to find a row.
type prepared struct {
	mu     sync.Mutex
	byText map[string]*sql.Stmt
}

// maxStatements bounds the cache. An archive has fewer statements of its own; those
// of filters, which have any number of texts, are not kept (see [DB.Once]).
const maxStatements = 256

func newStatements(d database, e Dialect) *Statements {
	return &Statements{Dialect: e, database: d, kept: &prepared{byText: make(map[string]*sql.Stmt)}}
}

// Brief returns statements that ignore the end of ctx, for results of a few rows:
// watching ctx would cost more than reading them.
func (s *Statements) Brief() *Statements {
	return &Statements{s.Dialect, s.database, true, s.kept}
}

// prepared returns the prepared statement of a text, nil if there is no cache, the
// cache is full, or the text is invalid: running it then fails in the same way.
func (s *Statements) prepared(ctx context.Context, query string) *sql.Stmt {
	if s.kept == nil {
		return nil
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	stmt := s.kept.byText[query]
	if stmt == nil && len(s.kept.byText) < maxStatements {
		var err error
		if stmt, err = s.database.PrepareContext(ctx, query); err != nil {
			return nil
		}
		s.kept.byText[query] = stmt
	}
	return stmt
}

// context returns the context that a statement runs with.
func (s *Statements) context(ctx context.Context) context.Context {
	if s.uninterrupted {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// ExecContext runs a statement that returns no rows.
func (s *Statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := ctx.Err(); err != nil { // PostgreSQL's driver would give up the connection
		return nil, err
	}
	ctx, args = s.context(ctx), s.Values(args)
	if stmt := s.prepared(ctx, query); stmt != nil {
		return stmt.ExecContext(ctx, args...)
	}
	return s.database.ExecContext(ctx, query, args...)
}

// QueryContext runs a query.
func (s *Statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := ctx.Err(); err != nil { // PostgreSQL's driver would give up the connection
		return nil, err
	}
	ctx, args = s.context(ctx), s.Values(args)
	if stmt := s.prepared(ctx, query); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return s.database.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query for one row.
func (s *Statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	ctx, args = s.context(ctx), s.Values(args)
	if stmt := s.prepared(ctx, query); stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return s.database.QueryRowContext(ctx, query, args...)
}

// close closes the cached statements.
func (s *Statements) close() {
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	for _, stmt := range s.kept.byText {
		stmt.Close()
	}
	clear(s.kept.byText)
}

// Row is a row of a result.
type Row interface{ Scan(...any) error }

// Each yields what scan reads from each row of a query. Errors begin with what.
func Each[T any](ctx context.Context, q Reader, what string, scan func(Row) (T, error), query string, args ...any) iter.Seq2[T, error] {
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
			if err == nil {
				err = ctx.Err() // the statement may ignore it
			}
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

// All is [Each], collected in memory.
func All[T any](ctx context.Context, q Reader, what string, scan func(Row) (T, error), query string, args ...any) ([]T, error) {
	var list []T
	for value, err := range Each(ctx, q, what, scan, query, args...) {
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

// Column reads the only column of a row.
func Column[T any](row Row) (value T, err error) {
	err = row.Scan(&value)
	return value, err
}

// Wrap prefixes an error with what failed. It returns nil for nil.
func Wrap(err error, what string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(what+": %w", append(args, err)...)
}
