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

// lists reads the lists of all kinds and of the saved searches, side by side.
// One that cannot be read stops no other.
func (s *syncer) lists(ctx context.Context) error {
	listings := s.listings()
	var err error
	if s.anew, err = s.beginsAnew(ctx, listings); err != nil {
		return err
	}
	errs := make([]error, len(listings))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, s.Concurrency))
	first := make(chan struct{}) // closed when the first list has been read
	for i, l := range listings {
		group.Go(func() error {
			if i == 0 {
				defer close(first)
			}
			errs[i] = s.read(inner, l)
			if fatal(errs[i]) {
				return errs[i]
			}
			return nil
		})
		// A key that is refused costs one request: the others wait for its answer.
		select {
		case <-s.ledger.answered:
		case <-first:
			if fatal(errs[0]) {
				return group.Wait()
			}
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := s.weigh(listings, errs); err != nil {
		return err
	}
	if s.exhausted() == nil {
		if err := s.acquaint(ctx); err != nil {
			return err
		}
		if err := s.checkEmpty(ctx); err != nil {
			return err
		}
	}
	return s.recheck(ctx)
}

// weigh reports the lists that could not be read. If none could, the source is
// down, or not what it is taken for; nor is it if its first list, that of
// articles, is none.
func (s *syncer) weigh(listings []listing, errs []error) error {
	useless := true
	for i, err := range errs {
		switch {
		case err == nil:
			useless = false
		case spent(err):
			s.exhaust(err)
			useless = false
		default:
			s.fail(Failure{Operation: listings[i].operation}, err)
		}
	}
	switch {
	case errors.Is(errs[0], client.ErrShape):
		return fmt.Errorf("%w: %w", ErrShape, errs[0])
	case !useless:
		return nil
	case errors.Is(errs[0], client.ErrTooMany):
		// The date was not refused, but there is nothing else that was not.
		s.exhaust(fmt.Errorf("%w: none of its lists can be read, the first one so: %w", ErrBudget, errs[0]))
		return nil
	case errors.Is(errs[0], client.ErrForbidden):
		return fmt.Errorf("%w: %w", ErrKey, errs[0])
	}
	return fmt.Errorf("%w: none of its lists can be read, the first one so: %w", ErrDown, errs[0])
}

// checkEmpty refuses an archive without any item or page once the lists were read:
// a site of it would be empty.
func (s *syncer) checkEmpty(ctx context.Context) error {
	held := make(map[archive.Kind]int)
	for _, kind := range archive.Kinds {
		n, err := s.held(ctx, kind)
		if err != nil {
			return err
		}
		if held[kind] = n; n > 0 && kind != archive.Writer && kind != archive.Folder {
			return nil
		}
	}
	return fmt.Errorf("%w: the lists of the source hold no article, column, gallery, video or page (but %d writers and %d folders); check source.url, content.kinds and what the key may read",
		ErrEmpty, held[archive.Writer], held[archive.Folder])
}

// listing is an operation that is read page by page.
type listing struct {
	operation string
	state     string       // under which the archive keeps where the reading of it stands
	kind      archive.Kind // of its records; "" for a search
	fetch     func(context.Context, client.Query) (client.Batch, error)
	// store stores a page; pass is the number of the reading that it belongs to.
	store    func(tx *archive.Tx, batch client.Batch, pass int) (page, error)
	renewing *int   // number of the open full pass: what it has not seen is to be fetched again
	ahead    *ahead // in a pass over all of it
}

// page sums up one page of a listing.
type page struct {
	received int      // elements, whatever they are
	ids      []string // of its records, in order
	joins    bool     // it begins with a record that the reading has seen before
	unseen   int      // records that the reading had not seen
	known    int      // records that were in the archive before the reading
	added    int      // records that are new to the archive
	changed  int      // records that have changed
	same     int      // records that are as they were
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
	group, renewing := wire.Groups[kind], new(int)
	return listing{
		operation: string(group),
		state:     "list " + string(kind),
		kind:      kind,
		fetch: func(ctx context.Context, q client.Query) (client.Batch, error) {
			return s.client.List(ctx, group, q)
		},
		store: func(tx *archive.Tx, batch client.Batch, pass int) (page, error) {
			return s.storePage(tx, kind, batch, pass, *renewing)
		},
		renewing: renewing,
	}
}

// storePage stores the records of one page of a list.
func (s *syncer) storePage(tx *archive.Tx, kind archive.Kind, batch client.Batch, pass, renewing int) (page, error) {
	p := page{received: len(batch.Records) + batch.Skipped}
	s.skip(kind, batch.Skipped)
	for i, raw := range batch.Records {
		id, err := wire.ID(raw)
		if err != nil || id == "" {
			s.skip(kind, 1)
			id = string(raw) // tells this element from others of its sort
			p.joins = p.joins || i == 0
			p.ids = append(p.ids, id)
			continue
		}
		p.ids = append(p.ids, id)
		if s.forgotten[kind][id] {
			p.joins = p.joins || i == 0
			continue
		}
		seen, change, err := s.storeListed(tx, kind, id, raw, pass, renewing)
		if errors.Is(err, errRecord) {
			s.fail(Failure{Kind: kind, ID: id, Operation: string(wire.Groups[kind])}, err)
			continue
		}
		if err != nil {
			return p, err
		}
		p.joins = p.joins || (i == 0 && seen)
		if !seen {
			p.unseen++
		}
		if !seen && change != archive.New {
			p.known++
		}
		switch change {
		case archive.New:
			p.added++
		case archive.Changed:
			p.changed++
		default:
			p.same++
		}
	}
	return p, nil
}

// storeListed stores a list record, and reports whether the pass had seen it
// before. Its single record is wanted if the list record is new or differs from
// the one before it; where the full pass renewing had not seen it either, it is
// checked again.
func (s *syncer) storeListed(tx *archive.Tx, kind archive.Kind, id string, raw json.RawMessage, pass, renewing int) (seen bool, change archive.Change, err error) {
	if raw, err = s.redaction.Apply(raw); err != nil {
		return false, 0, fmt.Errorf("%w: %w", errRecord, err)
	}
	record, err := tx.Get(kind, id)
	aside := err == nil && record.Aside()
	if errors.Is(err, archive.ErrNotFound) {
		record = &archive.Record{Kind: kind, ID: id, Wanted: true}
		record.Found, err = tx.Found(id)
	}
	if err != nil {
		return false, 0, err
	}
	if raw, err = s.believeListed(tx, record, raw); err != nil {
		return false, 0, err
	}
	same := string(record.List) == string(raw)
	seen = record.Pass >= pass
	if again := record.Pass < renewing; again || !same {
		record.Wanted, record.Recheck = record.Wanted || !same, record.Recheck || again
		record.Tries, record.Again = 0, time.Time{}
	}
	record.List, record.Listed, record.Pass = raw, s.now(), max(record.Pass, pass)
	if same {
		// The metadata follows from the JSON, so it is as it was.
		change, err = archive.Unchanged, tx.Touch(record)
	} else {
		change, err = s.put(tx, record)
	}
	if aside { // nobody has seen it yet
		change = archive.New
	}
	return seen, change, err
}

// believeListed returns the list record to keep: the answer, or the one that is
// kept as long as the answer contradicts it and is not believed.
func (s *syncer) believeListed(tx *archive.Tx, record *archive.Record, raw json.RawMessage) (json.RawMessage, error) {
	if record.Row == 0 {
		return raw, nil // it is new
	}
	c, err := s.contradicts(record, archive.ListPart, raw, func() (bool, error) {
		return tx.HadVersion(record.Row, archive.ListPart, raw)
	})
	if err != nil {
		return nil, err
	}
	if c != nil {
		if believed, err := s.doubt(tx, record, archive.ListPart, c); !believed || err != nil {
			return record.List, err
		}
	}
	_, err = tx.Trust(record.Row, archive.ListPart)
	return raw, err
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
