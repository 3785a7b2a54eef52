package fetch

import (
	"context"
	"errors"
	"fmt"

	"ayna/archive"
	"ayna/archive/schedule"
	"ayna/record"
	"ayna/source"
)

// A record is gone if a complete pass over its list has not seen it and the source says so
// of this very id, see proof.go. If more than goneAtOnce records of a list, and more than a
// tenth of them, disappear at once, nothing is deleted.
const goneAtOnce = 10

// complete ends a pass, and asks for the records that it has not seen.
func (s *syncer) complete(ctx context.Context, l *list, w walk) error {
	l.Phase, l.Complete, l.Ended = head, l.Pass.Began, s.Now().UTC()
	l.Pass.Full, l.Pass.Fallback, l.Pass.Skip = false, false, 0
	if !l.Cursor.IsZero() && l.Complete.After(l.Cursor) {
		l.Cursor = l.Complete
	}
	l.agree()
	if l.isSearch() {
		l.Size, l.Added = l.Size+l.Added, 0
		return s.save(ctx, l)
	}
	held, err := s.countHeld(ctx, l)
	if err != nil {
		return err
	}
	l.Size, l.Added = held, 0
	unseen, err := s.unseenRows(ctx, l)
	if err != nil {
		return err
	}
	if l.unsettled() || s.facts.NewestOnly || s.lacksSome(l, w, held-len(unseen)) {
		return s.save(ctx, l)
	}
	switch {
	case len(unseen) > 0 && len(unseen) == held && !l.mayBeEmpty && held > s.AllowDelete:
		s.fail(Failure{Kind: l.kinds[0], Operation: l.operation}, suddenlyEmpty(held))
		return s.save(ctx, l)
	case len(unseen) > 0 && w.repeats > 1 && w.before.received >= s.PageSize:
		return fmt.Errorf("%w: the list %s ignores $skip, and %d known records are not on its only page", ErrShape, l.operation, len(unseen))
	}
	l.Unconfirmed = len(unseen) > 0
	err = s.update(ctx, func(tx *archive.Tx) error {
		for _, kind := range l.kinds {
			if err := tx.Schedule.ClearAbsence(kind, l.seenFrom()); err != nil {
				return err
			}
		}
		return l.save(tx)
	})
	if err != nil {
		return err
	}
	if !l.Unconfirmed {
		s.tally(l.kinds[0], func(c *Count) { c.Withheld = 0 })
		return nil
	}
	return s.confirmMissing(ctx, l)
}

// lacksSome reports whether a pass has seen fewer records than the list says that it has: it
// is not complete then, and its absences prove nothing. That is a failure when it shows first,
// and when more are lacking. stored is how many records of the archive the pass has seen. A
// pass that an earlier run has begun shows no difference.
func (s *syncer) lacksSome(l *list, w walk, stored int) bool {
	if !w.fromTop || l.promised == 0 {
		return false
	}
	short := max(0, l.promised-max(len(w.read), stored+len(w.left)))
	if short > l.Short {
		s.fail(Failure{Kind: l.kinds[0], Operation: l.operation},
			fmt.Errorf("the list has %d records fewer than the %d that it counts; the missing ones stay", short, l.promised))
	}
	l.Short = short
	return short > 0
}

