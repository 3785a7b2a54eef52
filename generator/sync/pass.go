package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ayna/archive"
)

const (
	// relistEvery is how long after a pass over a whole list the next one
	// begins. It finds what is gone, and edits that no date tells of.
	relistEvery = 24 * time.Hour
	// relistShare is the part of a run's requests that later passes may take:
	// one in so many.
	relistShare = 5
)

// standing is where the reading of a list stands. It is kept with every page,
// so a run that ends early, however it ends, is gone on with.
type standing struct {
	Last     int       `json:"last"`              // number of the latest reading, of the head or of the whole list
	Pass     int       `json:"pass"`              // number of the latest pass over the whole list
	Open     bool      `json:"open,omitempty"`    // it has not come to the end
	Full     bool      `json:"full,omitempty"`    // it has all single records fetched again
	Renewed  time.Time `json:"renewed,omitzero"`  // when a full pass began of which records are still to be fetched
	Began    time.Time `json:"began,omitzero"`    // the latest pass
	Skip     int       `json:"skip,omitempty"`    // how far the open pass has come
	Head     int       `json:"head,omitempty"`    // how far the reading of new records has come that was cut short
	Complete time.Time `json:"complete,omitzero"` // when the latest pass began that came to the end
	Missing  bool      `json:"missing,omitempty"` // records that it did not see are still to be asked for
	Swamped  bool      `json:"swamped,omitempty"` // more has changed than a filter is worth: the open pass will tell
	Uneven   bool      `json:"uneven,omitempty"`  // pages that are not full do not end the list
	Page     int       `json:"page,omitempty"`    // most records seen on one page
	Filter   string    `json:"filter,omitempty"`  // form of a date filter that works, or noFilter
	Tried    time.Time `json:"tried,omitzero"`    // when no form worked
	Cursor   time.Time `json:"cursor,omitzero"`   // by the source's clock: changes before are known

	Ended   time.Time `json:"ended,omitzero"`    // when the latest pass came to the end
	Size    int       `json:"size,omitempty"`    // records that were held then
	Added   int       `json:"added,omitempty"`   // records that are new since
	Endless int       `json:"endless,omitempty"` // the list has gone beyond this limit; what came since is kept aside

	Unstable bool  `json:"unstable,omitempty"` // the order of the list changes between requests
	Mixed    bool  `json:"mixed,omitempty"`    // the open pass has shown that
	Brought  bool  `json:"brought,omitempty"`  // the open pass has found records that are new to the archive
	Agreed   []int `json:"agreed,omitempty"`   // numbers of the latest passes in a row that found none; at most EnoughPasses
}

func (s *syncer) standing(ctx context.Context, l listing) (standing, error) {
	var st standing
	text, err := s.archive.State(ctx, l.state)
	if err != nil {
		return st, fmt.Errorf("%w: %w", errArchive, err)
	}
	if text != "" {
		if err := json.Unmarshal([]byte(text), &st); err != nil {
			return st, fmt.Errorf("%w: state %q: %w", errArchive, l.state, err)
		}
	}
	if st.Ended.IsZero() && !st.Complete.IsZero() { // kept by an earlier version
		st.Ended = s.now().UTC()
		if st.Size, err = s.held(ctx, l.kind); err != nil {
			return st, err
		}
	}
	for _, at := range []*time.Time{&st.Tried, &st.Renewed} {
		if at.After(s.now()) { // the clock was ahead then
			*at = time.Time{}
		}
	}
	return st, nil
}

func (st standing) save(tx *archive.Tx, l listing) error {
	text, err := json.Marshal(st)
	if err != nil {
		return err
	}
	return tx.SetState(l.state, string(text))
}

// begin numbers a new reading. Records keep the number of the one that saw them
// last.
func (st *standing) begin() int {
	st.Last = max(st.Last, st.Pass) + 1
	return st.Last
}

// read brings a list up to date, and reports what is known of it.
func (s *syncer) read(ctx context.Context, l listing) error {
	st, err := s.standing(ctx, l)
	if err != nil {
		return err
	}
	defer func() {
		s.learn(l, func(known *List) {
			known.PageSize, known.DateFilter = st.Page, st.Filter
			known.Unstable, known.Agreed = st.Unstable, len(st.Agreed)
			if !st.Complete.IsZero() {
				known.Complete = &st.Complete
			}
		})
		s.reportUnsettled(l, st)
	}()
	if may, err := s.bounded(ctx, l, &st); err != nil || !may {
		return err
	}
	if err := s.refresh(ctx, l, &st); !errors.Is(err, errEndless) {
		return err
	}
	return nil // reportUnsettled names it, and it is no sign that the source is down
}

// refresh reads the head of a list, until a whole page holds nothing new, and as
// much as is due of a pass over all of it. The first time, and in a full run, that
// is everything.
func (s *syncer) refresh(ctx context.Context, l listing, st *standing) error {
	anew := s.anew && st.renewing() == 0
	if anew {
		if err := s.renew(ctx, l, st); err != nil {
			return err
		}
	}
	*l.renewing = st.renewing()
	if st.Pass > 0 && !anew {
		known, err := s.changes(ctx, l, st)
		if err == nil && !known {
			err = s.head(ctx, l, st)
		}
		if err != nil {
			return err
		}
	}
	if !st.Open && st.Missing && !st.unsettled() {
		if err := s.missing(ctx, l, st); err != nil {
			return err
		}
	}
	since := s.now().Sub(st.Began) // below 0: the clock was ahead then
	due := l.kind != "" && (since >= relistEvery || since < 0)
	if !st.Open && (st.Pass == 0 || due) {
		st.open(s.now())
	}
	return s.passes(ctx, l, st)
}

