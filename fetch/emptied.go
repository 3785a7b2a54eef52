package fetch

import (
	"context"
	"errors"
	"maps"
	"slices"

	"ayna/archive"
	"ayna/archive/schedule"
	"ayna/record"
)

// Where edits show, an answer that has lost content and has a newer date is an edit. But if
// more than goneAtOnce records of a list, and more than a tenth of them, lose content at
// once, the source is broken, and all of them are doubted. So such answers are kept until
// all answers of a step of the run have come.

// maxEmptiedBytes bounds the answers that are kept. If they are more, all are doubted.
const maxEmptiedBytes = 8 << 20

// A verdict is what is decided about emptied answers.
type verdict int

const (
	undecided verdict = iota // they are kept
	believed
	distrusted
)

// emptied has the answers of a step that have lost content and have a newer date. Only
// transactions change it.
type emptied struct {
	claims  map[string]emptiedClaim // by kind, id and part of their records
	bytes   int
	decided verdict
}

// An emptiedClaim is such an answer.
type emptiedClaim struct {
	record schedule.Due
	claim  claim
}

// verdict returns what is decided, and keeps the claim if nothing is.
func (e *emptied) verdict(stored *archive.Record, of claim) verdict {
	if e.decided != undecided {
		return e.decided
	}
	key := string(stored.Kind) + " " + stored.ID + " " + of.part
	if e.bytes += of.size() - e.claims[key].claim.size(); e.bytes > maxEmptiedBytes {
		return distrusted
	}
	if e.claims == nil {
		e.claims = make(map[string]emptiedClaim)
	}
	e.claims[key] = emptiedClaim{schedule.Due{Row: stored.Row, Kind: stored.Kind, ID: stored.ID}, of}
	return undecided
}

// size returns the bytes that a claim holds.
func (c claim) size() int { return len(c.json) + len(c.answer.Original.Data) }

// settleEmptied stores the answers that have lost content, or doubts them if they are too many.
func (s *syncer) settleEmptied(ctx context.Context) error {
	kept := s.emptied
	if len(kept.claims) == 0 {
		s.emptied = emptied{}
		return nil
	}
	byList := make(map[*list][]emptiedClaim)
	for _, key := range slices.Sorted(maps.Keys(kept.claims)) {
		if l := s.listOf(kept.claims[key].record.Kind); l != nil {
			byList[l] = append(byList[l], kept.claims[key])
		}
	}
	var errs []error
	for _, l := range s.lists {
		held, err := s.countHeld(ctx, l)
		records := make(map[int64]bool)
		for _, c := range byList[l] {
			records[c.record.Row] = true
		}
		s.emptied.decided = believed
		if kept.bytes > maxEmptiedBytes || len(records) > max(goneAtOnce, held/10) {
			s.emptied.decided = distrusted
		}
		for _, c := range byList[l] {
			err = errors.Join(err, s.storeClaim(ctx, l, c))
		}
		errs = append(errs, err)
	}
	s.emptied = emptied{}
	return errors.Join(errs...)
}

// storeClaim stores or doubts an answer that has lost content, as decided.
func (s *syncer) storeClaim(ctx context.Context, l *list, c emptiedClaim) error {
	if c.claim.part == record.SinglePart {
		return s.storeReplies(ctx, []reply{{c.record, c.claim.answer, nil}})
	}
	return s.update(ctx, func(tx *archive.Tx) error {
		stored, err := tx.Get(c.record.Kind, c.record.ID)
		if err != nil {
			return err
		}
		p := page{same: make(map[int64]bool)}
		_, change, err := s.storeListed(tx, l, &p, stored, c.claim)
		if errors.Is(err, errRecord) {
			s.fail(Failure{Kind: c.record.Kind, ID: c.record.ID, Operation: l.operation}, err)
			return nil
		}
		if err == nil && change == archive.Changed {
			s.tally(stored.Kind, func(c *Count) { c.Changed++; c.Unchanged-- })
		}
		return errors.Join(err, s.touch(tx, p))
	})
}
