package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// bodies fetches the single records that are wanted, newest first, and after
// them those that are overdue to be fetched again.
func (s *syncer) bodies(ctx context.Context) error {
	rows, err := s.wanted(ctx, s.now())
	if err != nil {
		return err
	}
	again, err := s.again(ctx, len(rows))
	if err != nil {
		return err
	}
	rows = append(rows, again...)
	// A request leaves as soon as the answer to another one is there; storing
	// that answer takes no place.
	limit := max(1, s.Concurrency)
	flying := make(chan struct{}, limit)
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(limit + limit/2)
	var done atomic.Int64
	for _, row := range rows {
		select {
		case flying <- struct{}{}:
		case <-inner.Done():
		}
		if inner.Err() != nil || s.exhausted() != nil {
			break
		}
		w, err := s.archive.WantedAt(context.WithoutCancel(ctx), row)
		if err != nil {
			return errors.Join(fmt.Errorf("%w: %w", errArchive, err), group.Wait())
		}
		group.Go(func() error {
			raw, err := s.fetch(inner, w)
			if fatal(err) {
				return err
			}
			if len(raw) < giantRecord {
				<-flying
				err = s.body(inner, w, raw, err)
			} else {
				err = s.giantBody(inner, w, raw)
				<-flying
			}
			s.progress("fetch", int(done.Add(1)), len(rows))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// wanted returns the rows of the records whose single record is to be fetched
// at the time now, and that the site shows. They may be a million.
func (s *syncer) wanted(ctx context.Context, now time.Time) (rows []int64, err error) {
	kinds := s.kinds()
	for w, err := range s.archive.Wanted(ctx, now, mostPostponed) {
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errArchive, err)
		}
		if slices.Contains(kinds, w.Kind) && s.wants(w.Kind, w.Path) {
			rows = append(rows, w.Row)
		}
	}
	return rows, nil
}

// wants reports whether the site shows a record; folders, writers and pages
// have no folder of their own.
func (s *syncer) wants(kind archive.Kind, path string) bool {
	switch kind {
	case archive.Page, archive.Writer, archive.Folder:
		return true
	}
	return s.Wants == nil || s.Wants(path)
}

// fetch asks for a single record.
func (s *syncer) fetch(ctx context.Context, w archive.Wanted) (json.RawMessage, error) {
	raw, err := call(ctx, s, func(ctx context.Context) (json.RawMessage, error) {
		return s.client.Single(ctx, wire.Groups[w.Kind], w.ID)
	})
	return raw, s.refusedAgain(err)
}

// body stores a single record, if it came. One that cannot be had is reported,
// tried again in the next run, and stops no other.
func (s *syncer) body(ctx context.Context, w archive.Wanted, raw json.RawMessage, err error) error {
	if err == nil {
		err = s.storeSingle(ctx, w, raw)
	}
	switch {
	case err == nil || fatal(err):
		return err
	case spent(err):
		s.exhaust(err)
		return nil
	case errors.Is(err, errUnmoved): // nothing need be wrong
		return s.postpone(ctx, w)
	}
	s.fail(Failure{Kind: w.Kind, ID: w.ID, Operation: string(wire.Groups[w.Kind])}, err)
	if errors.Is(err, errDoubted) { // which has postponed it
		return nil
	}
	return s.postpone(ctx, w)
}

// giantRecord is the size of records that are stored one at a time, while no
// other request takes their place: what is made of each takes a multiple of it.
const giantRecord = 4 << 20

// giantBody is body for a record that came and is very large.
func (s *syncer) giantBody(ctx context.Context, w archive.Wanted, raw json.RawMessage) error {
	s.giant.Lock()
	defer s.giant.Unlock()
	defer debug.FreeOSMemory()
	return s.body(ctx, w, raw, nil)
}

// postpone leaves a record alone for a while that could not be had, for longer
// each time.
func (s *syncer) postpone(ctx context.Context, w archive.Wanted) error {
	return s.update(ctx, func(tx *archive.Tx) error {
		record, err := tx.Get(w.Kind, w.ID)
		if err != nil {
			return err
		}
		return tx.Postpone(w.Kind, w.ID, s.now().Add(postponement(record.Tries)))
	})
}

func (s *syncer) storeSingle(ctx context.Context, w archive.Wanted, raw json.RawMessage) error {
	id, err := wire.ID(raw)
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if id != "" && id != w.ID {
		return fmt.Errorf("asked for %s %s and got %q: %w", w.Kind, w.ID, id, client.ErrShape)
	}
	if raw, err = s.redaction.Apply(raw); err != nil {
		return fmt.Errorf("%w: %w", errRecord, err)
	}
	// What takes long is done before the others have to wait for it.
	record, err := s.archive.Get(context.WithoutCancel(ctx), w.Kind, w.ID)
	if errors.Is(err, archive.ErrNotFound) {
		return nil // taken out of the archive meanwhile
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	if err := s.believe(ctx, record, raw); err != nil {
		return err
	}
	before := record.Hash
	if record.Wanted && string(record.Single) == string(raw) {
		if err := s.endDoubt(ctx, record); err != nil {
			return err
		}
	}
	if err := s.fill(record, raw); err != nil {
		return err
	}
	if len(raw) >= giantRecord {
		debug.FreeOSMemory() // of what reading it left: storing it takes as much again
	}
	err = s.share(ctx, func(tx *archive.Tx) error {
		_, err := tx.PutOver(record, before, s.now())
		if err == nil {
			_, err = tx.Trust(record.Row, archive.SinglePart)
			return err
		}
		if !errors.Is(err, archive.ErrStale) {
			return err
		}
		if record, err = tx.Get(w.Kind, w.ID); err != nil {
			return err
		}
		if err := s.fill(record, raw); err != nil {
			return err
		}
		_, err = tx.Put(record, s.now())
		return err
	})
	if err == nil {
		s.arrived(w.Kind)
	}
	return err
}

// believe returns an error if a single record contradicts what is kept, and is
// not to be taken yet.
func (s *syncer) believe(ctx context.Context, record *archive.Record, raw json.RawMessage) error {
	c, err := s.contradicts(record, archive.SinglePart, raw, func() (bool, error) {
		return s.archive.HadVersion(context.WithoutCancel(ctx), record.Row, archive.SinglePart, raw)
	})
	if c == nil || err != nil {
		return err
	}
	believed := false
	err = s.update(ctx, func(tx *archive.Tx) error {
		believed, err = s.doubt(tx, record, archive.SinglePart, c)
		return err
	})
	if err == nil && !believed {
		err = fmt.Errorf("%s %s: %w", record.Kind, record.ID, c)
	}
	return err
}

// endDoubt ends the doubt about a single record that answers as it is kept. The
// answers that were doubted do not count as tries: else a back end that lags
// behind could end the wait for what the list record announces.
func (s *syncer) endDoubt(ctx context.Context, record *archive.Record) error {
	return s.update(ctx, func(tx *archive.Tx) error {
		doubted, err := tx.Trust(record.Row, archive.SinglePart)
		if !doubted || err != nil {
			return err
		}
		now, err := tx.Get(record.Kind, record.ID)
		if err != nil {
			return err
		}
		now.Tries, record.Tries = 0, 0
		return tx.Touch(now)
	})
}

// fill makes raw the single record of a record, and derives the metadata.
func (s *syncer) fill(record *archive.Record, raw json.RawMessage) error {
	if s.unmoved(raw, record) {
		err := errUnmoved
		if s.older(raw, record.List) {
			err = errOutdated
		}
		return fmt.Errorf("%s %s: %w", record.Kind, record.ID, err)
	}
	record.Single, record.Fetched, record.Wanted = raw, s.now(), false
	record.Recheck, record.Tries, record.Again = false, 0, time.Time{}
	if err := wire.Fill(record, s.Location); err != nil {
		return fmt.Errorf("%w: %w", errRecord, err)
	}
	return nil
}
