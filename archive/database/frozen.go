package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"ayna/durable"
)

// openReadOnly opens the readers of an archive that this process does not write
// to. In WAL mode readers, too, create files in the archive's folder. If the folder
// is read-only, the archive is opened as immutable: SQLite then notices no changes,
// see [sqlite.outdated].
func (s *sqlite) openReadOnly(ctx context.Context) (*sql.DB, error) {
	db, err := s.openHeld(ctx)
	if !errors.Is(Classify(err), ErrFull) || mayWrite(filepath.Dir(s.path)) {
		return db, err
	}
	file, missing := os.Stat(s.path)
	switch {
	case missing != nil:
		return db, missing
	case s.logged():
		return db, fmt.Errorf("its folder is read-only, and %s-wal holds changes that are not in the file yet; run ayna build --offline once where the folder can be written to: %w",
			filepath.Base(s.path), err)
	}
	db.Close()
	s.frozen = file
	return s.openHeld(ctx)
}

// logged reports whether the write-ahead log is not empty.
func (s *sqlite) logged() bool {
	log, err := os.Stat(s.path + "-wal")
	return err == nil && log.Size() > 0
}

// outdated reports whether a file that is open as immutable has changed. A file that another
// one replaced has not changed.
func (s *sqlite) outdated() bool {
	if s.frozen == nil {
		return false
	}
	now, err := os.Stat(s.path)
	if err != nil || !os.SameFile(now, s.frozen) {
		return false
	}
	return now.Size() != s.frozen.Size() || !now.ModTime().Equal(s.frozen.ModTime()) || s.logged()
}

// mayWrite reports whether files can be created in a folder.
func mayWrite(dir string) bool {
	err := durable.Check(filepath.Join(dir, "try"))
	return !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS)
}
