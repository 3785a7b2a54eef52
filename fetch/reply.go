package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
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

// giantRecord is the size in bytes from which records are stored one at a time:
// storing one takes a multiple of its size in memory.
const giantRecord = 4 << 20

// A reply is what a source has answered for one record, or the error of the request.
type reply struct {
	due    schedule.Due
	answer source.Answer
	err    error
}

// has reports whether the answer holds the record.
func (r reply) has() bool { return r.err == nil && r.answer.State == source.Present }

// fetchRows requests the single records of rows and stores them.
func (s *syncer) fetchRows(ctx context.Context, rows []int64) error {
	return s.fetch(ctx, rows, func(replies []reply) error {
		var small, giants []reply
		for _, r := range replies {
			if r.err == nil {
				s.answered.Add(1)
			}
			if len(r.answer.Record)+len(r.answer.Original.Data) < giantRecord {
				small = append(small, r)
			} else {
				giants = append(giants, r)
			}
		}
		if err := s.storeReplies(ctx, small); err != nil {
			return err
		}
		for _, r := range giants {
			if err := s.storeGiant(ctx, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// storeGiant stores a record while no other worker does.
func (s *syncer) storeGiant(ctx context.Context, r reply) error {
	s.giant.Lock()
	defer s.giant.Unlock()
	defer debug.FreeOSMemory()
	if ctx.Err() != nil { // storing it takes long; the next run fetches it again
		return context.Cause(ctx)
	}
	return s.storeReplies(ctx, []reply{r})
}

// fetch requests the single records of rows, and calls use with the replies to each request.
func (s *syncer) fetch(ctx context.Context, rows []int64, use func([]reply) error) error {
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
func (s *syncer) fetchTogether(ctx context.Context, group source.Group, due []schedule.Due, use func([]reply) error) error {
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
	replies := make([]reply, len(due))
	for i, w := range due {
		answer := byID[w.ID]
		if answer.State == "" {
			answer = source.Answer{ID: w.ID, State: source.LeftOut}
		}
		replies[i] = reply{w, answer, err}
	}
	return use(replies)
}

// storeReplies stores single records, reports those that it cannot store, and schedules a retry of
// these.
func (s *syncer) storeReplies(ctx context.Context, replies []reply) error {
	errs := s.storeSingles(ctx, replies)
	for i, r := range replies {
		switch {
		case r.err != nil:
			errs[i] = r.err
		case r.answer.State == source.NoRecord:
			errs[i] = s.storeNoRecord(ctx, r.due, r.answer)
		case !r.has():
			errs[i] = notThere(r.due, r.answer)
		}
		if err := s.retry(ctx, r.due, errs[i]); err != nil {
			return err
		}
	}
	return nil
}

// retry reports why a single record was not stored, and schedules a retry. It returns the errors
// that end the run, and nil for nil.
func (s *syncer) retry(ctx context.Context, w schedule.Due, err error) error {
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

// storeSingles stores the records of replies in one transaction, or each in its own if that fails
// for one of them. It returns for each reply why its record is not stored.
func (s *syncer) storeSingles(ctx context.Context, replies []reply) []error {
	errs, claims := make([]error, len(replies)), make(map[int]claim)
	for i, r := range replies {
		if !r.has() {
			continue
		}
		of, err := s.claimOf(r.due, r.answer)
		if errs[i] = err; err == nil {
			claims[i] = of
		}
	}
	if len(claims) == 0 {
		return errs
	}
	err := s.update(ctx, func(tx *archive.Tx) (err error) {
		for i, r := range replies {
			of, has := claims[i]
			if !has {
				continue
			}
			if errs[i], err = s.storeSingle(tx, r.due, of); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && len(replies) > 1 && !isFatal(err) { // one of them cannot be stored
		for i := range replies {
			errs[i] = s.storeSingles(ctx, replies[i:i+1])[0]
		}
		return errs
	}
	for i := range claims {
		if err != nil {
			errs[i] = err
		} else if errors.Is(errs[i], database.ErrNotFound) {
			errs[i] = nil
		} else if errs[i] == nil {
			s.tally(replies[i].due.Kind, func(c *Count) { c.Fetched++ })
		}
	}
	return errs
}

// storeSingle stores a single record. It returns why the record must not be stored, or an error
// that undoes the transaction.
func (s *syncer) storeSingle(tx *archive.Tx, w schedule.Due, of claim) (refusal, err error) {
	stored, err := tx.Get(w.Kind, w.ID)
	if errors.Is(err, database.ErrNotFound) { // removed from the archive meanwhile
		return err, nil
	}
	if err == nil {
		refusal, err = s.acceptSingle(tx, stored, of)
	}
	if refusal != nil || err != nil {
		return refusal, err
	}
	now, answer := s.Now(), of.answer
	// What came in another shape, or differs from the list, is requested again as well, for more than a day.
	again := answer.Incomplete || (len(answer.Unread) > 0 || s.differsFromList(stored, answer)) && stored.Attempts < unreadTries
	isSame := string(of.json) == string(stored.Single)
	stored.Single, stored.Fetched, stored.FetchDue, stored.Recheck = of.json, now, again, false
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
	return nil, err
}

// claimOf reads an answer that has a record, or returns why it cannot be that of the record.
func (s *syncer) claimOf(w schedule.Due, answer source.Answer) (claim, error) {
	id, err := record.ID(answer.Record)
	if err != nil {
		return claim{}, fmt.Errorf("read the answer: %w", err)
	}
	if id != "" && id != w.ID {
		return claim{}, fmt.Errorf("requested %s %s and received %q: %w", w.Kind, w.ID, id, get.ErrShape)
	}
	if answer.Record, err = s.redact(answer.Record); err == nil && answer.List != nil {
		answer.List, err = s.redact(answer.List)
	}
	if err == nil {
		err = s.checkOriginal(&answer.Original)
	}
	return claim{part: record.SinglePart, json: answer.Record, unread: slices.Concat(answer.Unread, answer.Lacking), answer: answer}, err
}
