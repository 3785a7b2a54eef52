package archive

import (
	"context"
	"fmt"
	"time"
)

// A clock that was ahead leaves times to come, and nothing may wait for them:
// [Archive.Wanted], [Archive.Overdue], [Archive.MissingMedia] and
// [Archive.Strangers] do not believe them either.

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
