package newsroom

import (
	"database/sql"
	"strings"
	"testing"

	"ayna/archive/postgrestest"
)

// Downgrade makes a closed archive one of schema version 1. It drops what that version
// cannot hold.
func Downgrade(t testing.TB, address string) {
	t.Helper()
	if strings.HasPrefix(address, "postgres") {
		postgrestest.Exec(t, address, `BEGIN; UPDATE published_list SET months = concat_ws(' ', nullif(feeds, ''), nullif(translate(months, '[]"', ''), ''));
			UPDATE published_list SET months = replace(months, ',', ' '); ALTER TABLE published_list DROP COLUMN feeds; ALTER TABLE record DROP COLUMN access, DROP COLUMN paths, DROP COLUMN parent, DROP COLUMN ordinal; DROP TABLE former_url;
			DELETE FROM forgotten AS f WHERE EXISTS (SELECT 1 FROM forgotten AS g WHERE g.kind = f.kind AND g.id = f.id AND g.url < f.url);
			DROP INDEX forgotten_key; CREATE UNIQUE INDEX forgotten_key ON forgotten (kind, md5(id));
			UPDATE ayna SET version = 1; COMMIT`)
		return
	}
	db, err := sql.Open("sqlite", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`BEGIN; UPDATE published_list SET months = trim(feeds || ' ' || replace(trim(months, '[]"'), '","', ' '));
		DROP INDEX guard_published_list; ALTER TABLE published_list DROP COLUMN feeds; CREATE INDEX guard_published_list ON published_list (title, pages, months);
		DROP INDEX record_waiting; DROP INDEX record_standing;
		ALTER TABLE record DROP COLUMN access; ALTER TABLE record DROP COLUMN paths; ALTER TABLE record DROP COLUMN parent; ALTER TABLE record DROP COLUMN ordinal;
		CREATE INDEX record_waiting ON record (kind, path) WHERE fetched IS NULL AND gone_at IS NULL;
		DROP TABLE former_url; CREATE TEMP TABLE kept AS SELECT kind, id, min(url) FROM forgotten GROUP BY kind, id;
		DROP TABLE forgotten;
		CREATE TABLE forgotten ( kind TEXT NOT NULL, id TEXT NOT NULL, url TEXT NOT NULL, PRIMARY KEY (kind, id) ) STRICT, WITHOUT ROWID;
		INSERT INTO forgotten SELECT * FROM kept; CREATE INDEX guard_forgotten ON forgotten (url);
		PRAGMA user_version = 1; COMMIT`); err != nil {
		t.Fatal(err)
	}
}
