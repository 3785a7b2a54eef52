package main

import (
	"database/sql"
	"math/rand/v2"
	"net/url"
	"testing"
	"time"

	"ayna/archive/postgrestest"
	"ayna/server/newsroom"
	"ayna/testrun"
)

// The archive of an earlier version is migrated in one step, whenever the program is
// killed, and gives the same site.
func TestMigrationKilledAtAnyMoment(t *testing.T) {
	testrun.NeedsSlow(t, "kills a program many times")
	t.Parallel()
	first := newPlace(t, startUpstream(t, newsroom.Options{Items: 20}), concurrency, fewFiles)
	first.mustBuild(t)
	want := first.tree(t, "public")
	newsroom.Downgrade(t, first.archivePath())
	random := rand.New(rand.NewPCG(3, 3))
	for range (testrun.Counts{Slow: 4, Long: 200}).Now() {
		p := first.copy(t)
		p.startOffline(t).killed(t, time.Duration(random.Float64()*float64(250*time.Millisecond)))
		p.checkMigrated(t, want)
	}
}

// As for SQLite. In one half of the cases the migration waits for another transaction in
// its middle when the program is killed.
func TestPostgresMigrationKilledAtAnyMoment(t *testing.T) {
	address := postgrestest.Address(t)
	p := newPlace(t, startUpstream(t, newsroom.Options{Items: 20}), concurrency, fewFiles+"archive: \""+address+"\"\n")
	p.mustBuild(t)
	want := p.tree(t, "public")
	db := openPostgres(t, address)
	random := rand.New(rand.NewPCG(3, 3))
	middle := 0
	for i := range (testrun.Counts{Slow: 4, Long: 200}).Now() {
		newsroom.Downgrade(t, address)
		before, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		half := i%2 == 0
		if half {
			if _, err := before.Exec(`SELECT count(*) FROM forgotten`); err != nil { // DROP INDEX waits for it
				t.Fatal(err)
			}
		}
		c := p.startOffline(t)
		for range 3000 { // 30 seconds
			var waits bool
			if err := db.QueryRow(`SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'forgotten'::regclass)`).Scan(&waits); err != nil {
				t.Fatal(err)
			}
			if waits {
				middle++
			}
			if waits || !half {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Duration(random.Float64() * float64(250*time.Millisecond)))
		c.killed(t, 0)
		if err := before.Rollback(); err != nil {
			t.Fatal(err)
		}
		var version int
		var whole bool
		if err := db.QueryRow(`SELECT version, (version >= 2) = (to_regclass('former_url') IS NOT NULL) AND
			(version >= 3) = (to_regclass('record_standing') IS NOT NULL) FROM ayna`).Scan(&version, &whole); err != nil || !whole {
			t.Errorf("kill %d left half of version %d: %v", i, version, err)
		}
		p.checkMigrated(t, want)
	}
	if middle == 0 {
		t.Error("no kill met a migration")
	}
	t.Logf("%d kills met a migration", middle)
}

// openPostgres connects to the database of an archive.
func openPostgres(t *testing.T, address string) *sql.DB {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Del("media")
	u.RawQuery = query.Encode()
	db, err := sql.Open("postgres", u.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func (p *place) startOffline(t *testing.T) *process {
	t.Helper()
	return p.startCommand(t, "ayna", "build", "--offline")
}

// killed kills a process after a while.
func (c *process) killed(t *testing.T, after time.Duration) {
	t.Helper()
	time.Sleep(after)
	c.Process.Kill()
	c.wait(t, time.Minute)
}

// checkMigrated checks archive and site of the next build.
func (p *place) checkMigrated(t *testing.T, want map[string]string) {
	t.Helper()
	if c := p.startCommand(t, "ayna", "build", "--offline", "--check"); c.wait(t, time.Minute) != exitOK {
		t.Fatalf("%s%s", c.out, c.err)
	}
	compareTrees(t, p.tree(t, "public"), want)
}
