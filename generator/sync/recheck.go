package sync

import (
	"context"
	"time"

	"ayna/archive"
)

// rechecks are the kinds whose list records do not tell of a change. Their
// single records are fetched again: soon after publication often, later as
// rarely as most says. They come after everything that is known to be new.
var rechecks = map[archive.Kind]struct{ least, most time.Duration }{
	archive.Page:   {time.Hour, 6 * time.Hour}, // the news assigned to it changes all the time
	archive.Column: {6 * time.Hour, 30 * 24 * time.Hour},
	archive.Writer: {7 * 24 * time.Hour, 60 * 24 * time.Hour},
}

func (s *syncer) recheck(ctx context.Context) error {
	return s.update(ctx, func(tx *archive.Tx) error {
		for kind, every := range rechecks {
			if err := tx.Recheck(kind, s.now(), every.least, every.most); err != nil {
				return err
			}
			if err := tx.RecheckAhead(kind, s.now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// mostPostponed is the longest postponement.
const mostPostponed = 7 * 24 * time.Hour

// postponement is how long a single record is left alone that could not be had,
// and not in so many tries before: the next run asks again, and then it takes
// longer each time.
func postponement(tries int) time.Duration {
	if tries == 0 {
		return 0
	}
	return min(mostPostponed, 30*time.Minute<<min(tries, 10))
}
