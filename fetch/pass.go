package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"ayna/archive"
	"ayna/source"
	"ayna/source/get"
)

const (
	// relistEvery is the time until a list that was given up is tried again.
	relistEvery = 24 * time.Hour
	// relistShare is the divisor of a run's requests: later passes get a fifth of them.
	relistShare = 5
	// shortList is the number of pages of a list up to which a sweep does not read the
	// changes first.
	shortList = 10
)

// readList brings a list up to date. With full it begins a full pass, unless one is
// open.
func (s *syncer) readList(ctx context.Context, l *list, full bool) error {
	l.started = true
	defer s.reportIrregular(l)
	bounded, err := s.isWithinLimit(ctx, l)
	if err == nil && bounded {
		err = s.refresh(ctx, l, full)
	}
	if errors.Is(err, errEndless) {
		return nil // reportIrregular reports it; the source is not down
	}
	return err
}

// refresh reads the changes of a list, or its head if no filter works, and continues or
// begins a pass over the whole list if one is due. The first run and a full run read
// everything.
func (s *syncer) refresh(ctx context.Context, l *list, full bool) error {
	full = full && l.fullPassNumber() == 0
	if full { // saved at once: the limits may not allow the first page
		l.open(s.Now())
		l.Pass.Full, l.FullSince = true, l.Pass.Began
		if err := s.save(ctx, l); err != nil {
			return err
		}
	}
	l.refetchPass = l.fullPassNumber()
	since := s.Now().Sub(l.Pass.Began) // negative if the clock was ahead then
	due := !l.isSearch() && !l.isOpen() && (since >= s.sweep() || since < 0 || s.placeChanged)
	// A short list is read whole at once, which shows changes, too.
	short := s.facts.EditsShow && due && l.Size <= shortList*s.PageSize
	if l.Pass.Number > 0 && !full && !short {
		known, err := s.readChanges(ctx, l)
		if err == nil && !known {
			err = s.readHead(ctx, l)
		}
		if err != nil {
			return err
		}
	}
	// While some types cannot be read, only the next pass may find that a record has another type.
	if !l.isOpen() && l.Unconfirmed && !l.unsettled() && len(l.Pass.Lacking) == 0 {
		if err := s.confirmMissing(ctx, l); err != nil {
			return err
		}
	}
	if !l.isOpen() && (l.Pass.Number == 0 || due) {
		l.open(s.Now())
	}
	return s.readPasses(ctx, l)
}

// sweep returns the time between passes over a whole list. They find records that are
// gone, and edits without a new date.
func (s *syncer) sweep() time.Duration { return cmp.Or(s.Sweep, s.facts.Sweep) }

// readSite reads how a source describes its site, and sets placeChanged. The source's
// filter by date compares local dates: after a change of the time zone it misses changes.
// The error is ErrAnother if the source has become that of another paper.
func (s *syncer) readSite(ctx context.Context) (err error) {
	if !s.facts.Describes {
		return nil
	}
	s.site, err = call(ctx, s, s.source.Site)
	switch {
	case isBudget(err):
		s.stopForBudget(err)
		return nil
	case errors.Is(err, get.ErrShape):
		return fmt.Errorf("%w: %w", ErrShape, err)
	case err != nil && !isFatal(err):
		return fmt.Errorf("%w: %w", ErrDown, err)
	case err != nil:
		return err
	}
	if err := s.learn(ctx); err != nil {
		return err
	}
	if s.site.Renews != "" {
		if err := s.update(ctx, func(tx *archive.Tx) error { return tx.Originals.Recheck(s.site.Renews) }); err != nil {
			return err
		}
	}
	s.site.Zone = cmp.Or(s.site.Zone, s.findings.answer(zoneOfSite)) // a feed does not tell it
	s.placeChanged = s.Moved || s.findings.answer(zoneOfSite) != "" && s.findings.answer(zoneOfSite) != s.site.Zone
	s.findings.set(zoneOfSite, s.site.Zone)
	return s.checkPaper(ctx)
}

// fullPassNumber returns the number of the full pass that is open, or 0.
func (st *listState) fullPassNumber() int {
	if st.isOpen() && st.Pass.Full {
		return st.Pass.Number
	}
	return 0
}

// newWalk returns a walk from the top of a list.
func (s *syncer) newWalk(l *list) walk {
	return walk{size: s.PageSize, fullPage: min(l.PageSize, s.PageSize), unordered: l.Unstable}
}

// nextPage requests the next page of a walk. Some services answer with an error past
// the end of a list. If the walk may be there, the same error twice counts as an empty page.
func (s *syncer) nextPage(ctx context.Context, l *list, w *walk) (source.Batch, error) {
	batch, err := s.fetchPage(ctx, l, w.skip)
	if w.mayEnd() && hasStatus(err, http.StatusBadRequest, http.StatusNotFound, http.StatusInternalServerError) {
		if _, again := s.fetchPage(ctx, l, w.skip); statusOf(again) == statusOf(err) {
			return source.Batch{}, nil
		}
	}
	return batch, err
}

// fetchPage requests one page of a list.
func (s *syncer) fetchPage(ctx context.Context, l *list, skip int) (source.Batch, error) {
	batch, err := call(ctx, s, func(ctx context.Context) (source.Batch, error) {
		return s.fetchList(ctx, l, source.Query{Top: s.PageSize, Skip: skip, Texts: l.early, Begins: l.isOpen() && l.Pass.Skip == 0 && skip == 0})
	})
	if err == nil && batch.Skipped > len(batch.Records) {
		err = fmt.Errorf("most of a page is not records: %w", get.ErrShape)
	}
	if err != nil {
		return batch, fmt.Errorf("list %s from %d: %w", l.operation, skip, err)
	}
	l.total, l.promised = max(0, batch.Count), max(0, batch.Total)
	l.Pass.Lacking, l.empty = union(l.Pass.Lacking, batch.Missing), union(l.empty, batch.Empty)
	if batch.Envelope != "" {
		s.findings.set(envelopeOf+l.operation, batch.Envelope)
	}
	return batch, nil
}

