package sync

import (
	"context"
	"fmt"
	"time"

	"ayna/archive"
)

// A full run has the whole lists read anew, and every single record fetched
// again that they show. What the limits leave of it is for later runs, whether
// these are full or not: a list keeps that its pass is a full one, and a record
// that it is wanted.

// renew begins a full pass over the whole list. That is kept before the first
// page is there: the limits may not let it be asked for.
func (s *syncer) renew(ctx context.Context, l listing, st *standing) error {
	st.open(s.now())
	st.Full, st.Renewed = true, st.Began
	return s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
}

// renewing returns the number of the full pass that is open, 0 if there is none.
func (st standing) renewing() int {
	if st.Open && st.Full {
		return st.Pass
	}
	return 0
}

// beginsAnew reports whether a full run begins lists anew. As long as there are
// records to fetch of the one before, it goes on with that: else runs that are
// all full would never come to the last ones.
func (s *syncer) beginsAnew(ctx context.Context, listings []listing) (bool, error) {
	if !s.Full {
		return false, nil
	}
	for _, l := range listings {
		st, err := s.standing(ctx, l)
		if err != nil {
			return false, err
		}
		if left, err := s.owed(ctx, l, st); left || err != nil {
			return false, err
		}
	}
	return true, nil
}

// conclude notes which lists have no record any more that a full run has left to
// fetch. What is wanted later is not owed to that.
func (s *syncer) conclude(ctx context.Context) error {
	for _, l := range s.listings() {
		st, err := s.standing(ctx, l)
		if err != nil {
			return err
		}
		left, err := s.owed(ctx, l, st)
		if err != nil {
			return err
		}
		if left || st.renewing() > 0 || st.Renewed.IsZero() {
			continue
		}
		st.Renewed = time.Time{}
		if err := s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) }); err != nil {
			return err
		}
	}
	return nil
}

// owed reports whether a full run has left a record of a list to fetch that the
// site shows, and that was not tried since.
func (s *syncer) owed(ctx context.Context, l listing, st standing) (bool, error) {
	if st.Renewed.IsZero() {
		return false, nil
	}
	for w, err := range s.archive.Unfetched(ctx, l.kind, st.Renewed) {
		if err != nil {
			return false, fmt.Errorf("%w: %w", errArchive, err)
		}
		if s.wants(w.Kind, w.Path) {
			return true, nil
		}
	}
	return false, nil
}
