package fetch

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"time"

	"ayna/archive/schedule"
)

// Single records are fetched again on a schedule that slows down with their age, since
// their list record does not change with the text. These requests and later passes over
// whole lists share a fifth of a run's requests, after those for new records. Editorial
// pages have a schedule of their own, outside of that share: their news change often.
const (
	minPageRecheck = time.Hour
	maxPageRecheck = 6 * time.Hour

	// unreadTries is how often a single record is stored of which some content is unread, or that
	// differs from its list record, and fetched again: with the back-off for more than a day.
	unreadTries = 6
)

// fetchSingles fetches the single records that are new or changed, newest first, and
// after them those that are overdue to be fetched again, or have no original.
func (s *syncer) fetchSingles(ctx context.Context) error {
	rows, err := s.dueRows(ctx, s.Now())
	if err != nil {
		return err
	}
	waiting := len(rows)
	most := max(0, s.relistBudget.Load()) + s.recheckBudget // the latter is 0 without a limit
	if left, limited := s.quota.allowance(s.Now()); limited {
		most = min(most, int64(left-len(rows)))
	}
	overdue, err := s.overdueRows(ctx, most)
	if err != nil {
		return err
	}
	rows = append(rows, overdue...)
	before, err := s.rowsWithoutOriginal(ctx)
	if err != nil {
		return err
	}
	if err := s.fetchAll(ctx, append(rows, before...)); err != nil {
		return err
	}
	return s.noteStarved(ctx, waiting > 0 && s.answered.Load() == 0 && s.outOfBudget() != nil)
}

func (s *syncer) fetchAll(ctx context.Context, rows []int64) error {
	return sideBySide(ctx, s, "fetch", rows, s.facts.Bulk, func() bool { return s.outOfBudget() == nil }, s.fetchRows)
}

// dueRows returns the rows of the records whose single record is due at the time now and
// that the site shows, at times a million.
func (s *syncer) dueRows(ctx context.Context, now time.Time) ([]int64, error) {
	return rowsOf(s.archive.Schedule.Due(ctx, now, maxBackoff), func(w schedule.Due) bool {
		l := s.listOf(w.Kind)
		return l != nil && !l.isClosed && s.wants(w.Kind, w.Paths)
	})
}

// rowsOf returns the rows of the records that keep accepts.
func rowsOf(records iter.Seq2[schedule.Due, error], keep func(schedule.Due) bool) (rows []int64, err error) {
	for w, err := range records {
		if err != nil {
			return nil, inArchive(err)
		}
		if keep(w) {
			rows = append(rows, w.Row)
		}
	}
	return rows, nil
}

// reserveRechecks reserves up to half of relistBudget for single records that are
// overdue, which passes over long lists would use up.
func (s *syncer) reserveRechecks(ctx context.Context) error {
	share := s.relistBudget.Load()
	if share == math.MaxInt64 || s.facts.EditsShow {
		return nil // there is no limit
	}
	rows, err := s.overdueRows(ctx, share/2)
	if err != nil {
		return err
	}
	s.recheckBudget = int64(len(rows))
	s.relistBudget.Add(-s.recheckBudget)
	return nil
}

// overdueRows returns the rows of up to most records that are overdue and that the site
// shows, longest overdue first, relative to the interval of each, so that a large
// archive slows all down alike. Records that the latest pass has not seen are left to
// confirmMissing.
func (s *syncer) overdueRows(ctx context.Context, most int64) ([]int64, error) {
	type due struct {
		row  int64
		late float64
	}
	var all []due
	now := s.Now()
	for _, every := range schedule.Intervals {
		n := int64(0)
		if most <= 0 || s.facts.EditsShow {
			break
		}
		for w, err := range s.archive.Schedule.Overdue(ctx, every, now) {
			if err != nil {
				return nil, inArchive(err)
			}
			l := s.listOf(w.Kind)
			if l == nil || l.isClosed || (!l.isOpen() && w.Pass < l.Pass.Number) || !s.wants(w.Kind, w.Paths) {
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