// union returns the elements of both lists, which are short.
func union(a, b []string) []string {
	for _, element := range b {
		if !slices.Contains(a, element) {
			a = append(a, element)
		}
	}
	return a
}

func hasStatus(err error, statuses ...int) bool { return slices.Contains(statuses, statusOf(err)) }

// readPage reads and stores the next page of a walk, and moves the walk on. A page after
// a gap is discarded: its records would make the list look known up to there. note
// updates the state of the list, which is saved with the page; onward is false if the
// page was discarded. The error is errEndless if the list exceeds its limit.
func (s *syncer) readPage(ctx context.Context, l *list, w *walk, number int, note func(p page, onward bool)) error {
	batch, err := s.nextPage(ctx, l, w)
	if err != nil {
		return err
	}
	var p page
	err = s.update(ctx, func(tx *archive.Tx) error {
		if p, err = s.store(tx, l, batch, number); err != nil {
			return err
		}
		if !w.step(p) {
			return errGap
		}
		note(p, true)
		return s.countNew(tx, l, p.added, w.reach())
	})
	if errors.Is(err, errGap) {
		note(page{}, false)
		return s.save(ctx, l)
	}
	if err == nil {
		s.countPage(p.counts)
	}
	return errors.Join(err, l.endless())
}

// readHead reads the records added at the top of a list, until a whole page holds
// nothing new. New records move the position at which an open pass resumes.
func (s *syncer) readHead(ctx context.Context, l *list) error {
	reached := l.Head // an earlier run was interrupted there, above records that are still unknown
	if reached == 0 {
		l.nextPass()
	}
	w := s.newWalk(l)
	for end := false; !end; {
		err := s.readPage(ctx, l, &w, l.Latest, func(p page, onward bool) {
			l.Pass.Skip += p.added
			if reached > 0 {
				reached += p.added
			}
			switch {
			case !onward:
				l.Head = min(l.Head, max(1, w.skip))
			case !w.end && (p.added+p.changed > 0 || (p.known == 0 && reached == 0)): // the latter if all records of the page moved down meanwhile
				l.Head = max(w.skip, reached)
			case reached > 0:
				w.seek(max(w.skip, reached))
				reached = 0
			default:
				end, l.Head = true, 0
				if l.isSearch() { // no later pass over a search updates its size
					l.Size, l.Added = l.Size+l.Added, 0
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readPass continues the open pass over a list. If the list shifted meanwhile, it also
// reads the head, where records may be that the pass has not reached before.
func (s *syncer) readPass(ctx context.Context, l *list) error {
	if l.isOfNames(s.facts) { // it comes whole with its first part: there is nothing to continue with
		l.Pass.Skip = 0
	}
	w := s.newWalk(l)
	w.fromTop = l.Pass.Skip == 0
	w.seek(l.Pass.Skip)
	if err := s.startEarly(ctx, l); err != nil {
		return err
	}
	for !w.end {
		if !l.Complete.IsZero() && !(s.Full && l.Pass.Full) && !s.takeRelist() {
			if l.Pass.Full {
				s.fullPassCut.Store(true)
			}
			return nil
		}
		err := s.readPage(ctx, l, &w, l.Pass.Number, func(p page, _ bool) {
			l.Pass.Skip, l.PageSize = w.skip, max(l.PageSize, p.received)
			l.Pass.Mixed, l.Pass.Brought = l.Pass.Mixed || w.mixed, l.Pass.Brought || p.added > 0
			if l.Pass.Mixed && !l.isSearch() {
				l.Unstable, w.unordered = true, true
			}
			if l.early {
				l.due = append(l.due, p.due...)
			}
		})
		if err != nil || s.firstPages {
			return err
		}
		if err := s.fetchEarly(ctx, l); err != nil {
			return err
		}
	}
	if w.shifted {
		if err := s.readHead(ctx, l); err != nil {
			return err
		}
	}
	return s.complete(ctx, l, w)
}

// startsFull reports whether this run begins a full pass over its lists, which reads them
// whole and fetches all single records again. If the limits end it, later runs, full or not,
// continue it. A full run begins one unless an earlier one has left records to fetch: otherwise
// consecutive full runs would never reach the last records. startsFull clears FullSince of the
// lists whose full run is complete.
func (s *syncer) startsFull(ctx context.Context) (bool, error) {
	starts := s.Full
	for _, l := range s.lists {
		pending, err := s.pendingFull(ctx, l)
		switch {
		case err != nil:
			return false, err
		case pending:
			starts = false
		case l.fullPassNumber() == 0:
			l.FullSince = time.Time{}
		}
	}
	return starts, nil
}

// pendingFull reports whether a full run has left a record of a list to fetch: one that
// the site shows and that was neither fetched nor tried since.
func (s *syncer) pendingFull(ctx context.Context, l *list) (bool, error) {
	if l.FullSince.IsZero() {
		return false, nil
	}
	for _, kind := range l.kinds {
		for w, err := range s.archive.Schedule.Unfetched(ctx, kind, l.FullSince) {
			if err != nil {
				return false, inArchive(err)
			}
			if s.wants(w.Kind, w.Paths) {
				return true, nil
			}
		}
	}
	return false, nil
}