// open begins a pass over the whole list.
func (st *standing) open(now time.Time) {
	st.Open, st.Began, st.Skip, st.Head, st.Mixed, st.Brought = true, now.UTC(), 0, 0, false, false
	st.Pass = st.begin()
}

// acquaint reads the whole lists of writers and of folders again if an item
// names one that is not known. These lists are not ordered by time, so that a
// new one may stand anywhere.
func (s *syncer) acquaint(ctx context.Context) error {
	for _, kind := range []archive.Kind{archive.Writer, archive.Folder} {
		l := s.listOf(kind)
		st, err := s.standing(ctx, l)
		if err != nil {
			return err
		}
		if st.Complete.IsZero() || st.Open || st.Endless > 0 {
			continue // it is being read anyway, or does not end
		}
		strangers, err := s.archive.Strangers(ctx, kind, st.Began, s.now())
		if err != nil {
			return fmt.Errorf("%w: %w", errArchive, err)
		}
		if !strangers {
			continue
		}
		st.open(s.now())
		err = s.pass(ctx, l, &st)
		switch {
		case spent(err):
			s.exhaust(err)
			return nil
		case fatal(err):
			return err
		case err != nil:
			s.fail(Failure{Operation: l.operation}, err)
		}
	}
	return nil
}

// take reads the page that a walk has come to, and moves the walk on. A page that
// does not follow the one before it is not stored: what it holds would pass for
// all that comes before. settle notes where the reading stands. If the list goes beyond
// its limit, what came is kept aside, and the error is errEndless.
func (s *syncer) take(ctx context.Context, l listing, st *standing, w *walk, number int, settle func(p page, onward bool)) error {
	batch, err := s.nextPage(ctx, l, w)
	if err != nil {
		return err
	}
	s.anticipate(l, w, len(batch.Records)+batch.Skipped)
	var p page
	err = s.update(ctx, func(tx *archive.Tx) error {
		if p, err = l.store(tx, batch, number); err != nil {
			return err
		}
		if w.skip > 0 && p.unseen > 0 && w.before.received > 0 {
			s.sawFull(l, w.before.received)
		}
		if !w.step(p) {
			return errGap
		}
		settle(p, true)
		return s.grow(tx, l, st, p.added, w.reach())
	})
	if errors.Is(err, errGap) {
		settle(page{}, false)
		return s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
	}
	if err == nil {
		s.count(l.kind, p.added, p.changed, max(0, p.unseen-p.added-p.changed))
	}
	return errors.Join(err, st.endless())
}

// walk begins at the top of a list.
func (s *syncer) walk(st *standing) walk {
	size := s.pageSize()
	return walk{size: size, full: min(st.Page, size), unordered: st.Unstable}
}

// head reads what was added at the top of a list since it was last read, until
// a whole page holds nothing new. What is new there has moved the place that an
// open pass has come to.
func (s *syncer) head(ctx context.Context, l listing, st *standing) error {
	reached := st.Head // by a run that was cut short: below it nothing is known
	if reached == 0 {
		st.begin()
	}
	w := s.walk(st)
	for end := false; !end; {
		err := s.take(ctx, l, st, &w, st.Last, func(p page, onward bool) {
			st.Skip += p.added
			if reached > 0 {
				reached += p.added
			}
			switch {
			case !onward:
				st.Head = min(st.Head, max(1, w.skip))
			case !w.end && (p.added+p.changed > 0 || (p.known == 0 && reached == 0)): // or all moved down since it was read
				st.Head = max(w.skip, reached)
			case reached > 0:
				w.leap(max(w.skip, reached))
				reached = 0
			default:
				end, st.Head = true, 0
				if l.kind == "" { // no pass over all of a search ever confirms its size
					st.Size, st.Added = st.Size+st.Added, 0
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pass goes on with reading the whole list. If that moved meanwhile, records
// that the pass had still to come to may be at the top now.
func (s *syncer) pass(ctx context.Context, l listing, st *standing) error {
	w := s.walk(st)
	w.leap(st.Skip)
	l.ahead = s.lookAhead(ctx, l)
	defer l.ahead.requests.Wait()
	for !w.end {
		if !st.Complete.IsZero() && !(s.Full && st.Full) && !s.mayRelist() {
			if st.Full {
				s.unlisted.Store(true)
			}
			return nil
		}
		err := s.take(ctx, l, st, &w, st.Pass, func(p page, _ bool) {
			st.Skip, st.Page, st.Uneven = w.skip, max(st.Page, p.received), st.Uneven || w.uneven
			st.Mixed, st.Brought = st.Mixed || w.mixed, st.Brought || p.added > 0
			if st.Mixed && l.kind != "" {
				st.Unstable, w.unordered = true, true
			}
		})
		if err != nil {
			return err
		}
	}
	if w.moved {
		if err := s.head(ctx, l, st); err != nil {
			return err
		}
	}
	return s.complete(ctx, l, st, w)
}
