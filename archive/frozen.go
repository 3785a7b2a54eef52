package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// readersAlone opens the readers of an archive that this process does not write
// to. Readers, too, write beside a file in WAL mode. Where they may not, it is
// read as one that nobody changes, which SQLite does not look after.
func (s *sqlite) readersAlone(ctx context.Context) (*sql.DB, error) {
	db, err := s.openHeld(ctx)
	if !errors.Is(Explain(err), ErrFull) || mayWrite(filepath.Dir(s.path)) {
		return db, err
	}
	file, missing := os.Stat(s.path)
	switch {
	case missing != nil:
		return db, missing
	case s.logged():
		return db, fmt.Errorf("the folder may not be written to, and %s-wal holds what is not in the file yet; open it once where that may be, as by build -offline: %w",
			filepath.Base(s.path), err)
	}
	db.Close()
	s.frozen = file
	return s.openHeld(ctx)
}

// logged reports whether the log of writes holds any.
func (s *sqlite) logged() bool {
	log, err := os.Stat(s.path + "-wal")
	return err == nil && log.Size() > 0
}

// outdated reports whether a file that was to be read as one that nobody changes
// has been changed. If another one took its place, what is open stays as it is.
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

// mayWrite reports whether files can be made in a folder.
func mayWrite(dir string) bool {
	f, err := os.CreateTemp(dir, ".write-test-*")
	if err != nil {
		return !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS)
	}
	f.Close()
	os.Remove(f.Name())
	return true
}
