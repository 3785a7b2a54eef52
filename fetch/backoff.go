package fetch

import (
	"time"

	"ayna/archive"
)

// maxBackoff is the longest back-off.
const maxBackoff = 7 * 24 * time.Hour

// postpone schedules a retry with exponential backoff, at latest at the given time unless
// that is zero.
func (s *syncer) postpone(tx *archive.Tx, stored *archive.Record, latest time.Time) error {
	retryAt := s.Now().Add(backoff(stored.Attempts))
	if !latest.IsZero() && retryAt.After(latest) {
		retryAt = latest
	}
	return tx.Schedule.Postpone(stored.Kind, stored.ID, retryAt)
}

// backoff returns the delay before the next retry of a record that had failed a number of
// times before it failed now: none after the first failure.
func backoff(attempts int) time.Duration {
	if attempts == 0 {
		return 0
	}
	return min(maxBackoff, 30*time.Minute<<min(attempts, 10))
}
