package schedule

import (
	"context"
	"fmt"
	"time"

	"ayna/archive/database"
)

// Requests is the ledger of the requests that were sent, for limits across runs.
type Requests struct{ db *database.DB }

// RequestsOf returns the ledger of a database.
func RequestsOf(db *database.DB) Requests { return Requests{db} }

// Since returns the times of requests after since, oldest first.
func (q Requests) Since(ctx context.Context, since time.Time) ([]time.Time, error) {
	return database.All(ctx, q.db.Read, "read the request ledger", func(row database.Row) (sent time.Time, err error) {
		err = row.Scan(database.Time(&sent))
		return sent, err
	}, `SELECT sent FROM request WHERE sent > $1 ORDER BY sent`, since.UnixMilli())
}

// Add stores the time of a request that is about to be sent. It deletes times that
// no limit needs any more.
func (q Requests) Add(ctx context.Context, now time.Time) error {
	return q.db.Update(ctx, func(tx database.Tx) error {
		if err := tx.Exec(`DELETE FROM request WHERE sent < $1`, now.Add(-2*time.Hour).UnixMilli()); err != nil {
			return fmt.Errorf("keep the request ledger: %w", err)
		}
		err := tx.Exec(`INSERT INTO request (sent) VALUES ($1)`, now.UnixMilli())
		return database.Wrap(err, "keep the request ledger")
	})
}

// Clamp sets the times of requests after now to now: the clock was put back.
func (q Requests) Clamp(ctx context.Context, now time.Time) error {
	return q.db.Update(ctx, func(tx database.Tx) error {
		err := tx.Exec(`UPDATE request SET sent = $1 WHERE sent > $1`, now.UnixMilli())
		return database.Wrap(err, "keep the request ledger")
	})
}
