package archive

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors that callers tell apart.
var (
	ErrLocked   = errors.New("another run holds the archive")
	ErrNewer    = errors.New("the archive was written by a newer version of ayna")
	ErrForeign  = errors.New("the file is no ayna archive")
	ErrDamaged  = errors.New("the archive is damaged")
	ErrFull     = errors.New("the archive's disk is full or cannot be written")
	ErrStale    = errors.New("the record has changed meanwhile")
	ErrNotFound = errors.New("no such record in the archive")
)

// Explain adds to an error of the database which of this package's errors it
// is, if it is one.
func Explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	const primary = 0xff // what is above tells more of the same
	switch e.Code() & primary {
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrForeign, err)
	case sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}
