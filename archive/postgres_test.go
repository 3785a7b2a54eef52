package archive_test

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
	"ayna/testrun/postgrestest"
)

func TestPostgresOpen(t *testing.T) {
	name := postgrestest.Address(t)
	for _, open := range []func(context.Context, string) (*archive.Archive, error){archive.OpenReadOnly, archive.OpenExisting} {
		if _, err := open(ctx, name); !errors.Is(err, database.ErrMissing) {
			t.Errorf("opening what is not made yet: %v, want ErrMissing", err)
		}
	}
	a, err := archive.Open(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	if !a.New() {
		t.Error("the first time, it is not said to be new")
	}
	put(t, a, article("1", "x", 0), noon)
	if _, err := archive.Open(ctx, name); !errors.Is(err, database.ErrLocked) {
		t.Errorf("second writer: %v, want ErrLocked", err)
	}
	reader, err := archive.OpenReadOnly(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	before, err := reader.Changes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	put(t, a, article("2", "y", 0), noon)
	if after, err := reader.Changes(ctx); err != nil || after == before {
		t.Errorf("the reader does not see the change of another process: %d, %d, %v", before, after, err)
	}
	if _, err := reader.Records.Get(ctx, record.Article, "2"); err != nil {
		t.Errorf("reader beside the writer: %v", err)
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	setVersion(t, name, archive.SchemaVersion+1)
	if _, err := archive.Open(ctx, name); !errors.Is(err, database.ErrNewer) {
		t.Errorf("newer schema: %v, want ErrNewer", err)
	}
	if _, err := archive.OpenReadOnly(ctx, name); !errors.Is(err, database.ErrNewer) {
		t.Errorf("newer schema, reading: %v, want ErrNewer", err)
	}
}

func TestPostgresRefusesOtherTables(t *testing.T) {
	name := postgrestest.Address(t)
	postgrestest.Exec(t, name, "CREATE TABLE customers (id integer)")
	if _, err := archive.Open(ctx, name); !errors.Is(err, database.ErrForeign) {
		t.Errorf("%v, want ErrForeign", err)
	}
	missing := strings.Replace(name, "search_path=", "search_path=not_", 1)
	if _, err := archive.Open(ctx, missing); err == nil || !strings.Contains(err.Error(), "CREATE SCHEMA") {
		t.Errorf("no such schema: %v", err)
	}
}

// A server that cannot be reached, or that lets nobody in, is told of without the
// password.
func TestPostgresOutOfReach(t *testing.T) {
	_, err := archive.Open(ctx, "postgres://nobody:canary@127.0.0.1:1/x?connect_timeout=2")
	if !errors.Is(err, database.ErrDown) || strings.Contains(err.Error(), "canary") {
		t.Errorf("nobody listens: %v, want ErrDown", err)
	}
	u, err := url.Parse(postgrestest.Address(t))
	if err != nil {
		t.Fatal(err)
	}
	u.Path, u.User = "/not_there", url.UserPassword(u.User.Username(), "canary")
	for name, open := range map[string]func(context.Context, string) (*archive.Archive, error){"writing": archive.Open, "reading": archive.OpenReadOnly} {
		if _, err = open(ctx, u.String()); !errors.Is(err, database.ErrRefused) || strings.Contains(err.Error(), "canary") {
			t.Errorf("no such database, %s: %v, want ErrRefused", name, err)
		}
	}
}

// A writer that loses its connection loses the lock, and writes nothing more,
// though another one has it meanwhile.
func TestPostgresLostConnection(t *testing.T) {
	name := postgrestest.Address(t)
	a, err := archive.Open(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	put(t, a, article("1", "x", 0), noon)
	err = a.Update(ctx, func(tx *archive.Tx) error {
		r := article("2", "x", 0)
		if _, err := tx.Put(&r, noon); err != nil {
			return err
		}
		tx.ExecForTest("SELECT pg_terminate_backend(pg_backend_pid())")
		return nil
	})
	if err = database.Classify(err); !errors.Is(err, database.ErrDown) {
		t.Errorf("a write whose connection was lost: %v, want ErrDown", err)
	}
	other := openAt(t, name)
	if _, err := other.Records.Get(ctx, record.Article, "2"); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("half a write: %v", err)
	}
	for range 3 {
		if err := a.Update(ctx, func(tx *archive.Tx) error { return tx.State.Set("a", "b") }); err == nil {
			t.Error("written without the lock")
		}
	}
	put(t, other, article("3", "x", 0), noon)
}

// Giving up is no reason to lose the lock.
func TestPostgresCancelled(t *testing.T) {
	a := openAt(t, postgrestest.Address(t))
	given, cancel := context.WithCancel(ctx)
	err := a.Update(given, func(tx *archive.Tx) error {
		r := article("1", "x", 0)
		if _, err := tx.Put(&r, noon); err != nil {
			return err
		}
		cancel()
		return tx.State.Set("a", "b")
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want Canceled", err)
	}
	if _, err := a.Records.Get(ctx, record.Article, "1"); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("half a write: %v", err)
	}
	put(t, a, article("2", "x", 0), noon)
}

// PostgreSQL rolls back what had an error, and answers COMMIT all the same.
func TestPostgresErrorThatWasPassedOver(t *testing.T) {
	a := openAt(t, postgrestest.Address(t))
	err := a.Update(ctx, func(tx *archive.Tx) error {
		r := article("1", "x", 0)
		if _, err := tx.Put(&r, noon); err != nil {
			return err
		}
		if err := tx.PutText(99, 1, nil); err == nil { // of no record
			t.Error("a body of no record is kept")
		}
		return nil
	})
	if err == nil {
		t.Error("it is said to be stored")
	}
}

// No error, and no name, holds the password, however wrong the address is.
func TestPasswordOfTheAddress(t *testing.T) {
	const secret = "kanarya73"
	for _, address := range []string{
		"postgres://u:" + secret + "@127.0.0.1:1/x",
		"postgres://u@127.0.0.1:1/x?password=" + secret,
		"postgres://u:" + secret + "/" + secret + "@127.0.0.1:1/x",
		"postgres://u:" + secret + "%zz@127.0.0.1:1/x",
		"postgres://u:" + secret + "@127.0.0.1:" + secret + "/x",
		"postgres://u:" + secret + "@127.0.0.1:1/x?sslmode=" + secret,
		"postgresql://u:" + secret + "@127.0.0.1:1/x?connect_timeout=x",
		"postgres://u:" + secret + "@[::1/x",
		"postgres://u:" + secret + "#@127.0.0.1:1/x",
		"postgres://u:" + secret + "?@127.0.0.1:1/x",
		"postgres://u:" + secret + "@" + secret + "@127.0.0.1:1/x",
		"postgres://" + secret,
	} {
		for name, open := range map[string]func(context.Context, string) (*archive.Archive, error){
			"open": archive.Open, "read": archive.OpenReadOnly,
		} {
			given, cancel := context.WithTimeout(ctx, 5*time.Second)
			_, err := open(given, address)
			cancel()
			if err == nil || address != "postgres://"+secret && strings.Contains(err.Error(), secret) {
				t.Errorf("%s %s: %v", name, address, err)
			}
		}
	}
	name := postgrestest.Address(t)
	u, err := url.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), secret)
	a := openAt(t, u.String())
	for _, operation := range []func() error{
		func() error { return a.Update(ctx, func(tx *archive.Tx) error { return tx.PutText(9, 9, nil) }) },
		func() error { return errors.New(a.Name()) },
		func() error { _, err := archive.Open(ctx, u.String()); return err },
	} {
		if err := operation(); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%v", err)
		}
	}
}

// To forget rewrites each table that may hold something of a record.
func TestPostgresRewritesTables(t *testing.T) {
	a := openAt(t, postgrestest.Address(t))
	before := a.FilesForTest(t)
	if err := a.Purge(ctx, opened{}, pictured); err != nil {
		t.Fatal(err)
	}
	without := []string{"ayna", "doubt", "forgotten", "published_list", "request", "stamp", "state"}
	for table, file := range a.FilesForTest(t) {
		if rewritten := file != before[table]; rewritten == slices.Contains(without, table) {
			t.Errorf("%s is rewritten: %t", table, rewritten)
		}
	}
}
