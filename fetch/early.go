package fetch

import (
	"context"

	"ayna/archive/schedule"
)

// A source that returns records in bulk has its texts fetched while its lists are read for
// the first time: whatever ends a run, the newest records have theirs. A source whose lists
// can have texts needs no requests for them then.

// startEarly decides whether the single records of a list are fetched while it is read, and
// begins with those that an earlier run has left.
func (s *syncer) startEarly(ctx context.Context, l *list) (err error) {
	if l.early = l.Phase == initial && s.facts.Bulk > 1 && !l.isSearch() && !s.firstPages; !l.early {
		return nil
	}
	l.due, err = rowsOf(s.archive.Schedule.Due(ctx, s.Now(), maxBackoff), func(w schedule.Due) bool {
		return s.listOf(w.Kind) == l && s.wants(w.Kind, w.Paths)
	})
	if err != nil {
		return err
	}
	return s.fetchEarly(ctx, l)
}

// fetchEarly fetches the single records of a list that are due, in full requests; the rest
// waits for the next page, or for fetchSingles.
func (s *syncer) fetchEarly(ctx context.Context, l *list) error {
	for l.early && len(l.due) >= s.facts.Bulk && s.outOfBudget() == nil {
		if err := s.fetchRows(ctx, l.due[:s.facts.Bulk]); err != nil {
			return err
		}
		l.due = l.due[s.facts.Bulk:]
	}
	return nil
}
