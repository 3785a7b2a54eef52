package fetch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
	"ayna/source"
)

// A Reread is what was made of originals again, since another reader had read them.
type Reread struct {
	Records int       `json:"records"`           // that are other ones now
	Wanting int       `json:"wanting,omitempty"` // that show what is still to be fetched, as a picture
	Stale   []Failure `json:"stale,omitempty"`   // that stay as an earlier reader read them; the first thousand
}

// Batches of originals that are read again, each in one transaction.
const (
	rereadRecords = 100
	rereadBytes   = 4 << 20
	// earlierBytes bounds the earlier versions of one record that are read again.
	earlierBytes = 32 << 20
)

// ReadAgain makes records of their originals again that another reader has made, without a
// request. It returns nil if the archive has no originals.
func ReadAgain(ctx context.Context, a *archive.Archive, options Options) (*Reread, error) {
	if any, err := a.Originals.Any(ctx); err != nil || !any {
		return nil, err
	}
	s, err := newSyncer(ctx, a, options)
	if err == nil {
		err = s.readAgain(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("read originals again: %w", err)
	}
	return s.report.Reread, nil
}

// readAgain is [ReadAgain] in a run. A run that is cut short goes on in the next one.
func (s *syncer) readAgain(ctx context.Context) error {
	reader, ok := s.source.(source.Reader)
	if !ok {
		return nil
	}
	version := reader.ReaderVersion()
	if err := s.readCommentsAgain(ctx, version); err != nil {
		return err
	}
	all, err := checked(s.archive.Originals.CountOutdated(ctx, version))
	if err != nil || all == 0 {
		return err
	}
	for done := 0; done < all; {
		batch, err := s.outdatedBatch(ctx, version)
		if err != nil || len(batch) == 0 {
			return err
		}
		if s.report.Reread == nil {
			s.report.Reread = &Reread{}
		}
		if err := s.readBatch(ctx, reader, version, batch); err != nil {
			return err
		}
		done += len(batch)
		s.progress("read", done, all)
	}
	return nil
}

// outdatedBatch returns originals that are to be read again, none if no others are left. Damaged
// ones have no data.
func (s *syncer) outdatedBatch(ctx context.Context, version string) (batch []archive.Original, err error) {
	keys, err := checked(s.archive.Originals.Outdated(ctx, version, rereadRecords))
	if err != nil {
		return nil, err
	}
	for size := 0; len(batch) < len(keys) && size < rereadBytes; {
		o := keys[len(batch)]
		stored, err := checked(s.archive.Originals.Get(ctx, o.Type, o.Part, []string{o.ID}))
		if err != nil {
			return nil, err
		}
		if whole, has := stored[o.ID]; has {
			o = whole
		}
		batch, size = append(batch, o), size+len(o.Data)
	}
	return batch, nil
}

// readBatch reads some originals again, and replaces their records in one transaction.
func (s *syncer) readBatch(ctx context.Context, reader source.Reader, version string, batch []archive.Original) error {
	readings, err := reader.Read(ctx, sourceOriginals(batch))
	if err != nil {
		return err
	}
	edits := make([][]revisionEdit, len(batch))
	for i, o := range batch {
		if o.Data != nil && readings[i].Err == nil && o.Part == record.SinglePart {
			if edits[i], err = s.readEarlier(ctx, reader, o, readings[i]); err != nil {
				return err
			}
		}
	}
	var done Reread
	err = s.update(ctx, func(tx *archive.Tx) error {
		done = Reread{}
		for i, o := range batch {
			if err := s.replaceReading(tx, o, readings[i], edits[i], version, &done); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	all := s.report.Reread
	all.Records, all.Wanting = all.Records+done.Records, all.Wanting+done.Wanting
	all.Stale = append(all.Stale, done.Stale...)
	all.Stale = all.Stale[:min(len(all.Stale), maxFailures)]
	return ctx.Err()
}

func sourceOriginals(list []archive.Original) []source.Original {
	originals := make([]source.Original, len(list))
	for i, o := range list {
		originals[i] = source.Original{Type: o.Type, ID: o.ID, Record: o.Record, Operation: o.Operation, Data: o.Data}
	}
	return originals
}

// replaceReading stores what a reader has made of an original. A record whose original cannot be
// read stays as it is, and is fetched again.
func (s *syncer) replaceReading(tx *archive.Tx, o archive.Original, r source.Reading, edits []revisionEdit, version string, done *Reread) error {
	if o.Data == nil { // the check removes it
		return tx.Originals.MarkRead(o, archive.Unreadable(version))
	}
	stored, err := tx.Get(o.Kind, o.Record)
	if errors.Is(err, database.ErrNotFound) || err == nil && (stored.Damaged || o.Part == record.SinglePart && stored.Single == nil) {
		return tx.Originals.MarkRead(o, version)
	}
	if err != nil {
		return err
	}
	next, err := s.reread(stored, r)
	switch {
	case errors.Is(err, errRecord):
		done.Stale = append(done.Stale, Failure{
			Kind: o.Kind, ID: o.Record, Operation: o.Operation,
			Reason: s.source.KeyGuard().Hide(fmt.Sprintf("the original %s %s cannot be read, and its record stays as it was: %v", o.Type, o.ID, err)),
		})
		return errors.Join(tx.Originals.MarkRead(o, archive.Unreadable(version)), tx.Schedule.Postpone(o.Kind, o.Record, s.Now()))
	case err != nil:
		return err
	case string(next.List) != string(stored.List) || string(next.Single) != string(stored.Single):
		done.Records++
		if err := tx.Replace(next); err != nil {
			return err
		}
	}
	for _, e := range edits {
		if err := tx.ReplaceRevision(stored.Row, e.part, e.at, e.json); err != nil {
			return err
		}
	}
	if r.Wants && stored.GoneAt.IsZero() {
		done.Wanting++
		if err := tx.Schedule.Postpone(o.Kind, o.Record, s.Now()); err != nil {
			return err
		}
	}
	o.Notes = r.Notes.String()
	return tx.Originals.MarkRead(o, version)
}

// reread returns a record of the archive as a reader has made it. Its list record stays where that
// is newer than its original. The error is errRecord.
func (s *syncer) reread(stored *archive.Record, r source.Reading) (*archive.Record, error) {
	next := *stored
	for _, part := range []struct {
		of   *[]byte
		json []byte
	}{{&next.List, r.List}, {&next.Single, r.Single}} {
		if r.Err != nil || part.json == nil || *part.of == nil {
			continue
		}
		id, err := record.ID(part.json)
		if err != nil || id != stored.ID {
			return nil, fmt.Errorf("%w: it is of %q", errRecord, id)
		}
		json, err := s.redact(part.json)
		if err != nil {
			return nil, err
		}
		if part.of == &next.Single || record.Modified(json, s.Dates).Equal(record.Modified(next.List, s.Dates)) {
			*part.of = json
		}
	}
	if r.Err != nil {
		return nil, fmt.Errorf("%w: %w", errRecord, r.Err)
	}
	_, _, err := s.read(&next)
	return &next, err
}

// A revisionEdit is another reading of an earlier version of a part of a record.
type revisionEdit struct {
	part string
	at   time.Time // when it was replaced
	json []byte
}

// readEarlier reads the earlier versions of a record again, as far as their originals are kept, so
// that what a reader does better is no change of the paper.
func (s *syncer) readEarlier(ctx context.Context, reader source.Reader, of archive.Original, current source.Reading) (edits []revisionEdit, err error) {
	stored, err := s.archive.Records.Get(ctx, of.Kind, of.Record)
	if errors.Is(err, database.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, inArchive(err)
	}
	versions, size := []archive.Original{of}, 0 // the latest first
	for o, err := range s.archive.Originals.Earlier(ctx, of.Kind, of.Record) {
		if err != nil {
			return nil, inArchive(err)
		}
		if size += len(o.Data); size > earlierBytes {
			break
		}
		versions = append(versions, o)
	}
	readings := []source.Reading{current}
	if len(versions) > 1 {
		earlier, err := reader.Read(ctx, sourceOriginals(versions[1:]))
		if err != nil {
			return nil, err
		}
		readings = append(readings, earlier...)
	}
	for revision, err := range s.archive.Records.Earlier(ctx, stored.Row) {
		if err != nil {
			return nil, inArchive(err)
		}
		if e, ok := s.editOf(revision, versions, readings); ok {
			edits = append(edits, e)
		}
	}
	return edits, nil
}

// editOf returns another reading of an earlier version of a part. The single record was made of
// the original that was replaced with it, the list record of what held then, if that has its date.
func (s *syncer) editOf(revision archive.Revision, versions []archive.Original, readings []source.Reading) (revisionEdit, bool) {
	at := len(versions) - 1
	for at > 0 && versions[at].Replaced.Before(revision.ReplacedAt) {
		at--
	}
	json := readings[at].List
	if revision.Part == record.SinglePart {
		json = readings[at].Single
		if !versions[at].Replaced.Equal(revision.ReplacedAt) {
			return revisionEdit{}, false
		}
	}
	if readings[at].Err != nil || !slices.Contains([]string{record.ListPart, record.SinglePart}, revision.Part) ||
		!record.Modified(json, s.Dates).Equal(record.Modified(revision.JSON, s.Dates)) {
		return revisionEdit{}, false
	}
	json, err := s.redact(json)
	return revisionEdit{revision.Part, revision.ReplacedAt, json}, err == nil && string(json) != string(revision.JSON)
}
