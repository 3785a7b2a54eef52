// Package archive is the local store of a mirror: every record as it was
// received, its earlier versions, its pictures, and where the synchronisation
// stands. It is one SQLite file, in WAL mode, with a folder media/ beside it;
// the schema (schema.sql) is documented for people who open it with sqlite3.
//
// The archive knows nothing of the service's field names: package wire makes
// a [Record] from an answer, and this package keeps it.
package archive

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/gofrs/flock"
	_ "modernc.org/sqlite" // the database driver
)

// Version is the schema version this package reads and writes.
const Version = 1

// applicationID marks the file as ours ("ayna" in ASCII).
const applicationID = 0x61796e61

//go:embed schema.sql
var schema string

// Archive is an open archive. Its methods may be called by any number of
// goroutines; writes take turns.
type Archive struct {
	path   string // "" for one in memory
	lock   *flock.Flock
	memory bool

	readers *sql.DB     // any number of connections, each on a consistent snapshot
	read    *statements // of readers
	writers *sql.DB     // nil if the archive is open for reading only
	writer  *sql.Conn   // the only one of writers
	write   *statements // of writer
	turn    sync.Mutex  // held by whoever writes

	watching sync.Mutex
	watcher  *sql.Conn // of readers, for Version

	gather sync.Mutex
	shares []*share // that wait for the turn of the first of them
}

// Open opens the archive at path for writing, and makes it if there is none.
// Only one process may hold it so; a second one gets [ErrLocked].
func Open(ctx context.Context, path string) (*Archive, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	lock := flock.New(path + ".lock")
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("open archive: lock %s: %w", lock.Path(), err)
	}
	if !held {
		return nil, fmt.Errorf("open archive %s: %w", path, ErrLocked)
	}
	a := &Archive{path: path, lock: lock}
	if err := a.connect(ctx, fileDSN(path, "rwc"), fileDSN(path, "ro")); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := a.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open archive %s: %w", path, err), a.Close())
	}
	return a, nil
}

// OpenReader opens an existing archive for reading. Another process may write
// to it meanwhile.
func OpenReader(ctx context.Context, path string) (*Archive, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open archive %s: %w (run build first)", path, fs.ErrNotExist)
	}
	a := &Archive{path: path}
	if err := a.connect(ctx, "", fileDSN(path, "ro")); err != nil {
		return nil, err
	}
	if err := a.holdReaders(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open archive %s: %w", path, err), a.Close())
	}
	return a, nil
}

// heldReaders is how many connections an archive for reading has. Nobody who
// has one may wait for another.
const heldReaders = 8

// holdReaders opens all connections that there will be, so that none of them
// finds another file where the archive was.
func (a *Archive) holdReaders(ctx context.Context) error {
	a.readers.SetMaxOpenConns(heldReaders)
	a.readers.SetMaxIdleConns(heldReaders)
	var held []*sql.Conn
	defer func() {
		for _, c := range held {
			c.Close() // back to the pool
		}
	}()
	for range heldReaders {
		c, err := a.readers.Conn(ctx)
		if err != nil {
			return Explain(err)
		}
		held = append(held, c)
		if err := a.checkVersion(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

var memoryNumber atomic.Int64

// Memory makes an empty archive that lives in memory only.
func Memory(ctx context.Context) (*Archive, error) {
	a := &Archive{memory: true}
	dsn := fmt.Sprintf("file:/ayna-%d?vfs=memdb&%s", memoryNumber.Add(1), pragmas.Encode())
	if err := a.connect(ctx, dsn, dsn); err != nil {
		return nil, err
	}
	if err := a.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("make archive in memory: %w", err), a.Close())
	}
	return a, nil
}

var pragmas = url.Values{"_pragma": {
	"busy_timeout(10000)", "page_size(16384)", "journal_mode(wal)", "synchronous(normal)",
	"foreign_keys(on)", "cache_size(-16384)",
}}

func fileDSN(path, mode string) string {
	values := url.Values{"mode": {mode}, "_pragma": pragmas["_pragma"]}
	if mode == "ro" {
		values["_pragma"] = []string{"busy_timeout(10000)", "cache_size(-8192)"}
	}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: values.Encode()}
	return name.String()
}

func (a *Archive) connect(ctx context.Context, write, read string) (err error) {
	if write != "" {
		if a.writers, err = sql.Open("sqlite", write); err != nil {
			return fmt.Errorf("open archive: %w", err)
		}
		// The connection makes the file, before any reader wants it.
		if a.writer, err = a.writers.Conn(ctx); err != nil {
			return fmt.Errorf("open archive %s: %w", a.path, Explain(err))
		}
		a.write = newStatements(a.writer)
	}
	if a.readers, err = sql.Open("sqlite", read); err != nil {
		return fmt.Errorf("open archive: %w", err)
	}
	a.readers.SetMaxIdleConns(8)
	a.read = newStatements(a.readers)
	return nil
}

// prepare makes the schema of a new archive and checks that of an old one.
func (a *Archive) prepare(ctx context.Context) error {
	var tables int
	if err := a.writer.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return Explain(err)
	}
	if tables > 0 {
		return a.checkVersion(ctx, a.writer)
	}
	marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, Version)
	if _, err := a.writer.ExecContext(ctx, "BEGIN IMMEDIATE;"+schema+marks+"COMMIT"); err != nil {
		return fmt.Errorf("make the schema: %w", err)
	}
	return nil
}

func (a *Archive) checkVersion(ctx context.Context, db database) error {
	var application, version int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&application); err != nil {
		return Explain(err)
	}
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return Explain(err)
	}
	switch {
	case application != applicationID:
		return ErrForeign
	case version > Version:
		return fmt.Errorf("%w: its schema is %d, this one reads up to %d; use that version, or another archive", ErrNewer, version, Version)
	}
	return nil
}

// MediaDir returns the folder in which mirrored pictures are kept, "" for an
// archive in memory.
func (a *Archive) MediaDir() string {
	if a.memory {
		return ""
	}
	return filepath.Join(filepath.Dir(a.path), "media")
}

// Close closes the archive and gives up its lock.
func (a *Archive) Close() error {
	var errs []error
	for _, s := range []*statements{a.read, a.write} {
		if s != nil {
			s.close()
		}
	}
	if a.watcher != nil {
		errs = append(errs, a.watcher.Close())
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
	if a.lock != nil {
		errs = append(errs, a.lock.Unlock())
	}
	return errors.Join(errs...)
}
