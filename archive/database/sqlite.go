package database

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gofrs/flock"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks an archive as ours ("ayna" in ASCII).
const applicationID = 0x61796e61

// sqlite is the engine of an archive that is a file, or in memory.
type sqlite struct {
	schema *Schema
	path   string
	memory string // address of a database in memory, instead of path
	lock   *flock.Flock
	frozen os.FileInfo // of a file that is opened as immutable, else nil

	countMu   sync.Mutex
	countConn *sql.Conn // the connection whose count of changes is read
	countStmt *sql.Stmt // reads it
}

var memoryNumber atomic.Int64

// newMemory returns the engine of a database in memory. Only this process uses it, so that a
// connection waits for its turn however slow the machine is.
func newMemory(schema *Schema) *sqlite {
	return &sqlite{schema: schema, memory: fmt.Sprintf("file:/ayna-%d?vfs=memdb&%s", memoryNumber.Add(1), settings(append(slices.Clone(writing), "busy_timeout(300000)")).Encode())}
}

func (s *sqlite) location() (name, media string) {
	if s.memory != "" {
		return "in memory", ""
	}
	return s.path, filepath.Join(filepath.Dir(s.path), "media")
}

// hardening holds the settings that https://www.sqlite.org/security.html
// recommends for files of untrusted origin: their SQL cannot write to the file's
// internals, and their schema cannot call functions with side effects.
var hardening = []string{"trusted_schema(off)", "cell_size_check(on)"}

// The pragmas of the connection that writes, and of those that read.
var (
	writing = append([]string{"busy_timeout(10000)", "journal_mode(wal)", "synchronous(normal)", "foreign_keys(on)", "cache_size(-4096)"}, hardening...)
	reading = append([]string{"busy_timeout(10000)", "cache_size(-512)"}, hardening...)
)

func settings(pragmas []string) url.Values {
	return url.Values{"_defensive": {"1"}, "_pragma": pragmas}
}

// address returns the address with which a connection is opened. All connections to a
// database in memory share one.
func (s *sqlite) address(mode string) string {
	if s.memory != "" {
		return s.memory
	}
	values := settings(writing)
	if mode == "ro" {
		values = settings(reading)
	}
	values.Set("mode", mode)
	if s.frozen != nil {
		values.Set("immutable", "1")
	}
	return fileAddress(s.path, values)
}

// fileAddress returns the address with which SQLite opens a file.
func fileAddress(path string, values url.Values) string {
	address := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: values.Encode()}
	return address.String()
}

func (s *sqlite) writer(ctx context.Context) (*sql.DB, *sql.Conn, error) {
	if s.memory == "" {
		if err := s.checkFile(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		if err := s.takeLock(); err != nil {
			return nil, nil, err
		}
	}
	db, err := sql.Open("sqlite", s.address("rwc"))
	if err != nil {
		return nil, nil, err
	}
	c, err := db.Conn(ctx)
	return db, c, err
}

// checkFile refuses what is no regular file: opening a pipe would wait forever for its
// writer.
func (s *sqlite) checkFile() error {
	info, err := os.Stat(s.path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%w: it is no regular file", ErrForeign)
	}
	return err
}

func (s *sqlite) takeLock() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	s.lock = flock.New(s.path + ".lock")
	held, err := s.lock.TryLock()
	if err != nil {
		return fmt.Errorf("lock %s: %w", s.lock.Path(), err)
	}
	if !held {
		return ErrLocked
	}
	return nil
}

