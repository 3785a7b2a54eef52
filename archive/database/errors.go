package database

import (
	"errors"
	"fmt"

	sqlitedriver "modernc.org/sqlite"
)

// Errors that callers distinguish.
var (
	ErrMissing  = errors.New("there is no archive")
	ErrLocked   = errors.New("another run holds the archive")
	ErrNewer    = errors.New("the archive was written by a newer version of ayna")
	ErrOlder    = errors.New("the archive was made by a program from before the first release")
	ErrForeign  = errors.New("this is no ayna archive")
	ErrDamaged  = errors.New("the archive is damaged")
	ErrFull     = errors.New("the disk is full or cannot be written")
	ErrDown     = errors.New("the PostgreSQL server of the archive cannot be reached; check whether it runs, and archive in site.yaml")
	ErrRefused  = errors.New("the PostgreSQL server of the archive refuses user, password or database; correct archive in site.yaml")
	ErrNotFound = errors.New("no such record in the archive")
)

// Classify wraps an error of the database driver in the error of this package that
// classifies it. It returns other errors unchanged.
func Classify(err error) error {
	var kind error
	if e := (*sqlitedriver.Error)(nil); errors.As(err, &e) {
		kind = classifySQLite(e)
	} else {
		kind = classifyPostgres(err)
	}
	if kind == nil || errors.Is(err, kind) {
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}
