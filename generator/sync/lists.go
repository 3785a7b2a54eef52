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
// One that cannot be read stops no other.
func (s *syncer) lists(ctx context.Context) error {
	listings := s.listings()
	errs := make([]error, len(listings))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, s.Concurrency))
	for i, l := range listings {
		group.Go(func() error {
			errs[i] = s.read(inner, l)
			if fatal(errs[i]) {
				return errs[i]
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := s.weigh(listings, errs); err != nil {
		return err
	}
	return s.update(ctx, func(tx *archive.Tx) error {
		return tx.Want(archive.Page, s.now().Add(-recheckPages))
	})
}

// weigh reports the lists that could not be read. If none could, the source is
// down, or not what it is taken for.
func (s *syncer) weigh(listings []listing, errs []error) error {
	useless := true
	for i, err := range errs {
		switch {
		case err == nil:
			useless = false
		case errors.Is(err, ErrBudget):
			s.exhaust(err)
			useless = false
		default:
			s.fail(Failure{Operation: listings[i].operation}, err)
		}
	}
	switch {
	case !useless:
		return nil
	case errors.Is(errs[0], client.ErrForbidden):
		return fmt.Errorf("%w: %w", ErrKey, errs[0])
	}
	return fmt.Errorf("%w: none of its lists can be read, the first one so: %w", ErrDown, errs[0])
}

// listing is an operation that is read page by page.
type listing struct {
	operation string
	state     string // where the archive keeps when it was last read to its end
	fetch     func(context.Context, client.Query) (client.Batch, error)
	store     func(*archive.Tx, client.Batch) (page, error)
}

// page sums up one page of a listing.
type page struct {
	unseen int // records that no page before it held
	fresh  int // records that are new or have changed
}

func (s *syncer) listings() []listing {
	var all []listing
	for _, kind := range s.kinds() {
		all = append(all, s.listOf(kind))
	}
	for _, query := range s.Searches {
		all = append(all, s.searchFor(query))
	}
	return all
}

// listOf lists the records of a kind.
func (s *syncer) listOf(kind archive.Kind) listing {
	group, seen := wire.Groups[kind], make(map[string]bool)
	return listing{
		operation: string(group),
		state:     "listed " + string(kind),
		fetch: func(ctx context.Context, q client.Query) (client.Batch, error) {
			return s.client.List(ctx, group, q)
		},
		store: func(tx *archive.Tx, batch client.Batch) (page, error) {
			s.skip(kind, batch.Skipped)
			p, err := s.store(tx, kind, batch.Records, seen)
			s.Progress("list", int(s.listed.Add(int64(p.unseen))), 0)
			return p, err
		},
	}
}

// searchFor lists the hits of a saved search, newest first.
func (s *syncer) searchFor(query string) listing {
	seen := make(map[string]bool)
	return listing{
		operation: "search",
		state:     "searched " + query,
		fetch: func(ctx context.Context, q client.Query) (client.Batch, error) {
			return s.client.SearchBatch(ctx, query, q)
		},
		store: func(tx *archive.Tx, batch client.Batch) (p page, err error) {
			var ids []string
			for _, raw := range batch.Records {
				if id, err := wire.ID(raw); err == nil && id != "" && !seen[id] {
					seen[id] = true
					ids = append(ids, id)
				}
			}
			p.unseen = len(ids)
			p.fresh, err = tx.AddHits(query, ids)
			return p, err
		},
	}
}

// read reads a listing: all of it the first time, later its head, until a
// whole page holds nothing new. As soon as something is new, the archive knows
// the listing as not read to its end; a run that is cut short between two
// pages leaves no gap that way.
func (s *syncer) read(ctx context.Context, l listing) error {
	before, err := s.archive.State(ctx, l.state)
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	headOnly := before != "" && !s.Full
	start := s.now().UTC().Format(time.RFC3339)
	for skip := 0; ; {
		batch, err := call(ctx, s, func(ctx context.Context) (client.Batch, error) {
			return l.fetch(ctx, client.Query{Top: s.PageSize, Skip: skip})
		})
		if err == nil && batch.Skipped > len(batch.Records) {
			err = fmt.Errorf("most of a page are no records: %w", client.ErrShape)
		}
		if errors.Is(err, client.ErrShape) {
			err = fmt.Errorf("%w: %w", ErrShape, err)
		}
		if err != nil {
			return fmt.Errorf("list %s from %d: %w", l.operation, skip, err)
		}
		var p page
		err = s.update(ctx, func(tx *archive.Tx) (err error) {
			if p, err = l.store(tx, batch); err == nil && p.fresh > 0 {
				err = tx.SetState(l.state, "")
			}
			return err
		})
		if err != nil {
			return err
		}
		skip += len(batch.Records) + batch.Skipped
		if p.unseen == 0 || (headOnly && p.fresh == 0) {
			break
		}
	}
	return s.update(ctx, func(tx *archive.Tx) error { return tx.SetState(l.state, start) })
}

// store stores the records of one page of a list. seen holds what the pages
// before it held.
func (s *syncer) store(tx *archive.Tx, kind archive.Kind, records []json.RawMessage, seen map[string]bool) (page, error) {
	var p page
	for _, raw := range records {
		id, err := wire.ID(raw)
		if err != nil || id == "" {
			if !seen[string(raw)] {
				seen[string(raw)] = true
				p.unseen++
				s.skip(kind, 1)
			}
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
			return p, err
		}
		if change != archive.Unchanged {
			p.fresh++
		}
		s.count(kind, change)
	}
	return p, nil
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

func (s *syncer) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}
