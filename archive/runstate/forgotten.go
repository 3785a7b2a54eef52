package runstate

import (
	"context"

	"ayna/archive/database"
	"ayna/record"
)

// purgeDue is the name of the value that is set until the end of a purge.
const purgeDue = "forgetting"

// PurgeDue reports whether the archive may still hold forgotten records, or pictures that no
// version of a record shows.
func (s State) PurgeDue(ctx context.Context) (bool, error) {
	value, err := s.Get(ctx, purgeDue)
	return value != "", err
}

// SetPurgeDue has [State.PurgeDue] report true.
func (t Tx) SetPurgeDue() error { return t.Set(purgeDue, "1") }

// ClearPurgeDue has [State.PurgeDue] report false.
func (t Tx) ClearPurgeDue() error {
	return t.tx.Exec(`DELETE FROM state WHERE name = $1`, purgeDue)
}

// Forgotten returns the addresses of the records that were removed for good.
func (s State) Forgotten(ctx context.Context) ([]record.Forgotten, error) {
	return database.All(ctx, s.read, "read what was forgotten", func(row database.Row) (f record.Forgotten, err error) {
		err = row.Scan(&f.Kind, &f.ID, &f.URL)
		return f, err
	}, `SELECT kind, id, url FROM forgotten ORDER BY kind, id, url`)
}
