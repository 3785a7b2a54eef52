package fetch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/source"
)

// An unstable list changes its order between requests (replicas that sort differently,
// SQL without ORDER BY). A pass shows some of its records twice and misses others. It is
// read again until EnoughPasses passes in a row have found nothing new. A record counts
// as missing only if none of these passes has seen it. The list is stable again once a
// pass shows a stable order and nothing new.
const (
	// EnoughPasses is the number of passes in a row without new records after which an
	// unstable list counts as known.
	EnoughPasses = 3
	// maxPasses is the most passes over an unstable list in a run.
	maxPasses = 12
)

// agree counts a complete pass that found nothing new, or resets the count.
func (st *listState) agree() {
	switch {
	case st.Pass.Brought:
		st.Agreed = nil
	case !st.Pass.Mixed:
		st.Unstable, st.Agreed = false, nil
	default:
		st.Agreed = append(st.Agreed, st.Pass.Number)
		st.Agreed = st.Agreed[max(0, len(st.Agreed)-EnoughPasses):]
	}
}

// unsettled reports whether an unstable list may still have unknown records.
func (st *listState) unsettled() bool { return st.Unstable && len(st.Agreed) < EnoughPasses }

// seenFrom returns the number of the first pass that counts: a record that it or a
// later pass has seen is not missing.
func (st *listState) seenFrom() int {
	if len(st.Agreed) > 0 {
		return st.Agreed[0]
	}
	return st.Pass.Number
}

// readPasses continues the open pass over a list, and makes more of them while the
// list is unsettled and the limits allow it.
func (s *syncer) readPasses(ctx context.Context, l *list) error {
	for range maxPasses {
		if !l.isOpen() && l.unsettled() {
			l.open(s.Now())
		}
		if !l.isOpen() {
			return nil
		}
		if err := s.readPass(ctx, l); err != nil || l.isOpen() {
			return err
		}
	}
	return nil
}

// A broken or hostile source may invent new records for ever. A list that exceeds its
// limit is given up: the records that are new since the latest complete pass become
// provisional, so that the site does not show them. Every relistEvery the position at the limit
// is read. Once the list ends before it, the list is read again, which restores the
// records that it still shows.
const (
	maxFirstLimit = 2_000_000 // the limit of a list of unknown size
	minLimit      = 10_000    // the limit of a small list
	maxGrowth     = 4         // how many times its size a list may grow to between two complete passes
)

// errEndless ends a pass over a list that exceeds its limit.
var errEndless = errors.New("the list does not end")

// limit returns how many records a list may have.
func (s *syncer) limit(l *list) int {
	switch {
	case s.MaxRecords > 0:
		return s.MaxRecords
	case l.Complete.IsZero():
		return maxFirstLimit
	}
	return max(minLimit, maxGrowth*l.Size)
}

// countNew counts new records and saves the state of the list. It gives the list up if
// its records, or the position that the pass has reached, exceed the limit.
func (s *syncer) countNew(tx *archive.Tx, l *list, added, reach int) error {
	l.Added += added
	limit := s.limit(l)
	if reach <= limit && (added == 0 || l.Size+l.Added <= limit) {
		return l.save(tx)
	}
	for _, kind := range l.kinds { // hits of a search without a record are not shown
		if err := tx.Schedule.MarkProvisional(kind, l.Ended); err != nil {
			return err
		}
	}
	l.Limit, l.GivenUp = limit, s.Now().UTC()
	l.Phase, l.Pass, l.Head = head, pass{Number: l.Pass.Number, Began: l.GivenUp}, 0
	return l.save(tx)
}

// endless returns the error of a list that was given up.
func (st *listState) endless() error {
	if st.Limit == 0 {
		return nil
	}
	return fmt.Errorf("%w: it exceeds %d records (%d were known); new ones are not shown until the list ends within its limit; "+
		"if it is really that long, raise source.max_records", errEndless, st.Limit, st.Size)
}

// isWithinLimit reports whether a list may be read. It reads the position at the limit of a
// list that was given up, every relistEvery, and reports true if nothing new is there.
func (s *syncer) isWithinLimit(ctx context.Context, l *list) (bool, error) {
	if l.Limit == 0 {
		return true, nil
	}
	limit, since := s.limit(l), s.Now().Sub(l.GivenUp)
	if limit == l.Limit && since >= 0 && since < relistEvery && !s.Full {
		return false, nil
	}
	w, ends := s.newWalk(l), false
	w.skip = limit
	for range 2 { // the first page after the end may repeat another one
		if !s.takeRelist() {
			return false, nil
		}
		batch, err := s.nextPage(ctx, l, &w)
		if err != nil {
			return false, err
		}
		p := w.pageOf(batch)
		if ends = p.unseen == 0; ends {
			break
		}
		w.step(p)
	}
	l.Limit, l.GivenUp = limit, s.Now().UTC()
	if ends { // the next pass is due at once
		l.Limit, l.Added, l.Pass.Began = 0, 0, time.Time{}
	}
	return ends, s.save(ctx, l)
}

// pageOf sums up a page that is not stored.
func (w *walk) pageOf(batch source.Batch) page {
	p := page{received: len(batch.Records) + batch.Skipped, last: batch.Last, joins: w.read == nil}
	for _, raw := range batch.Records {
		id, err := record.ID(raw)
		if err != nil || id == "" {
			id = string(raw)
		}
		if !w.read.has(id) {
			p.unseen++
		}
		p.ids = append(p.ids, id)
	}
	return p
}

// reportIrregular reports a list that was given up, or whose order changes.
func (s *syncer) reportIrregular(l *list) {
	if err := l.endless(); err != nil {
		s.fail(Failure{Operation: l.operation}, err)
	}
	if l.unsettled() {
		s.fail(Failure{Operation: l.operation}, fmt.Errorf("the list changes its order between requests, so records may be missing; "+
			"%d of %d passes in a row have found nothing new; later runs continue", len(l.Agreed), EnoughPasses))
	}
}