// unseenRows returns the rows of the records that the latest passes have not seen.
func (s *syncer) unseenRows(ctx context.Context, l *list) ([]int64, error) {
	var rows []int64
	for _, kind := range l.kinds {
		some, err := rowsOf(s.archive.Schedule.Unseen(ctx, kind, l.seenFrom()), func(schedule.Due) bool { return true })
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	return rows, nil
}

// countHeld returns the number of a list's records in the archive.
func (s *syncer) countHeld(ctx context.Context, l *list) (held int, err error) {
	for _, kind := range l.kinds {
		n, err := checked(s.archive.Catalog.Count(ctx, kind))
		if err != nil {
			return 0, err
		}
		held += n
	}
	return held, nil
}

// confirmMissing asks for each record that the latest complete pass has not seen, unless
// these are too many. If the budget ends it, or a record has to be asked for once more, the
// next run continues: records that were asked for are marked as gone or as seen.
func (s *syncer) confirmMissing(ctx context.Context, l *list) error {
	unseen, err := s.unseenRows(ctx, l)
	if err != nil {
		return err
	}
	if l.isOfNames(s.facts) {
		l.Unconfirmed = false // only the list's next pass says more
		return errors.Join(s.retireNames(ctx, unseen), s.save(ctx, l))
	}
	prover, ok := s.source.(source.Prover)
	if ok {
		if unseen, err = s.ofListedTypes(ctx, prover, l, unseen); err != nil {
			return err
		}
	}
	held, err := s.countHeld(ctx, l)
	if err != nil {
		return err
	}
	withheld := 0
	if len(unseen) > max(goneAtOnce, held/10, s.AllowDelete) {
		withheld = len(unseen)
	}
	s.tally(l.kinds[0], func(c *Count) { c.Withheld = withheld })
	switch {
	case withheld > 0:
		return nil
	case ok:
		l.Unconfirmed, err = s.prove(ctx, prover, l, unseen)
	default:
		l.Unconfirmed, err = false, s.fetch(ctx, unseen, func(replies []reply) error {
			for _, r := range replies {
				if err := s.confirmGone(ctx, r, l.Pass.Number); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	return s.save(ctx, l)
}

// awaitsPass reports whether a record whose own address answers 404 or 410 waits for the
// next pass over its list, which shows whether it is gone. It does not wait if a list has
// shown it in this run or since the attempt before.
func (s *syncer) awaitsPass(stored *archive.Record) bool {
	if !stored.Listed.Before(s.began) {
		return false
	}
	return stored.Attempts == 0 || !stored.Listed.After(stored.RetryAt.Add(-backoff(stored.Attempts-1)))
}

// confirmGone takes the answer for a record that its list no longer shows, of a source that
// is asked for the whole record.
func (s *syncer) confirmGone(ctx context.Context, r reply, pass int) error {
	w, answer, err := r.due, r.answer, r.err
	switch {
	case err == nil && answer.State == source.Gone:
		return s.markGone(ctx, w)
	case err == nil && answer.State == source.Present:
		// The record exists: the list was moving, or does not show everything.
		if err = s.storeSingles(ctx, []reply{r})[0]; err == nil || errors.Is(err, errOutdated) || errors.Is(err, errDoubted) {
			return s.markSeen(ctx, w, pass)
		}
	case err == nil && answer.State == source.LeftOut:
		return nil // it says nothing of this id
	case err == nil:
		err = notThere(w, answer)
	}
	if isFatal(err) || isBudget(err) {
		return err
	}
	s.fail(Failure{Kind: w.Kind, ID: w.ID, Operation: string(record.Groups[w.Kind])}, err)
	return nil
}

// markGone marks a record as gone. The items of a folder that only single records show are
// fetched again.
func (s *syncer) markGone(ctx context.Context, w schedule.Due) error {
	s.tally(w.Kind, func(c *Count) { c.Gone++ })
	return s.update(ctx, func(tx *archive.Tx) error {
		err := tx.MarkGone(w.Kind, w.ID, s.Now())
		if w.Kind == record.Folder && s.facts.Brief {
			err = errors.Join(err, tx.Schedule.RecheckIn(w.Paths[0]))
		}
		return err
	})
}

// markSeen marks a record as one that the pass has seen: the source has it.
func (s *syncer) markSeen(ctx context.Context, w schedule.Due, pass int) error {
	return s.update(ctx, func(tx *archive.Tx) error {
		_, err := tx.Schedule.ClearDoubt(w.Row, record.ListPart)
		return errors.Join(tx.Schedule.MarkSeen(w.Kind, w.ID, pass), err)
	})
}
