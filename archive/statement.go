package archive

import (
	"context"
	"database/sql"
	"sync"
)

// database is a pool of connections, or one of them.
type database interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// statements keeps prepared statements by their text: SQLite needs longer to
// read a statement than to find a row.
type statements struct {
	database database
	engine   engine
	whole    bool // a statement that has begun is not given up

	mu     sync.Mutex
	byText map[string]*sql.Stmt
}

// mostStatements bounds what is kept. The archive's own statements are fewer;
// what people filter by is not kept for ever.
const mostStatements = 256

func newStatements(d database, e engine) *statements {
	return &statements{database: d, engine: e, byText: make(map[string]*sql.Stmt)}
}

// get returns the statement of a text, and what to call when it has been used.
func (s *statements) get(ctx context.Context, query string) (*sql.Stmt, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt := s.byText[query]; stmt != nil {
		return stmt, func() {}, nil
	}
	stmt, err := s.database.PrepareContext(ctx, s.engine.statement(query))
	if err != nil {
		return nil, nil, err
	}
	if len(s.byText) >= mostStatements {
		return stmt, func() { stmt.Close() }, nil
	}
	s.byText[query] = stmt
	return stmt, func() {}, nil
}

// context returns the context of a statement, or why it is not to begin.
func (s *statements) context(ctx context.Context) (context.Context, error) {
	if !s.whole {
		return ctx, nil
	}
	return context.WithoutCancel(ctx), ctx.Err()
}

// ExecContext runs a statement that returns no rows.
func (s *statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	ctx, err := s.context(ctx)
	if err != nil {
		return nil, err
	}
	stmt, done, err := s.get(ctx, query)
	if err != nil {
		return nil, err
	}
	defer done()
	return stmt.ExecContext(ctx, s.engine.values(args)...)
}

// queryNow is QueryContext for a few rows: watching for the end of ctx costs
// more than reading them.
func (s *statements) queryNow(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.QueryContext(context.WithoutCancel(ctx), query, args...)
}

// QueryContext runs a query. A statement is closed only once its rows are.
func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	ctx, err := s.context(ctx)
	if err != nil {
		return nil, err
	}
	stmt, done, err := s.get(ctx, query)
	if err != nil {
		return nil, err
	}
	defer done()
	return stmt.QueryContext(ctx, s.engine.values(args)...)
}

// QueryRowContext runs a query for one row.
func (s *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if whole, err := s.context(ctx); err == nil {
		ctx = whole
	}
	stmt, done, err := s.get(ctx, query)
	if err != nil {
		return s.database.QueryRowContext(ctx, s.engine.statement(query), s.engine.values(args)...) // which fails in the same way
	}
	defer done()
	return stmt.QueryRowContext(ctx, s.engine.values(args)...)
}

// reader is a database that reads.
type reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// unkept runs statements that are not kept.
type unkept struct {
	reader reader
	engine engine
}

// QueryContext runs a query.
func (u unkept) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return u.reader.QueryContext(ctx, u.engine.statement(query), u.engine.values(args)...)
}

// QueryRowContext runs a query for one row.
func (u unkept) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return u.reader.QueryRowContext(ctx, u.engine.statement(query), u.engine.values(args)...)
}

// close gives the statements up.
func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stmt := range s.byText {
		stmt.Close()
	}
	clear(s.byText)
}
