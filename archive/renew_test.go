package archive_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"ayna/archive"
)

// An archive that was made without one of the indexes or tables has it once it is
// opened for writing: its check finds no flaw.
func TestRenewal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	open := func() *archive.Archive {
		a, err := archive.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if err := open().Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`DROP INDEX record_waiting; DROP INDEX raw_unlisted; DROP INDEX record_due; DROP TABLE doubt; DROP TABLE teaser; DROP TABLE sheaf; DROP TRIGGER sheaf_new; DROP TRIGGER sheaf_changed; DROP TRIGGER sheaf_gone; DROP TRIGGER sheaf_picture_new; DROP TRIGGER sheaf_picture; DROP TRIGGER sheaf_picture_gone`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	a := open()
	defer a.Close()
	if found, _ := flawsOf(t, a); len(found) > 0 {
		t.Errorf("flaws: %q", found)
	}
}
