package sync

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"ayna/archive"
)

// Single records are fetched again on a schedule that slows down with their
// age, since no list record reports a change of the text alone. These requests
// share a fifth of a run's with the later passes over whole lists, and come
// after everything that is known to be new. Editorial pages have a schedule of
// their own, outside of that share: their news change all the time.
const (
	leastPage = time.Hour
	mostPage  = 6 * time.Hour
)

func (s *syncer) recheck(ctx context.Context) error {
	return s.update(ctx, func(tx *archive.Tx) error { return tx.Recheck(s.now(), leastPage, mostPage) })
}

// reserve keeps up to half of the share for single records that are overdue, so
// that passes over long lists leave them some.
func (s *syncer) reserve(ctx context.Context) error {
	share := s.relists.Load()
	if share == math.MaxInt64 {
		return nil // there is no limit
	}
	rows, err := s.overdue(ctx, share/2)
	if err != nil {
		return err
	}
	s.reserved = int64(len(rows))
	s.relists.Add(-s.reserved)
	return nil
}

// again returns the rows of the records that this run fetches again: what is
// overdue, as far as its share and the requests left after the wanted ones go.
func (s *syncer) again(ctx context.Context, wanted int) ([]int64, error) {
	most := max(0, s.relists.Load())
	if most < math.MaxInt64 {
		most += s.reserved
	}
	if left, limited := s.ledger.allowance(s.now()); limited {
		most = min(most, int64(left-wanted))
	}
	return s.overdue(ctx, most)
}

// overdue returns the rows of up to most records that are overdue and that the
// site shows, longest overdue first. That is measured by the interval of each,
// so that a large archive slows all of them down alike.
func (s *syncer) overdue(ctx context.Context, most int64) ([]int64, error) {
	type due struct {
		row  int64
		late float64
	}
	var all []due
	now := s.now()
	seen, err := s.listedSince(ctx)
	if err != nil {
		return nil, err
	}
	for _, every := range archive.Intervals {
		n := int64(0)
		if most <= 0 {
			break
		}
		for w, err := range s.archive.Overdue(ctx, every, now) {
			if err != nil {
				return nil, fmt.Errorf("%w: %w", errArchive, err)
			}
			if pass, listed := seen[w.Kind]; !listed || w.Pass < pass || !s.wants(w.Kind, w.Path) {
				continue
			}
			late := float64(now.Sub(w.Fetched)) / float64(every)
			if late < 0 { // the clock was ahead then
				late = math.MaxFloat64
			}
			all = append(all, due{w.Row, late})
			if n++; n >= most {
				break
			}
		}
	}
	slices.SortStableFunc(all, func(a, b due) int { return cmp.Compare(b.late, a.late) })
	rows := make([]int64, 0, min(int64(len(all)), max(0, most)))
	for _, d := range all[:cap(rows)] {
		rows = append(rows, d.row)
	}
	return rows, nil
}

// listedSince returns the kinds that are synchronised, each with the number of
// the pass that has seen all records of its list. It is 0 while a pass is open.
// What the pass did not see is left to the proof that it is gone.
func (s *syncer) listedSince(ctx context.Context) (map[archive.Kind]int, error) {
	passes := make(map[archive.Kind]int)
	for _, kind := range s.kinds() {
		st, err := s.standing(ctx, s.listOf(kind))
		if err != nil {
			return nil, err
		}
		if passes[kind] = st.Pass; st.Open {
			passes[kind] = 0
		}
	}
	return passes, nil
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
