package fetch

import (
	"context"

	"ayna/archive"
)

// starvedState is the name of the state that says "yes" if lists have used up the budget of the
// last run, so that no request was left for the records that wait.
const starvedState = "starved"

// fetchStarved fetches the records that wait before any list is read, if the last run had no
// request left for them. The run after this one begins with lists, so that neither stops the
// other for good.
func (s *syncer) fetchStarved(ctx context.Context) error {
	state, err := checked(s.archive.State.Get(ctx, starvedState))
	if err != nil || state == "" {
		return err
	}
	s.wasStarved = true
	rows, err := s.dueRows(ctx, s.Now())
	if err != nil {
		return err
	}
	return s.fetchAll(ctx, rows)
}

// noteStarved keeps whether the next run begins with the records that wait.
func (s *syncer) noteStarved(ctx context.Context, isStarved bool) error {
	state := ""
	if isStarved && !s.wasStarved {
		state = "yes"
	}
	if (state == "yes") == s.wasStarved {
		return nil
	}
	return s.update(ctx, func(tx *archive.Tx) error { return tx.State.Set(starvedState, state) })
}
