// Package runstate keeps what runs need of earlier runs, in an archive: values by name, directories
// and lists that were published, and the list of forgotten records go in and come out.
//
// Begin with [State], which reads, and [Tx], which writes the same in a transaction of the archive.
package runstate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ayna/archive/database"
)

// State is what runs keep for later ones: values by name, the directories and lists that were
// published, and what was forgotten.
type State struct{ read *database.Statements }

// Of returns the state of a database.
func Of(db *database.DB) State { return State{db.Read} }

// Tx writes what [State] reads.
type Tx struct{ tx database.Tx }

// Within returns a Tx that writes in a transaction.
func Within(tx database.Tx) Tx { return Tx{tx} }

// Get returns the value that [Tx.Set] stored under a name, or "".
func (s State) Get(ctx context.Context, name string) (string, error) {
	var value string
	err := s.read.QueryRowContext(ctx, `SELECT value FROM state WHERE name = $1`, name).Scan(&value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read state %s: %w", name, err)
	}
	return value, nil
}

// Generation returns a counter of changes: while it stays the same, so does what a site shows
// of the archive.
func (s State) Generation(ctx context.Context) (string, error) { return s.Get(ctx, "generation") }

// Rereads returns a counter of the earlier versions that were made again by another reader,
// see ReplaceRevision of the archive's transactions.
func (s State) Rereads(ctx context.Context) (string, error) { return s.Get(ctx, "rereads") }

// Set stores a value under a name.
func (t Tx) Set(name, value string) error {
	err := t.tx.Exec(`INSERT INTO state (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		name, value)
	return database.Wrap(err, "keep state %s", name)
}
