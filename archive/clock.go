package archive

import (
	"context"
	"fmt"
	"time"
)

// A clock that was ahead leaves times to come, and nothing may wait for them:
// [Archive.Wanted], [Archive.MissingMedia] and [Archive.Strangers] do not believe
// them either.

// PutBackSent notes requests for now that are noted for later: the clock was
// put back since.
func (a *Archive) PutBackSent(ctx context.Context, now time.Time) error {
	return a.Update(ctx, func(t *Tx) error {
		if err := t.exec(`UPDATE request SET sent = ?1 WHERE sent > ?1`, now.UnixMilli()); err != nil {
			return fmt.Errorf("keep the request ledger: %w", err)
		}
		return nil
	})
}

// RecheckAhead marks records of a kind to be fetched again whose single record
// was fetched later than now: nobody can tell how long ago that was.
func (t *Tx) RecheckAhead(kind Kind, now time.Time) error {
	err := t.exec(`UPDATE record SET recheck = 1 WHERE kind = ? AND fetched > ? AND wanted = 0 AND recheck = 0 AND vanished IS NULL`,
		kind, now.UnixMilli())
	if err != nil {
		return fmt.Errorf("mark %ss to be checked again that were fetched later than now: %w", kind, err)
	}
	return nil
}
