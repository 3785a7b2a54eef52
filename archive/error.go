package archive

import (
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
)

// Errors that callers tell apart.
var (
	ErrLocked   = errors.New("another run holds the archive")
	ErrNewer    = errors.New("the archive was written by a newer version of ayna")
	ErrForeign  = errors.New("this is no ayna archive")
	ErrDamaged  = errors.New("the archive is damaged")
	ErrFull     = errors.New("the archive's disk is full or cannot be written")
	ErrDown     = errors.New("the PostgreSQL server of the archive cannot be reached; see whether it runs, and what archive in site.yaml names")
	ErrRefused  = errors.New("the PostgreSQL server of the archive refuses user, password or database; correct archive in site.yaml")
	ErrStale    = errors.New("the record has changed meanwhile")
	ErrNotFound = errors.New("no such record in the archive")
	ErrWords    = errors.New("too many different words")
)

// Explain adds to an error of the database which of this package's errors it
// is, if it is one.
func Explain(err error) error {
	var kind error
	if e := (*driver.Error)(nil); errors.As(err, &e) {
		kind = explainSQLite(e)
	} else {
		kind = explainPostgres(err)
	}
	if kind == nil || errors.Is(err, kind) {
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}
