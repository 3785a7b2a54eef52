package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/client"
	"ayna/record"
	"ayna/source"
	"ayna/source/get"
)

const (
	// filterOverlap is how far a filter reaches back before the cursor. It covers clocks
	// that differ and the hour that the end of summer time repeats.
	filterOverlap = 2 * time.Hour
	// filterKnown is the least number of known records that a filter must match: the
	// newest one alone may be gone by now.
	filterKnown = 3
	// filterAgain is the time until a filter that did not work is tried again: all records
	// known to match may have been gone.
	filterAgain = 24 * time.Hour
	// maxChangePages is the number of pages of changes beyond which a pass over the whole
	// list is cheaper.
	maxChangePages = 40
	// maxChangeBytes bounds the changes that are held before they are stored, but for the
	// latest page.
	maxChangeBytes = 8 << 20
	// dateFilter is how a list that supports a filter by date is saved, and noFilter how
	// one that does not.
	dateFilter = "Datetime'…'"
	noFilter   = "none"
)

// readChanges reads the records that changed since the latest run, by a filter on
// ModifiedDate, and reports whether the filter works. Every answer is checked: it must
// hold a record that is known to match, and none that does not match.
func (s *syncer) readChanges(ctx context.Context, l *list) (bool, error) {
	if !l.dated || l.Complete.IsZero() || l.Head > 0 || (l.Pass.Fallback && l.isOpen()) ||
		(l.Filter == noFilter && s.Now().Sub(l.Tried) < filterAgain) {
		return false, nil
	}
	if s.facts.SinceIsWhole {
		result, err := s.readMatches(ctx, l, l.seenUntil().Add(-filterOverlap).UTC().Truncate(time.Second), nil)
		return result == works, err
	}
	kind := l.kinds[0]
	latest, err := checked(s.archive.Schedule.LatestModified(ctx, kind, filterKnown, s.Now()))
	if err != nil {
		return false, err
	}
	if latest = latest.Truncate(time.Second); latest.IsZero() {
		return false, nil // all dates are in the future, so everything matches
	}
	since := l.changedSince(latest)
	known, err := checked(s.archive.Schedule.ModifiedSince(ctx, kind, since))
	if err != nil {
		return false, err
	}
	result := works
	if l.Filter != dateFilter && since.Before(latest) {
		result, err = s.tryFilter(ctx, l, latest)
	}
	if result == works && err == nil {
		result, err = s.readMatches(ctx, l, since, known)
	}
	if err != nil || result == unclear {
		return false, err
	}
	if l.Filter = dateFilter; result != works {
		l.Filter, l.Tried = noFilter, s.Now().UTC()
	}
	return result == works, s.save(ctx, l)
}

// changedSince returns the date for the filter. Earlier changes were seen by the latest
// run, or by the pass before the first use of a filter. The date is at most latest, so
// that known records match.
func (st *listState) changedSince(latest time.Time) time.Time {
	if since := st.seenUntil().Add(-filterOverlap).UTC().Truncate(time.Second); since.Before(latest) {
		return since
	}
	return latest
}

// seenUntil returns the time of the source's clock before which all changes are known.
func (st *listState) seenUntil() time.Time {
	if st.Cursor.IsZero() {
		return st.Complete
	}
	return st.Cursor
}

// filterResult is the conclusion from an answer to a filter.
type filterResult int

const (
	useless filterResult = iota // an error, an empty answer, or records that do not match
	unclear                     // no answer, a server error, or too many changes
	works                       // records that match, and no others
)

// fetchFiltered requests a page of the answer to a filter. If it fails, the result is
// the conclusion from that, or the error ends the pass.
func (s *syncer) fetchFiltered(ctx context.Context, l *list, since time.Time, skip int) (source.Batch, filterResult, error) {
	batch, err := s.fetchList(ctx, l, source.Query{Top: s.PageSize, Skip: skip, Since: since, Known: l.seenUntil()})
	if errors.Is(err, get.ErrForbidden) && !s.facts.SinceIsWhole { // a firewall may reject the filter
		return batch, useless, nil
	}
	if err = s.classify(ctx, err); err == nil {
		return batch, works, nil
	}
	switch status := statusOf(err); {
	case isFatal(err) || isBudget(err):
		return batch, useless, err
	case status == 0 || status > http.StatusInternalServerError:
		return batch, unclear, nil
	}
	return batch, useless, nil
}

// tryFilter tries an unproven filter with the latest date, for which a source that ignores
// the filter shows itself on the first page. With an earlier date many pages may match.
func (s *syncer) tryFilter(ctx context.Context, l *list, latest time.Time) (filterResult, error) {
	batch, result, err := s.fetchFiltered(ctx, l, latest, 0)
	if result != works || err != nil {
		return result, err
	}
	if answer, _, matches := checkMatches(batch, latest, nil, new(walk)); !matches || answer.received == 0 {
		return useless, nil
	}
	return works, nil
}

