package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// State is what runs keep for later ones: values by name, the directories and lists that were
// published, and what was forgotten.
type State struct{ read *statements }

// StateTx writes what [State] reads.
type StateTx struct{ transaction }

// Get returns the value that [StateTx.Set] stored under a name, or "".
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
// see [Tx.ReplaceRevision].
func (s State) Rereads(ctx context.Context) (string, error) { return s.Get(ctx, "rereads") }

// Set stores a value under a name.
func (t StateTx) Set(name, value string) error {
	err := t.exec(`INSERT INTO state (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		name, value)
	return wrap(err, "keep state %s", name)
}
