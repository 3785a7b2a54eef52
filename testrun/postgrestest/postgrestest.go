// Package postgrestest returns the address of a PostgreSQL schema for the archive of a test
// ([Address]), or skips the test where there is no server.
package postgrestest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/lib/pq"

	"ayna/testrun"
)

// Variable is the environment variable that names the server, as
// postgres://user@host/database. Tests make schemas there, and drop them.
const Variable = "AYNA_POSTGRES"

// usual is where a server is looked for without it.
var usual = []string{"postgres:///postgres?host=/var/run/postgresql", "postgres://postgres@127.0.0.1/postgres?sslmode=disable"}

// server returns the address of a server that can be reached, "" if there is
// none.
var server = sync.OnceValues(func() (string, error) {
	if named := os.Getenv(Variable); named != "" {
		return named, try(named)
	}
	for _, address := range usual {
		if try(address) == nil {
			return address, nil
		}
	}
	return "", nil
})

func try(address string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	db, err := sql.Open("postgres", address)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.PingContext(ctx)
}

var number atomic.Int64

// Address returns the address of an archive of the test's own, which is not
// made yet; it is dropped when the test ends. The test is skipped if no server
// can be reached.
func Address(t testing.TB) string {
	t.Helper()
	if os.Getenv(Variable) == "" {
		testrun.NeedsSlow(t, "needs PostgreSQL")
	}
	base, err := server()
	if err != nil {
		t.Fatalf("%s: %v", Variable, err)
	}
	if base == "" {
		t.Skipf("SKIPPED: no PostgreSQL can be reached; name one by %s=postgres://user@host/database", Variable)
	}
	schema := fmt.Sprintf("ayna_test_%d_%d", os.Getpid(), number.Add(1))
	Exec(t, base, "CREATE SCHEMA "+schema)
	t.Cleanup(func() { Exec(t, base, "DROP SCHEMA "+schema+" CASCADE") })
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	values := u.Query()
	values.Set("search_path", schema)
	values.Set("media", t.TempDir())
	u.RawQuery = values.Encode()
	return u.String()
}

// Exec runs a statement at an address of a server or an archive.
func Exec(t testing.TB, address, statement string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	values := u.Query()
	values.Del("media")
	u.RawQuery = values.Encode()
	db, err := sql.Open("postgres", u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}
