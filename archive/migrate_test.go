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
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/postgrestest"
)

// moved are the versions of a record that had three addresses, and one of damaged JSON.
func moved(t *testing.T, a *archive.Archive) (row int64) {
	t.Helper()
	for i, url := range []string{"https://h.example/çay", "", " https://h.example/su\n", "https://h.example/ayran"} {
		r := article("1", "İçecek", i)
		r.URL = strings.TrimSpace(url)
		r.List = []byte(`{"Id":"1","Url":"` + strings.ReplaceAll(url, "\n", `\n`) + `"}`)
		r.Single = []byte(`{"Id":"1","Url":"http://h.example/both"}`)
		r.URLs = []string{r.URL, "http://h.example/both"}
		put(t, a, r, noon)
	}
	got, err := a.Records.Get(ctx, record.Article, "1")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.ExecForTest(`INSERT INTO revision (row, part, json, seen) VALUES (1, 'damaged', '{"Url":"https://h.exa', 1)`,
		`INSERT INTO revision (row, part, json, seen) VALUES (1, 'damaged', '{"Url":"https://h.exa', 1)`); err != nil {
		t.Fatal(err)
	}
	return got.Row
}

var formerOfMoved = []string{"http://h.example/both", "https://h.example/su", "https://h.example/çay"}

// Put keeps each address that a record had.
func TestFormerAddresses(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		row := moved(t, a)
		if former := a.FormerForTest(t, row); !slices.Equal(former, formerOfMoved) {
			t.Errorf("former addresses %q", former)
		}
	})
}

// nextStep leads to a version of the schema that there may be one day. It takes a while where
// there are many records.
const nextStep = `ALTER TABLE record ADD COLUMN later TEXT NOT NULL DEFAULT ''; UPDATE record SET later = title || id`

// eachDatabase calls do for files and for PostgreSQL databases. fresh names one that is not
// made yet.
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

// An archive of the first version is brought to the next ones by whoever may write. Others
// say who that is, and the program of before refuses it from then on.
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
		if _, err := archive.Open(ctx, name); !errors.Is(err, archive.ErrNewer) {
			t.Errorf("the program of before: %v, want ErrNewer", err)
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

// checkMigrated migrates an archive of n records, unless that is done.
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
	for f, err := range a.Check(ctx, archive.CheckOptions{Derive: func(*record.Record) error { return nil }}) {
		if err != nil || f.Kind == "" {
			t.Errorf("%v, %v", f, err)
		}
	}
}

// migrating names, in the environment of a process of this test, the archive to migrate.
const migrating = "AYNA_MIGRATE"

// A migration is one step, whenever the program is killed.
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
			for errors.Is(err, archive.ErrLocked) { // the server has not noticed the kill
				time.Sleep(10 * time.Millisecond)
				a, err = archive.Open(ctx, name)
			}
			switch {
			case err == nil: // as it was
				before++
				a.Close()
			case errors.Is(err, archive.ErrNewer):
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

// What is not of an archive's version of the schema would run during its migration.
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

// An archive of a version that was never released is refused with the program that still
// reads it, and stays as it is.
func TestOlderArchive(t *testing.T) {
	eachDatabase(t, func(t *testing.T, fresh func(testing.TB) string) {
		name := fresh(t)
		fill(t, name, 1)
		for version := 1; version < archive.FirstSchemaForTest; version++ {
			setVersion(t, name, version)
			for how, open := range map[string]func(context.Context, string) (*archive.Archive, error){"Open": archive.Open, "OpenReadOnly": archive.OpenReadOnly} {
				if _, err := open(ctx, name); !errors.Is(err, archive.ErrOlder) || !strings.Contains(err.Error(), "39d1da99") {
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
