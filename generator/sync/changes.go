package sync

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// filterOverlap is how far before the last run changes are asked for: it covers
// clocks that differ and the hour that summer time repeats.
const filterOverlap = 2 * time.Hour

// changes reads what has changed since the last run, by a filter on the date
// of modification. It reports whether the filter works: each time the answer
// must hold a record that is known to match, and none that does not.
func (s *syncer) changes(ctx context.Context, l listing, st *standing) (bool, error) {
	if !hasModified(l.kind) || st.Complete.IsZero() || st.Head > 0 || (st.Swamped && st.Open) || (st.Filter == noFilter && s.now().Sub(st.Tried) < filterAgain) {
		return false, nil
	}
	latest, err := s.archive.LatestModified(ctx, l.kind, filterKnown, s.now())
	if err != nil {
		return false, fmt.Errorf("%w: %w", errArchive, err)
	}
	if latest = latest.Truncate(time.Second); latest.IsZero() {
		return false, nil // where all dates are to come, everything matches
	}
	since := st.since(latest)
	known, err := s.archive.ModifiedSince(ctx, l.kind, since)
	if err != nil {
		return false, fmt.Errorf("%w: %w", errArchive, err)
	}
	if st.Filter == "" && s.source.before(dateFilter) == noFilter {
		return false, s.unfiltered(ctx, l, st)
	}
	for _, form := range s.forms(st) {
		verdict := honoured
		if st.Filter != form.name && since.Before(latest) {
			verdict, err = s.try(ctx, l, form, latest)
		}
		if verdict == honoured && err == nil {
			verdict, err = s.readChanges(ctx, l, st, form.write(since), since, known)
		}
		switch {
		case err != nil:
			return false, err
		case verdict == unclear || verdict == endless:
			return false, nil
		case verdict == honoured:
			st.Filter = form.name
			s.sawFilter(l, form.name)
			return true, s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
		}
		if verdict == ignored { // in every form, then
			break
		}
	}
	s.sawFilter(l, noFilter)
	return false, s.unfiltered(ctx, l, st)
}

// since returns from when on changes are asked for: what changed before was seen
// by the last run, or by the pass before the first use of a filter. It is far
// enough back for the latest records that are known to match.
func (st *standing) since(latest time.Time) time.Time {
	seen := st.Cursor
	if seen.IsZero() {
		seen = st.Complete
	}
	if since := seen.Add(-filterOverlap).UTC().Truncate(time.Second); since.Before(latest) {
		return since
	}
	return latest
}

// mostChanges is how many pages of changes are taken. If there are more, a pass
// over the whole list is the better way.
const mostChanges = 40

// readChanges reads the answer to a filter, page by page. known are the ids of
// records that match: one must be in the answer. Nothing is kept before the
// whole answer has proved right: part of it would pass for the head of the list.
func (s *syncer) readChanges(ctx context.Context, l listing, st *standing, filter client.Filter, since time.Time, known map[string]bool) (verdict, error) {
	var batches []client.Batch
	found, news, whole := false, false, false
	w := walk{size: s.PageSize, uneven: true} // pages may be shorter than those of the list were
	before := min(st.Page, s.PageSize)        // how long they were, and then the last one
	for !w.end && !whole {
		if len(batches) == mostChanges {
			return endless, s.swamp(ctx, l, st, batches[0].Date)
		}
		batch, verdict, err := s.filtered(ctx, l, filter, w.skip)
		if spent(err) && len(batches) > 1 {
			return refused, errors.Join(err, s.swamp(ctx, l, st, batches[0].Date)) // so much is not for a budget like this
		}
		if verdict != honoured || err != nil {
			return verdict, err
		}
		answer, holds, matches := compare(batch, since, known, &w)
		if !matches {
			return ignored, nil
		}
		// A form that has proved right before may show what has replaced all that is known.
		found = found || holds || (st.Filter != noFilter && st.Filter != "" && answer.received > 0)
		if !news {
			if news, err = s.hasNews(ctx, l.kind, batch); err != nil {
				return refused, err
			}
		}
		batches = append(batches, batch)
		repeated, short := w.overlap, answer.received < before
		before = answer.received
		if !w.step(answer) {
			continue
		}
		// What comes last only repeats the end of the page before it. To ask for that is
		// in vain if all that is known to match has come, and nothing else.
		whole = (answer.unseen == 0 && answer.received <= repeated) || (short && !news && w.read.hasAll(known))
	}
	if !found {
		return refused, nil
	}
	return honoured, s.keepChanges(ctx, l, st, batches)
}

// hasNews reports whether a page shows a record otherwise than the archive holds
// it.
func (s *syncer) hasNews(ctx context.Context, kind archive.Kind, batch client.Batch) (bool, error) {
	for _, raw := range batch.Records {
		id, err := wire.ID(raw)
		if err != nil || id == "" || s.forgotten[kind][id] {
			continue // it is not kept
		}
		if raw, err = s.redaction.Apply(raw); err != nil {
			continue
		}
		switch record, err := s.archive.Get(context.WithoutCancel(ctx), kind, id); {
		case errors.Is(err, archive.ErrNotFound):
			return true, nil
		case err != nil:
			return false, fmt.Errorf("%w: %w", errArchive, err)
		case string(record.List) != string(raw):
			return true, nil
		}
	}
	return false, nil
}

// swamp turns to the list, since more has changed than a filter is worth: to
// its head now, and to all of it as the budget allows. After that the filter is
// asked for what changed from now on, by the source's clock.
func (s *syncer) swamp(ctx context.Context, l listing, st *standing, now time.Time) error {
	if st.Swamped = true; !st.Open {
		st.open(s.now())
	}
	st.Cursor = time.Time{}
	st.advance(now, s.now())
	st.Cursor = st.Cursor.Add(filterOverlap)
	return s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
}

// keepChanges commits an answer that has proved right.
func (s *syncer) keepChanges(ctx context.Context, l listing, st *standing, batches []client.Batch) error {
	var sum page
	err := s.update(ctx, func(tx *archive.Tx) error {
		for _, batch := range batches {
			p, err := l.store(tx, batch, st.Pass)
			if err != nil {
				return err
			}
			sum.added, sum.changed, sum.same = sum.added+p.added, sum.changed+p.changed, sum.same+p.same
		}
		st.advance(batches[0].Date, s.now())
		st.Skip += sum.added
		return s.grow(tx, l, st, sum.added, 0)
	})
	if err != nil {
		return err
	}
	s.count(l.kind, sum.added, sum.changed, sum.same)
	return st.endless()
}

// advance moves the cursor to the date of an answer, by the clock here if it has
// none. One that a swamped filter has set ahead stays until then.
func (st *standing) advance(date, now time.Time) {
	if date.IsZero() {
		date = now
	}
	if ahead := st.Cursor.Sub(date); ahead <= 0 || ahead > filterOverlap {
		st.Cursor = date.UTC()
	}
}