// checkpoint copies the write-ahead log into the file.
func (s *sqlite) checkpoint(ctx context.Context, writer *sql.Conn) error {
	_, err := writer.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`)
	return err
}

func (s *sqlite) release() error {
	var errs []error
	if s.countStmt != nil {
		errs = append(errs, s.countStmt.Close())
	}
	if s.countConn != nil {
		errs = append(errs, s.countConn.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Unlock())
	}
	return errors.Join(errs...)
}

func (s *sqlite) readers(ctx context.Context, readOnly bool) (*sql.DB, error) {
	if !readOnly {
		return s.openReaders()
	}
	if err := s.checkFile(); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	} else if err != nil {
		return nil, err
	}
	return s.openReadOnly(ctx)
}

func (s *sqlite) openReaders() (*sql.DB, error) {
	db, err := sql.Open("sqlite", s.address("ro"))
	if err == nil {
		db.SetMaxIdleConns(heldReaders)
	}
	return db, err
}

// openHeld opens heldReaders connections.
func (s *sqlite) openHeld(ctx context.Context) (*sql.DB, error) {
	db, err := s.openReaders()
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(heldReaders)
	return db, s.hold(ctx, db)
}

// hold opens all connections at once, so that all of them have the same file even
// if another one takes its place.
func (s *sqlite) hold(ctx context.Context, db *sql.DB) error {
	var held []*sql.Conn
	defer func() {
		for _, c := range held {
			c.Close() // back to the pool
		}
	}()
	for range heldReaders {
		c, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		held = append(held, c)
		if _, err := s.version(ctx, c); err != nil { // the first query opens the file
			return err
		}
	}
	return nil
}

func (s *sqlite) version(ctx context.Context, d database) (int, error) {
	var tables, application, version int
	err := d.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema), application_id, user_version FROM pragma_application_id, pragma_user_version`).
		Scan(&tables, &application, &version)
	if err != nil {
		return 0, err
	}
	switch {
	case tables == 0:
		return 0, nil
	case application != applicationID:
		return 0, ErrForeign
	case version < 1:
		return 0, fmt.Errorf("%w: its schema version is %d", ErrForeign, version)
	case version < s.schema.first || version > s.schema.Latest(): // the caller refuses it
		return version, nil
	}
	return version, s.checkSchema(ctx, d, version)
}

func (s *sqlite) migration(version int) string {
	return fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", s.schema.migration(s.schema.sqlite, version), applicationID, version)
}

func (s *sqlite) transaction() (begin, commit string) { return "BEGIN IMMEDIATE", "COMMIT" }

// changes reads the count of one connection: SQLite has a count for each.
func (s *sqlite) changes(ctx context.Context, readers *sql.DB) (n int64, err error) {
	s.countMu.Lock()
	defer s.countMu.Unlock()
	if s.countConn == nil {
		if s.countConn, err = readers.Conn(ctx); err != nil {
			return 0, err
		}
	}
	if s.countStmt == nil {
		if s.countStmt, err = s.countConn.PrepareContext(ctx, "PRAGMA data_version"); err != nil {
			return 0, err
		}
	}
	if err = ctx.Err(); err != nil {
		return 0, err
	}
	err = s.countStmt.QueryRowContext(context.WithoutCancel(ctx)).Scan(&n)
	return n, err
}

func (s *sqlite) scrub(ctx context.Context, writer *sql.Conn) error {
	// The index keeps deleted words until its segments are merged.
	for _, statement := range []string{`INSERT INTO search (search) VALUES ('optimize')`, `VACUUM`} {
		if _, err := writer.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	var busy, pages, copied int
	if err := writer.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &copied); err != nil {
		return err
	}
	if busy != 0 {
		return fmt.Errorf("the log beside %s still holds what was deleted, because something reads the archive; run the command again: %w", s.path, ErrLocked)
	}
	return nil
}

// Values converts JSON to text, which people and SQL functions can read.
func (s *sqlite) Values(args []any) []any {
	for i, arg := range args {
		if d, ok := arg.(JSON); ok {
			args[i] = string(d)
		}
	}
	return args
}

func (s *sqlite) Equals(column, parameter string) string { return column + " = " + parameter }

// Among takes one parameter for all rows: to bind 200 takes longer than to read them.
func (s *sqlite) Among(rows []int64, parameter string) (string, any) {
	list, _ := json.Marshal(rows) // cannot fail
	return "row IN (SELECT value FROM json_each(" + parameter + "))", string(list)
}

func (s *sqlite) ReceivedTitle() string {
	return `coalesce((SELECT CASE WHEN json_valid(list) THEN CAST(list ->> 'Title' AS TEXT) END FROM raw WHERE raw.row = record.row), title)`
}

func classifySQLite(e *sqlitedriver.Error) error {
	const primary = 0xff // the bits above are the extended code
	switch e.Code() & primary {
	case sqlite3.SQLITE_NOTADB:
		return ErrForeign
	case sqlite3.SQLITE_CORRUPT:
		return ErrDamaged
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		return ErrFull
	}
	return nil
}
