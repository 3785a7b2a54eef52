package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/archive/schedule"
	"ayna/record"
	"ayna/source"
	"ayna/source/get"
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
	// giantRecord is the size in bytes from which records are stored one at a time:
	// storing one takes a multiple of its size in memory.
	giantRecord = 4 << 20
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

// fetchRows requests the single records of rows and stores them.
func (s *syncer) fetchRows(ctx context.Context, rows []int64) error {
	return s.fetch(ctx, rows, func(w schedule.Due, answer source.Answer, err error) error {
		if len(answer.Record)+len(answer.Original.Data) >= giantRecord {
			s.giant.Lock()
			defer s.giant.Unlock()
			defer debug.FreeOSMemory()
			if ctx.Err() != nil { // storing it takes long; the next run fetches it again
				return context.Cause(ctx)
			}
		}
		if err == nil {
			s.answered.Add(1)
		}
		return s.storeAnswer(ctx, w, answer, err)
	})
}

// fetch requests the single records of rows, and calls use for each of them with its answer,
// or with the error of the request.
func (s *syncer) fetch(ctx context.Context, rows []int64, use func(schedule.Due, source.Answer, error) error) error {
	groups := make(map[source.Group][]schedule.Due)
	for _, row := range rows {
		w, err := checked(s.archive.Schedule.At(context.WithoutCancel(ctx), row))
		if err != nil {
			return err
		}
		group := s.groupOf(w.Kind)
		groups[group] = append(groups[group], w)
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		for due := range slices.Chunk(groups[group], s.facts.Bulk) {
			if err := s.fetchTogether(ctx, group, due, use); err != nil {
				return err
			}
		}
	}
	return nil
}

// groupOf returns the group by whose operation the records of a kind are fetched.
func (s *syncer) groupOf(kind record.Kind) source.Group {
	if l := s.listOf(kind); l != nil {
		return l.group
	}
	return source.Group(record.Groups[kind])
}

// fetchTogether requests records with one call. If the source fails on one of them, it halves
// them until that one is alone.
func (s *syncer) fetchTogether(ctx context.Context, group source.Group, due []schedule.Due, use func(schedule.Due, source.Answer, error) error) error {
	ids := make([]string, len(due))
	for i, w := range due {
		ids[i] = w.ID
	}
	answers, err := s.answersTo(ctx, group, ids)
	if err != nil && len(due) > 1 && !isFatal(err) && !isBudget(err) {
		half := len(due) / 2
		if err := s.fetchTogether(ctx, group, due[:half], use); err != nil {
			return err
		}
		return s.fetchTogether(ctx, group, due[half:], use)
	}
	byID := make(map[string]source.Answer)
	for _, answer := range answers {
		byID[answer.ID] = answer
	}
	for _, w := range due {
		answer := byID[w.ID]
		if answer.State == "" {
			answer = source.Answer{ID: w.ID, State: source.LeftOut}
		}
		if err := use(w, answer, err); err != nil {
			return err
		}
	}
	return nil
}

// storeAnswer stores a single record, or reports why it cannot and schedules a retry.
func (s *syncer) storeAnswer(ctx context.Context, w schedule.Due, answer source.Answer, err error) error {
	switch {
	case err != nil:
	case answer.State == source.Present:
		err = s.storeSingle(ctx, w, answer)
	case answer.State == source.NoRecord:
		err = s.storeNoRecord(ctx, w, answer)
	default:
		err = notThere(w, answer)
	}
	failure := Failure{Kind: w.Kind, ID: w.ID, Operation: string(record.Groups[w.Kind])}
	switch {
	case err == nil || isFatal(err):
		return err
	case isBudget(err):
		s.stopForBudget(err)
		return nil
	case errors.Is(err, errDoubted): // doubt has scheduled the retry
		if d := (*doubtError)(nil); errors.As(err, &d) && d.isNew {
			s.fail(failure, err)
		}
		return nil
	}
	awaits := false
	postponed := s.update(ctx, func(tx *archive.Tx) error {
		stored, getErr := tx.Get(w.Kind, w.ID)
		if getErr != nil {
			return getErr
		}
		awaits = errors.Is(err, get.ErrNotFound) && s.awaitsPass(stored)
		return s.postpone(tx, stored, time.Time{})
	})
	switch {
	case awaits:
		s.tally(w.Kind, func(c *Count) { c.Missing++ })
	case !errors.Is(err, errUnchanged): // an unchanged record may be right
		s.fail(failure, err)
	}
	return postponed
}

// notThere returns the error of an answer without a record.
func notThere(w schedule.Due, answer source.Answer) error {
	if answer.Err != nil {
		return answer.Err
	}
	return fmt.Errorf("%s %s: %w", w.Kind, w.ID, get.ErrNotFound)
}

// storeSingle stores the answer to a request for a single record.
func (s *syncer) storeSingle(ctx context.Context, w schedule.Due, answer source.Answer) error {
	id, err := record.ID(answer.Record)
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if id != "" && id != w.ID {
		return fmt.Errorf("requested %s %s and received %q: %w", w.Kind, w.ID, id, get.ErrShape)
	}
	raw, err := s.redact(answer.Record)
	if err == nil && answer.List != nil {
		answer.List, err = s.redact(answer.List)
	}
	if err == nil {
		err = s.checkOriginal(&answer.Original)
	}
	if err != nil {
		return err
	}
	now := s.Now()
	answer.Record = raw
	of := claim{part: record.SinglePart, json: raw, unread: slices.Concat(answer.Unread, answer.Lacking), answer: answer}
	var refusal error
	err = inArchive(s.archive.Update(context.WithoutCancel(ctx), func(tx *archive.Tx) error {
		stored, err := tx.Get(w.Kind, w.ID)
		if err != nil {
			return err
		}
		if refusal, err = s.acceptSingle(tx, stored, of); refusal != nil || err != nil {
			return err
		}
		// What came in another shape, or differs from the list, is requested again as well, for more than a day.
		again := answer.Incomplete || (len(answer.Unread) > 0 || s.differsFromList(stored, answer)) && stored.Attempts < unreadTries
		isSame := string(raw) == string(stored.Single)
		stored.Single, stored.Fetched, stored.FetchDue, stored.Recheck = raw, now, again, false
		if !again {
			stored.Attempts, stored.RetryAt = 0, time.Time{}
		}
		if isSame { // and so is the metadata, which is derived from the JSON
			err = tx.Touch(stored)
		} else {
			_, err = s.put(tx, stored, now)
		}
		if err == nil && answer.Original.Data != nil {
			err = tx.Originals.Keep(s.originalOf(answer.Original, w.Kind, w.ID, now, answer.Notes), isSame)
		}
		if err == nil && again {
			err = s.postpone(tx, stored, time.Time{})
		}
		return err
	}))
	switch {
	case errors.Is(err, database.ErrNotFound):
		return nil // removed from the archive meanwhile
	case err != nil:
		return err
	case refusal == nil:
		s.tally(w.Kind, func(c *Count) { c.Fetched++ })
	}
	return refusal
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