// checkMatches compares an answer with its filter. It returns the page for the walk, and
// reports whether the page holds a known record and whether all its records match.
func checkMatches(batch source.Batch, since time.Time, known map[string]bool, w *walk) (p page, holds, matches bool) {
	p = w.pageOf(batch)
	for _, raw := range batch.Records {
		var r client.Article
		if err := json.Unmarshal(raw, &r); err != nil {
			continue
		}
		if changed := r.ModifiedDate; !changed.IsZero() && !changed.Floating && changed.Before(since) {
			return p, false, false
		}
		holds = holds || known[r.ID]
	}
	return p, holds, true
}

// readMatches reads the answer to a filter, page by page. known has the ids of records
// that match, of which the answer must hold one. Nothing is stored before the whole
// answer is checked: a part of it would be mistaken for the head of the list.
func (s *syncer) readMatches(ctx context.Context, l *list, since time.Time, known map[string]bool) (filterResult, error) {
	var batches []source.Batch
	held := 0 // bytes
	matched, news, whole := false, false, false
	w := walk{size: s.PageSize, shortPages: true} // pages may be shorter than those of the list
	before := min(l.PageSize, s.PageSize)         // records on a page of the list, then on the latest page
	for !w.end && !whole {
		if len(batches) == maxChangePages || held > maxChangeBytes {
			return unclear, s.fallBackToList(ctx, l, batches[0].Date)
		}
		batch, result, err := s.fetchFiltered(ctx, l, since, w.skip)
		if isBudget(err) && len(batches) > 1 { // the budget is too small for so many changes
			return useless, errors.Join(err, s.fallBackToList(ctx, l, batches[0].Date))
		}
		if result != works || err != nil {
			return result, err
		}
		answer, holds, matches := checkMatches(batch, since, known, &w)
		if !matches {
			return useless, nil
		}
		// All known records may be gone: any record will do if the filter has worked before.
		matched = matched || holds || (l.Filter == dateFilter && answer.received > 0) || s.facts.SinceIsWhole
		if !news {
			if news, err = s.hasNews(ctx, l, batch); err != nil {
				return useless, err
			}
		}
		batches = append(batches, batch)
		for _, raw := range batch.Records {
			held += len(raw)
		}
		repeated, short := w.overlap, answer.received < before
		before = answer.received
		if w.step(answer) {
			// Skip the last page, which only repeats, if it can bring nothing new.
			whole = (answer.unseen == 0 && answer.received <= repeated) || (short && !news && w.read.hasAll(known))
		}
	}
	if !matched {
		return useless, nil
	}
	return works, s.storeChanges(ctx, l, batches)
}

// hasNews reports whether a page has a record that is new or differs from the archive.
func (s *syncer) hasNews(ctx context.Context, l *list, batch source.Batch) (bool, error) {
	for _, raw := range batch.Records {
		id, err := record.ID(raw)
		if err != nil || id == "" || s.isForgotten(l, id) {
			continue // it is not stored
		}
		if raw, err = s.redact(raw); err != nil {
			continue
		}
		known := false
		for _, kind := range l.kinds {
			stored, err := s.archive.Records.Get(context.WithoutCancel(ctx), kind, id)
			if errors.Is(err, database.ErrNotFound) {
				continue
			}
			if err != nil {
				return false, inArchive(err)
			}
			known = string(stored.List) == string(raw)
			break
		}
		if !known {
			return true, nil
		}
	}
	return false, nil
}

// fallBackToList replaces the filter by a pass over the whole list, since too many
// records have changed. It moves the cursor to now, the source's time, so that the
// filter is used for later changes after that pass.
func (s *syncer) fallBackToList(ctx context.Context, l *list, now time.Time) error {
	if !l.isOpen() {
		l.open(s.Now())
	}
	l.Pass.Fallback, l.Cursor = true, time.Time{}
	l.advanceCursor(now, s.Now())
	l.Cursor = l.Cursor.Add(filterOverlap)
	return s.save(ctx, l)
}

// storeChanges stores the pages of a checked answer in one transaction.
func (s *syncer) storeChanges(ctx context.Context, l *list, batches []source.Batch) error {
	sum := page{counts: make(map[record.Kind]pageCount)}
	err := s.update(ctx, func(tx *archive.Tx) error {
		for _, batch := range batches {
			p, err := s.store(tx, l, batch, l.Pass.Number)
			if err != nil {
				return err
			}
			sum.added += p.added
			for kind, n := range p.counts {
				c := sum.counts[kind]
				sum.counts[kind] = pageCount{added: c.added + n.added, changed: c.changed + n.changed, same: c.same + n.same}
			}
		}
		l.advanceCursor(batches[0].Date, s.Now())
		l.Pass.Skip += sum.added
		return s.countNew(tx, l, sum.added, 0)
	})
	if err != nil {
		return err
	}
	s.countPage(sum.counts)
	return l.endless()
}

// advanceCursor moves the cursor to the date of an answer, or to now if it has none. A
// cursor that fallBackToList has set ahead stays until that time.
func (st *listState) advanceCursor(date, now time.Time) {
	if date.IsZero() {
		date = now
	}
	if ahead := st.Cursor.Sub(date); ahead <= 0 || ahead > filterOverlap {
		st.Cursor = date.UTC()
	}
}
