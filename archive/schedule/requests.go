package archive

import (
	"context"
	"fmt"
	"time"
)

// Requests is the ledger of the requests that were sent, for limits across runs.
type Requests struct{ archive *Archive }

// Since returns the times of requests after since, oldest first.
func (q Requests) Since(ctx context.Context, since time.Time) ([]time.Time, error) {
	return all(ctx, q.archive.read, "read the request ledger", func(row scanner) (sent time.Time, err error) {
		err = row.Scan(instant{&sent})
		return sent, err
	}, `SELECT sent FROM request WHERE sent > $1 ORDER BY sent`, since.UnixMilli())
}

// Add stores the time of a request that is about to be sent. It deletes times that
// no limit needs any more.
func (q Requests) Add(ctx context.Context, now time.Time) error {
	return q.archive.Update(ctx, func(t *Tx) error {
		if err := t.exec(`DELETE FROM request WHERE sent < $1`, now.Add(-2*time.Hour).UnixMilli()); err != nil {
			return fmt.Errorf("keep the request ledger: %w", err)
		}
		err := t.exec(`INSERT INTO request (sent) VALUES ($1)`, now.UnixMilli())
		return wrap(err, "keep the request ledger")
	})
}

// Clamp sets the times of requests after now to now: the clock was put back.
func (q Requests) Clamp(ctx context.Context, now time.Time) error {
	return q.archive.Update(ctx, func(t *Tx) error {
		err := t.exec(`UPDATE request SET sent = $1 WHERE sent > $1`, now.UnixMilli())
		return wrap(err, "keep the request ledger")
	})
}
