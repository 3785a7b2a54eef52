package archive

import (
	"context"
	"fmt"
	"iter"
	"math"
	"time"
)

const day = 24 * time.Hour

// Intervals are the times after which a single record is due to be fetched
// again. Which one applies depends on the age that the record had when it was
// fetched last: less than a day, a week, thirty days, or more.
var Intervals = []time.Duration{6 * time.Hour, day, 4 * day, 30 * day}

// interval is the expression of the index record_due.
const interval = `CASE
  WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 86400000 THEN 21600000
  WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 604800000 THEN 86400000
  WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 2592000000 THEN 345600000
  ELSE 2592000000 END`

const due = wantedColumns + `WHERE wanted = 0 AND recheck = 0 AND vanished IS NULL AND kind NOT IN ('page', 'folder')
	AND (` + interval + `) = ? AND fetched > ? AND fetched <= ? ORDER BY fetched`

// Overdue yields the records of one of the [Intervals] that are due, longest
// overdue first. Those that were fetched later than now come before all: the
// clock was ahead then. Editorial pages and folders are not among them, nor is
// what [Archive.Wanted] yields.
func (a *Archive) Overdue(ctx context.Context, every time.Duration, now time.Time) iter.Seq2[Wanted, error] {
	return func(yield func(Wanted, error) bool) {
		for _, fetched := range [][2]int64{{now.UnixMilli(), math.MaxInt64}, {math.MinInt64, now.Add(-every).UnixMilli()}} {
			for w, err := range a.wanted(ctx, due, every.Milliseconds(), fetched[0], fetched[1]) {
				if err != nil {
					err = fmt.Errorf("records that are due again: %w", err)
				}
				if !yield(w, err) || err != nil {
					return
				}
			}
		}
	}
}

// Recheck marks the editorial pages to be fetched again that are due: those
// whose single record was fetched at least a share of its age ago (a third of
// the time from publication to fetching), but not within least, and not later
// than most; and those fetched later than now.
func (t *Tx) Recheck(now time.Time, least, most time.Duration) error {
	err := t.exec(`UPDATE record SET recheck = 1 WHERE kind = ?1 AND fetched IS NOT NULL AND wanted = 0 AND recheck = 0
		AND vanished IS NULL AND (fetched > ?2 OR ?2 - fetched >= ?4 OR (?2 - fetched >= ?3 AND ?2 - fetched >= (fetched - coalesce(published, 0)) / 3))`,
		Page, now.UnixMilli(), least.Milliseconds(), most.Milliseconds())
	if err != nil {
		return fmt.Errorf("mark pages to be fetched again: %w", err)
	}
	return nil
}
