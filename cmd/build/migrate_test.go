package main

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"ayna/server/newsroom"
	"ayna/testrun"
)

// The archive of an earlier version is migrated in one step, whenever the program is
// killed, and gives the same site.
func TestMigrationKilledAtAnyMoment(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	first := newPlace(t, startUpstream(t, newsroom.Options{Items: 40}), concurrency, fewFiles)
	first.mustBuild(t)
	want := first.tree(t, "public")
	db, err := sql.Open("sqlite", first.archivePath())
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(`DROP TABLE former_url; DROP TABLE forgotten;
		CREATE TABLE forgotten ( kind TEXT NOT NULL, id TEXT NOT NULL, url TEXT NOT NULL, PRIMARY KEY (kind, id) ) STRICT, WITHOUT ROWID;
		CREATE INDEX guard_forgotten ON forgotten (url); PRAGMA user_version = 1`)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 3))
	for range (testrun.Counts{Plain: 3, Slow: 20, Long: 200}).Now() {
		p := first.copy(t)
		c := p.startCommand(t, "ayna", "build", "--offline")
		time.Sleep(time.Duration(random.Float64() * float64(250*time.Millisecond)))
		c.Process.Kill()
		c.wait(t, time.Minute)
		if c := p.startCommand(t, "ayna", "build", "--offline", "--check"); c.wait(t, time.Minute) != exitOK {
			t.Fatalf("%s%s", c.out, c.err)
		}
		compareTrees(t, p.tree(t, "public"), want)
	}
}
