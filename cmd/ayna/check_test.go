package main

import (
	"database/sql"

	"github.com/rogpeppe/go-internal/testscript"
)

// damage changes a letter of a record's text behind the archive's back, or does
// what a statement says: damage FILE [STATEMENT].
func damage(ts *testscript.TestScript, neg bool, args []string) {
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	if len(args) > 1 {
		_, err := db.Exec(args[1])
		ts.Check(err)
		return
	}
	result, err := db.Exec(`UPDATE raw SET single = replace(single, ' ve ', ' va ') WHERE row =
		(SELECT row FROM raw JOIN record USING (row) WHERE kind = 'article' AND single LIKE '% ve %' ORDER BY row LIMIT 1)`)
	ts.Check(err)
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		ts.Fatalf("%d records damaged, %v", n, err)
	}
}
