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

// A broken or hostile source may make up new records for ever. A list that goes
// beyond its limit is given up: the records that are new since the latest whole
// reading are kept aside. From then on the list is only counted, once in
// relistEvery, until it comes to its end within the limit; then it is read again,
// which brings back what it still shows.
const (
	// mostAtFirst is the limit of a list of which no size is known.
	mostAtFirst = 2_000_000
	// leastLimit is the limit of a small list.
	leastLimit = 10_000
	// mostGrowth is how many times its size a list may come to between two whole
	// readings.
	mostGrowth = 4
)

// errEndless ends the reading of a list that goes beyond its limit.
var errEndless = errors.New("the list does not end")

// limit returns how many records a list may have.
func (s *syncer) limit(st *standing) int {
	switch {
	case s.MaxRecords > 0:
		return s.MaxRecords
	case st.Complete.IsZero():
		return mostAtFirst
	}
	return max(leastLimit, mostGrowth*st.Size)
}

// grow counts the records that are new, and saves where the reading stands. If
// these, or what the reading has come to, are beyond the limit, it gives the list
// up.
func (s *syncer) grow(tx *archive.Tx, l listing, st *standing, added, reach int) error {
	st.Added += added
	limit := s.limit(st)
	if reach <= limit && (added == 0 || st.Size+st.Added <= limit) {
		return st.save(tx, l)
	}
	if l.kind != "" { // hits of a search that have no record are not shown
		if err := tx.SetAside(l.kind, st.Ended); err != nil {
			return err
		}
	}
	st.Endless, st.Open, st.Full, st.Swamped = limit, false, false, false
	st.Skip, st.Head, st.Began = 0, 0, s.now().UTC()
	return st.save(tx, l)
}

// endless returns the error of a list that was given up.
func (st *standing) endless() error {
	if st.Endless == 0 {
		return nil
	}
	return fmt.Errorf("%w: it goes beyond %d records (%d were known); new ones are kept aside and not shown until the list ends within its limit; "+
		"if it is really that long, raise source.max_records", errEndless, st.Endless, st.Size)
}

// bounded reports whether a list may be read. One that was given up is first read
// to its end without storing anything.
func (s *syncer) bounded(ctx context.Context, l listing, st *standing) (bool, error) {
	if st.Endless == 0 {
		return true, nil
	}
	limit, since := s.limit(st), s.now().Sub(st.Began)
	if !st.Open {
		if limit == st.Endless && since >= 0 && since < relistEvery && !s.Full {
			return false, nil
		}
		st.Open, st.Began, st.Skip = true, s.now().UTC(), 0
	}
	w := s.walk(st)
	w.leap(st.Skip)
	for !w.end && w.reach() <= limit {
		if !s.mayRelist() {
			return false, nil
		}
		batch, err := s.nextPage(ctx, l, &w)
		if err != nil {
			return false, err
		}
		w.step(w.pageOf(batch))
		st.Skip = w.skip
		if err := s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) }); err != nil {
			return false, err
		}
	}
	st.Open, st.Skip, st.Endless = false, 0, limit
	if w.end {
		st.Endless, st.Added, st.Began = 0, 0, time.Time{}
	}
	return w.end, s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
}

// pageOf sums up a page that is not stored.
func (w *walk) pageOf(batch client.Batch) page {
	p := page{received: len(batch.Records) + batch.Skipped, joins: w.read == nil}
	for _, raw := range batch.Records {
		id, err := wire.ID(raw)
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
