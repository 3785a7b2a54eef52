package archive_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/postgrestest"
)

// nextStep is an invented migration to the next version of the schema. It writes every record,
// so that a kill can interrupt it.
const nextStep = `ALTER TABLE record ADD COLUMN later TEXT NOT NULL DEFAULT ''; UPDATE record SET later = title || id`

// eachDatabase calls do for SQLite files and for PostgreSQL databases. fresh returns the name
// of an archive that does not exist yet.
func eachDatabase(t *testing.T, do func(t *testing.T, fresh func(testing.TB) string)) {
	t.Run("sqlite", func(t *testing.T) {
		do(t, func(t testing.TB) string { return filepath.Join(t.TempDir(), "archive.db") })
	})
	t.Run("postgres", func(t *testing.T) { do(t, postgrestest.Address) })
}

// fill makes an archive of n records, of the first version of the schema.
func fill(t *testing.T, name string, n int) {
	t.Helper()
	a, err := archive.OpenFirstForTest(ctx, name)
	if err == nil {
		err = errors.Join(a.FillForTest(n), a.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Opening an older archive for writing migrates it. Opening it for reading fails with the
// command that migrates it. An older program refuses the migrated archive.
func TestMigration(t *testing.T) {
	eachDatabase(t, func(t *testing.T, fresh func(testing.TB) string) {
		name := fresh(t)
		fill(t, name, 3)
		if _, err := archive.OpenReadOnly(ctx, name); err == nil || !strings.Contains(err.Error(), "ayna build --offline") {
			t.Errorf("reading an archive of the first version: %v", err)
		}
		if _, err := archive.OpenReadOnlyAfterForTest(ctx, name, nextStep); err == nil || !strings.Contains(err.Error(), "ayna build --offline") {
			t.Errorf("reading an older archive: %v", err)
		}
		for range 2 {
			checkMigrated(t, name, 3)
		}
		if a, err := archive.OpenReadOnlyAfterForTest(ctx, name, nextStep); err != nil {
			t.Error(err)
		} else {
			a.Close()
		}
		if _, err := archive.Open(ctx, name); !errors.Is(err, database.ErrNewer) {
			t.Errorf("the older program: %v, want ErrNewer", err)
		}
	})
}

// Both files of the schema have the same versions, without a gap.
func TestVersionsOfTheSchema(t *testing.T) {
	for file, steps := range archive.StepsForTest() {
		if len(steps) != archive.SchemaVersion-archive.FirstSchemaForTest {
			t.Errorf("%s leads to version %d, want %d", file, archive.FirstSchemaForTest+len(steps), archive.SchemaVersion)
		}
		for i, step := range steps {
			if want := fmt.Sprintf("\n-- Version %d: ", archive.FirstSchemaForTest+i+1); !strings.HasPrefix(step, want) {
				t.Errorf("%s: %.40q, want %q", file, step, want)
			}
		}
	}
}

// checkMigrated migrates an archive of n records, if it is not migrated yet, and checks the
// result.
func checkMigrated(t *testing.T, name string, n int) {
	t.Helper()
	a, err := archive.OpenAfterForTest(ctx, name, nextStep)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if later, err := a.LaterForTest(ctx); err != nil || later != n {
		t.Errorf("%d records are migrated, %v; want %d", later, err, n)
	}
	putOriginals(t, a, original("users", "3", `{"id":3}`))
	for f, err := range a.Check(ctx, func(*record.Record) error { return nil }, 1, nil) {
		if err != nil || f.Kind == "" {
			t.Errorf("%v, %v", f, err)
		}
	}
}

// migrating is the environment variable that has a process of this test migrate the archive
// that it names.
const migrating = "AYNA_MIGRATE"

// A migration is done wholly or not at all, whenever the program is killed.
func TestMigrationKilledAtAnyMoment(t *testing.T) {
	testrun.NeedsSlow(t, "kills a program many times")
	eachDatabase(t, func(t *testing.T, fresh func(testing.TB) string) {
		const n = 30_000
		var name string
		random, before := rand.New(rand.NewPCG(3, 3)), 0
		for range (testrun.Counts{Slow: 8, Long: 200}).Now() {
			if before == 0 { // no archive yet, or the last kill came too late
				name = fresh(t)
				fill(t, name, n)
			}
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), migrating+"="+name)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(random.Float64() * float64(600*time.Millisecond)))
			c.Process.Kill()
			c.Wait()
			a, err := archive.Open(ctx, name)
			for errors.Is(err, database.ErrLocked) { // the server has not noticed the kill
				time.Sleep(10 * time.Millisecond)
				a, err = archive.Open(ctx, name)
			}
			switch {
			case err == nil: // as it was
				before++
				a.Close()
			case errors.Is(err, database.ErrNewer):
				before = 0
				checkMigrated(t, name, n)
			default:
				t.Fatalf("after a kill: %v", err)
			}
		}
		if before > 0 {
			checkMigrated(t, name, n)
		}
	})
}

// A trigger that is not part of the schema would run during the migration, so the archive is
// refused.
func TestMigrationOfCraftedSchema(t *testing.T) {
	t.Parallel()
	path := crafted(t, `CREATE TRIGGER harm AFTER UPDATE ON record BEGIN DELETE FROM record; END`)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := archive.OpenAfterForTest(ctx, path, nextStep); err == nil || !strings.Contains(err.Error(), `trigger "harm"`) {
		t.Errorf("%v, want one that names the trigger", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file has changed, %v", err)
	}
}

// An archive of a version that was never released is refused with the commit that still reads
// it, and stays as it is.
func TestOlderArchive(t *testing.T) {
	eachDatabase(t, func(t *testing.T, fresh func(testing.TB) string) {
		name := fresh(t)
		fill(t, name, 1)
		for version := 1; version < archive.FirstSchemaForTest; version++ {
			setVersion(t, name, version)
			for how, open := range map[string]func(context.Context, string) (*archive.Archive, error){"Open": archive.Open, "OpenReadOnly": archive.OpenReadOnly} {
				if _, err := open(ctx, name); !errors.Is(err, database.ErrOlder) || !strings.Contains(err.Error(), "39d1da99") {
					t.Errorf("%s of version %d: %v, want ErrOlder", how, version, err)
				}
			}
		}
		setVersion(t, name, archive.FirstSchemaForTest)
		a, err := archive.Open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
	})
}

// setVersion marks a closed archive as one of another version.
func setVersion(t *testing.T, name string, version int) {
	t.Helper()
	if strings.HasPrefix(name, "postgres") {
		postgrestest.Exec(t, name, fmt.Sprintf("UPDATE ayna SET version = %d", version))
		return
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		t.Fatal(err)
	}
}
