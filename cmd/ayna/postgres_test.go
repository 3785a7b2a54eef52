package main

import (
	"net/url"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ayna/testrun/postgrestest"
)

// TestPostgres runs the scripts that need a PostgreSQL server. $DATABASE is the
// address of an archive to be made there, $MISSING of one in a database that is
// not there, $SECRET their password.
func TestPostgres(t *testing.T) {
	address, err := url.Parse(postgrestest.Address(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, given := address.User.Password(); !given {
		address.User = url.UserPassword(address.User.Username(), canary)
	}
	secret, _ := address.User.Password()
	query := address.Query()
	query.Del("media")
	address.RawQuery = query.Encode()
	missing := *address
	missing.Path = "/not_there"
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/postgres",
		Cmds: scriptCommands,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATABASE", address.String())
			env.Setenv("MISSING", missing.String())
			env.Setenv("SECRET", secret)
			return nil
		},
	})
}
