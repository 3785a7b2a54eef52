package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// recheckPages is how long the order of an editorial page is believed: nothing
// in its list record tells that it has changed.
const recheckPages = time.Hour

// lists reads the lists of all kinds and of the saved searches, side by side.
func (s *syncer) lists(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, s.Concurrency))
	for _, kind := range s.kinds() {
		group.Go(func() error { return s.passOver(s.list(ctx, kind), string(wire.Groups[kind])) })
	}
	for _, query := range s.Searches {
		group.Go(func() error { return s.passOver(s.search(ctx, query), "search") })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return s.update(ctx, func(tx *archive.Tx) error {
		return tx.Want(archive.Page, s.now().Add(-recheckPages))
	})
}

// passOver keeps the failure of one operation from stopping the others, unless
// it says that they would fail too.
func (s *syncer) passOver(err error, operation string) error {
	switch {
	case err == nil || fatal(err):
		return err
	case errors.Is(err, ErrBudget):
		s.exhaust(err)
		return nil
	case errors.Is(err, client.ErrForbidden):
		return fmt.Errorf("%w: %w", ErrKey, err)
	case errors.Is(err, client.ErrShape):
		return fmt.Errorf("%w: %w", ErrShape, err)
	case isDown(err):
		return fmt.Errorf("%w: %w", ErrDown, err)
	}
	s.fail(Failure{Operation: operation}, err)
	return nil
}

// list reads the list of a kind: all of it the first time, later its head,
// until a whole page holds nothing new.
func (s *syncer) list(ctx context.Context, kind archive.Kind) error {
	state := "listed " + string(kind)
	before, err := s.archive.State(ctx, state)
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	headOnly := before != "" && !s.Full
	start := s.now()
	seen := make(map[string]bool)
	for skip := 0; ; {
		batch, err := call(ctx, s, func(ctx context.Context) (client.Batch, error) {
			return s.client.List(ctx, wire.Groups[kind], client.Query{Top: s.PageSize, Skip: skip})
		})
		if err != nil {
			return fmt.Errorf("list %s from %d: %w", wire.Groups[kind], skip, err)
		}
		page, err := s.store(ctx, kind, batch, seen)
		if err != nil {
			return err
		}
		skip += len(batch.Records) + batch.Skipped
		s.Progress("list", int(s.listed.Add(int64(page.unseen))), 0)
		if page.unseen == 0 || (headOnly && page.fresh == 0) {
			break
		}
	}
	return s.update(ctx, func(tx *archive.Tx) error { return tx.SetState(state, start.UTC().Format(time.RFC3339)) })
}

// page sums up one page of a list.
type page struct {
	unseen int // records that no page before it held
	fresh  int // records that are new or have changed
}

// store commits one page of a list.
func (s *syncer) store(ctx context.Context, kind archive.Kind, batch client.Batch, seen map[string]bool) (page, error) {
	var p page
	if bad := batch.Skipped; bad > 0 {
		s.skip(kind, bad)
		if bad*2 > bad+len(batch.Records) {
			return p, fmt.Errorf("list %s: %w: most of a page are no records", wire.Groups[kind], ErrShape)
		}
	}
	err := s.update(ctx, func(tx *archive.Tx) error {
		for _, raw := range batch.Records {
			id, err := wire.ID(raw)
			if err != nil || id == "" {
				s.skip(kind, 1)
				continue
			}
			if seen[id] {
				continue
			}
			seen[id] = true
			p.unseen++
			change, err := s.storeListed(tx, kind, id, raw)
			if errors.Is(err, errRecord) {
				s.fail(Failure{Kind: kind, ID: id, Operation: string(wire.Groups[kind])}, err)
				continue
			}
			if err != nil {
				return err
			}
			if change != archive.Unchanged {
				p.fresh++
			}
			s.count(kind, change)
		}
		return nil
	})
	return p, err
}

// storeListed stores a list record. Its single record is wanted if the list
// record is new or differs from the one before it.
func (s *syncer) storeListed(tx *archive.Tx, kind archive.Kind, id string, raw json.RawMessage) (archive.Change, error) {
	record, err := tx.Get(kind, id)
	if errors.Is(err, archive.ErrNotFound) {
		record, err = &archive.Record{Kind: kind, ID: id, Wanted: true}, nil
	}
	if err != nil {
		return 0, err
	}
	if s.Full || string(record.List) != string(raw) {
		record.Wanted = true
	}
	record.List, record.Listed = raw, s.now()
	return s.put(tx, record)
}

// put derives the metadata of a record and stores it.
func (s *syncer) put(tx *archive.Tx, record *archive.Record) (archive.Change, error) {
	if err := wire.Fill(record, s.Location); err != nil {
		return 0, fmt.Errorf("%w: %w", errRecord, err)
	}
	return tx.Put(record, s.now())
}

// search asks the source for a saved search, newest first, until a page holds
// no hit that is new.
func (s *syncer) search(ctx context.Context, query string) error {
	for skip := 0; ; {
		batch, err := call(ctx, s, func(ctx context.Context) (client.Batch, error) {
			return s.client.SearchBatch(ctx, query, client.Query{Top: s.PageSize, Skip: skip})
		})
		if err != nil {
			return fmt.Errorf("search %q: %w", query, err)
		}
		var ids []string
		for _, raw := range batch.Records {
			if id, err := wire.ID(raw); err == nil && id != "" {
				ids = append(ids, id)
			}
		}
		added := 0
		err = s.update(ctx, func(tx *archive.Tx) error {
			var err error
			added, err = tx.AddHits(query, ids)
			return err
		})
		if err != nil || added == 0 {
			return err
		}
		skip += len(batch.Records) + batch.Skipped
	}
}

func (s *syncer) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}
