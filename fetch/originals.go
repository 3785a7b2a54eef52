package fetch

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/source"
	"ayna/source/get"
	"ayna/source/note"
)

// originals keeps for a source, in the archive, the elements of lists that its records name.
type originals struct{ s *syncer }

// Single implements [source.Originals].
func (o originals) Single(ctx context.Context, typ, id string) (json.RawMessage, error) {
	stored, err := checked(o.s.archive.Originals.Get(context.WithoutCancel(ctx), typ, record.SinglePart, []string{id}))
	return stored[id].Data, err
}

// Some implements [source.Originals].
func (o originals) Some(ctx context.Context, typ string, ids []string) (map[string]json.RawMessage, error) {
	stored, err := checked(o.s.archive.Originals.Get(context.WithoutCancel(ctx), typ, record.ListPart, ids))
	if err != nil {
		return nil, err
	}
	all := make(map[string]json.RawMessage)
	for id, original := range stored {
		all[id] = original.Data
	}
	return all, nil
}

// All implements [source.Originals].
func (o originals) All(ctx context.Context, typ string) (map[string]json.RawMessage, error) {
	all := make(map[string]json.RawMessage)
	for original, err := range o.s.archive.Originals.All(context.WithoutCancel(ctx), typ, record.ListPart) {
		if err != nil {
			return nil, inArchive(err)
		}
		all[original.ID] = original.Data
	}
	return all, nil
}

// Put implements [source.Originals]. Elements with the source's key, and those of records that
// were removed for good, are not kept.
func (o originals) Put(ctx context.Context, changed []source.Original) error {
	return o.s.update(ctx, func(tx *archive.Tx) error {
		for _, c := range changed {
			if err := o.put(tx, c); err != nil {
				return err
			}
		}
		return nil
	})
}

func (o originals) put(tx *archive.Tx, c source.Original) error {
	kind := kindOf[c.Group]
	if c.Record == "" {
		kind = ""
	}
	switch {
	case c.Data == nil:
		return tx.Originals.Delete(c.Type, c.ID)
	case o.s.source.KeyGuard().InJSON(c.Data):
		o.s.fail(Failure{Operation: c.Type, ID: c.ID}, get.ErrSecret)
		return nil
	case c.Record != "" && o.s.isForgottenRecord(kind, c.Record):
		return nil
	}
	data, err := o.s.redact(c.Data)
	if err != nil { // its record is refused as well
		return nil
	}
	original := o.s.originalOf(c, kind, c.Record, o.s.Now(), nil)
	original.Part, original.Data = record.ListPart, data
	if _, err := tx.Originals.Put(original); err != nil {
		return fmt.Errorf("keep %s %s as the source has sent it: %w", c.Type, c.ID, err)
	}
	return nil
}

// originalOf returns the original of a record, or of none, as the archive keeps it. notes are what
// the record lacks.
func (s *syncer) originalOf(o source.Original, kind record.Kind, id string, now time.Time, notes note.Set) archive.Original {
	kept := archive.Original{Type: o.Type, ID: o.ID, Kind: kind, Record: id, Operation: o.Operation, Fetched: now, Data: o.Data}
	if id != "" {
		kept.Reader, kept.Notes = s.readerVersion(), notes.String()
	}
	return kept
}

// readerVersion returns that of the source's [source.Reader], "" if it is none.
func (s *syncer) readerVersion() string {
	if r, ok := s.source.(source.Reader); ok {
		return r.ReaderVersion()
	}
	return ""
}

// checkOriginal removes mentions of records that were removed for good from the original of a
// single record. It refuses one that the archive cannot keep, and its record with it.
func (s *syncer) checkOriginal(o *source.Original) error {
	if o.Data == nil {
		return nil
	}
	if s.source.KeyGuard().InJSON(o.Data) {
		return fmt.Errorf("%w: %w", errRecord, get.ErrSecret)
	}
	if len(o.Data) > archive.MaxOriginal {
		return fmt.Errorf("%w: it has %d bytes, and at most %d are kept", errRecord, len(o.Data), archive.MaxOriginal)
	}
	data, err := s.redact(o.Data)
	o.Data = data
	return err
}

func (s *syncer) isForgottenRecord(kind record.Kind, id string) bool {
	for _, f := range s.forgotten {
		if f.Kind == kind && f.ID == id {
			return true
		}
	}
	return false
}

// allOriginals is the value of [archive.OriginalsState] of an archive that lacks none, and
// toldOriginals that of one for which a run has said how many it lacks.
const (
	allOriginals  = "all"
	toldOriginals = "told"
)

// rowsWithoutOriginal returns the rows of records that an earlier version of the program has
// fetched, the newest first, as far as the limits of later passes allow. The first run that
// finds some reports how many they are.
func (s *syncer) rowsWithoutOriginal(ctx context.Context) (rows []int64, err error) {
	if s.readerVersion() == "" {
		return nil, nil
	}
	known, err := checked(s.archive.State.Get(ctx, archive.OriginalsState))
	if err != nil || known == allOriginals {
		return nil, err
	}
	for row, err := range s.archive.Originals.WithoutOriginal(ctx) {
		if err != nil {
			return nil, inArchive(err)
		}
		rows = append(rows, row)
	}
	state := allOriginals
	if len(rows) > 0 {
		state = toldOriginals
	}
	if state != known {
		if err := s.update(ctx, func(tx *archive.Tx) error { return tx.State.Set(archive.OriginalsState, state) }); err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			s.report.Warnings = append(s.report.Warnings, fmt.Sprintf("%d records came before what the source sends was kept; this run and later ones fetch them again within the limits, the newest first", len(rows)))
		}
	}
	left, bulk := max(0, s.relistBudget.Load()), int64(s.facts.Bulk)
	if left < int64(len(rows))*requestsOfFetch {
		calls := (left + requestsOfFetch - 1) / requestsOfFetch
		rows = rows[:min(int64(len(rows)), calls*bulk)]
	}
	s.relistBudget.Add(-(int64(len(rows)) + bulk - 1) / bulk * requestsOfFetch)
	return rows, nil
}

// requestsOfFetch is about how many requests one call of Fetch sends: for records of two types,
// and for their pictures and tags.
const requestsOfFetch = 4
