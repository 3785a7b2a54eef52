package fetch

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"ayna/archive"
	"ayna/archive/schedule"
	"ayna/record"
	"ayna/source"
)

// An answer to one light request for up to a hundred ids proves that those which it leaves out
// are gone if it also has a witness: a record of the same type that is as new as they are. A
// cache or a back end that lags behind has no such witness. Without one, each is asked for at
// its own address; a 404 there must be heard again in a run an hour later, since a source
// that lags behind answers so, too.
const (
	absenceGap   = time.Hour // two sightings of an absence within it count as one
	absences     = 2         // sightings after which an absence is believed
	witnessTries = 200       // records that are looked at to find a witness of a type
)

// An absentee is a record of the archive that its list lacks.
type absentee struct {
	schedule.Due
	source.Known
	seen time.Time // first
}

// prove asks a source for the records that a list lacks, and marks them as gone or as seen. It
// reports whether some of them are still to be asked for.
func (s *syncer) prove(ctx context.Context, prover source.Prover, l *list, rows []int64) (waiting bool, err error) {
	byType := make(map[string][]absentee)
	for _, row := range rows {
		a, err := s.absentee(ctx, row)
		if err != nil {
			return true, err
		}
		of := prover.TypeOf(a.Known)
		byType[of] = append(byType[of], a)
	}
	for _, of := range slices.Sorted(maps.Keys(byType)) {
		witness, err := s.witness(ctx, prover, l, of)
		if err != nil {
			return true, err
		}
		var together, alone []absentee
		for _, a := range byType[of] {
			if a.Modified.IsZero() || a.Modified.After(witness.Modified) {
				alone = append(alone, a)
			} else {
				together = append(together, a)
			}
		}
		for some := range slices.Chunk(together, max(1, s.facts.Bulk-1)) {
			left, err := s.proveTogether(ctx, prover, l, some, witness)
			if waiting = waiting || left; err != nil {
				return true, err
			}
		}
		for _, a := range alone {
			left, err := s.proveAlone(ctx, prover, l, a)
			if waiting = waiting || left; err != nil {
				return true, err
			}
		}
	}
	return waiting, nil
}

func (s *syncer) absentee(ctx context.Context, row int64) (a absentee, err error) {
	if a.Due, err = checked(s.archive.Schedule.At(ctx, row)); err != nil {
		return a, err
	}
	stored, err := checked(s.archive.Records.Get(ctx, a.Kind, a.Due.ID))
	if err != nil {
		return a, err
	}
	a.seen, a.Known = stored.Seen, s.known(stored)
	return a, nil
}

func (s *syncer) known(stored *archive.Record) source.Known {
	return source.Known{ID: stored.ID, Modified: record.Modified(stored.List, s.Dates), List: stored.List}
}

// witness returns the last modified record of a type that the latest passes over a list have
// seen, zero if they have seen no record of it, or none would come in the same answer as others.
// A date in the future proves nothing.
func (s *syncer) witness(ctx context.Context, prover source.Prover, l *list, of string) (latest source.Known, err error) {
	if s.facts.ProvesAlone {
		return latest, nil
	}
	for _, kind := range l.kinds {
		rows, err := rowsOf(s.archive.Schedule.Latest(ctx, kind, l.seenFrom(), s.Now(), witnessTries), func(schedule.Due) bool { return true })
		if err != nil {
			return latest, err
		}
		for _, row := range rows {
			a, err := s.absentee(ctx, row)
			if err != nil {
				return latest, err
			}
			if prover.TypeOf(a.Known) == of {
				if a.Modified.After(latest.Modified) {
					latest = a.Known
				}
				break
			}
		}
	}
	return latest, nil
}

// proveTogether asks for some records and a witness with one request.
func (s *syncer) proveTogether(ctx context.Context, prover source.Prover, l *list, some []absentee, witness source.Known) (waiting bool, err error) {
	asked := []source.Known{witness}
	for _, a := range some {
		asked = append(asked, a.Known)
	}
	dates, err := call(ctx, s, func(ctx context.Context) (map[string]time.Time, error) { return prover.Dates(ctx, l.group, asked) })
	if err != nil {
		return true, s.noProof(l, "", err)
	}
	at, came := dates[witness.ID]
	isProof := came && !at.Before(witness.Modified)
	for _, a := range some {
		left := false
		switch _, isThere := dates[a.Known.ID]; {
		case isThere:
			err = s.markSeen(ctx, a.Due, l.Pass.Number)
		case isProof:
			left, err = s.retire(ctx, l, a)
		default:
			left = true
		}
		if waiting = waiting || left; err != nil {
			return true, err
		}
	}
	return waiting, nil
}

// proveAlone asks for a record at its own address.
func (s *syncer) proveAlone(ctx context.Context, prover source.Prover, l *list, a absentee) (waiting bool, err error) {
	state, err := call(ctx, s, func(ctx context.Context) (source.State, error) { return prover.Ask(ctx, l.group, a.Known) })
	switch {
	case err != nil:
		return true, s.noProof(l, a.Known.ID, err)
	case state == source.Present:
		return false, s.markSeen(ctx, a.Due, l.Pass.Number)
	case state == source.Gone && s.Now().Sub(a.seen) >= absenceGap:
		return s.retire(ctx, l, a)
	case state != source.Gone && state != source.NotFound:
		return true, nil
	}
	return s.retireIfSeen(ctx, a)
}

// retire marks a record as gone that is not public as one of its type. While records of
// another type cannot be read, it may have become one of those: then the next run asks again.
func (s *syncer) retire(ctx context.Context, l *list, a absentee) (waiting bool, err error) {
	if len(l.Pass.Lacking) > 0 {
		return s.retireIfSeen(ctx, a)
	}
	return false, s.markGone(ctx, a.Due)
}

// retireIfSeen marks a record as gone if its absence was seen often enough.
func (s *syncer) retireIfSeen(ctx context.Context, a absentee) (waiting bool, err error) {
	believed, err := s.believesAbsence(ctx, a.Due, "its own address has no record")
	if err != nil || !believed {
		s.tally(a.Kind, func(c *Count) { c.Missing++ })
		return true, err
	}
	return false, s.markGone(ctx, a.Due)
}

// believesAbsence counts a sighting of an absence, and reports whether it was seen often enough.
func (s *syncer) believesAbsence(ctx context.Context, w schedule.Due, claim string) (believed bool, err error) {
	err = s.update(ctx, func(tx *archive.Tx) error {
		d, err := tx.Schedule.Doubt(w.Row, schedule.GonePart, claim, s.Now(), absenceGap)
		believed = d.Times >= absences
		return err
	})
	return believed, err
}

// noProof reports a request that proves nothing. The error is one that ends the run.
func (s *syncer) noProof(l *list, id string, err error) error {
	if isFatal(err) || isBudget(err) {
		return err
	}
	s.fail(Failure{Kind: l.kinds[0], ID: id, Operation: l.operation}, fmt.Errorf("whether it is gone: %w", err))
	return nil
}

// ofListedTypes leaves out the rows of records whose types the list lacks altogether: those that
// could not be read, and those of which it has none, which is reported.
func (s *syncer) ofListedTypes(ctx context.Context, prover source.Prover, l *list, rows []int64) (listed []int64, err error) {
	if len(l.Pass.Lacking)+len(l.empty) == 0 {
		return rows, nil
	}
	emptied := make(map[string]int)
	for _, row := range rows {
		a, err := s.absentee(ctx, row)
		if err != nil {
			return nil, err
		}
		of := prover.TypeOf(a.Known)
		switch {
		case slices.Contains(l.Pass.Lacking, of):
			continue
		case slices.Contains(l.empty, of):
			if emptied[of]++; len(rows) > s.AllowDelete {
				continue
			}
		}
		listed = append(listed, row)
	}
	for _, of := range slices.Sorted(maps.Keys(emptied)) {
		if len(rows) > s.AllowDelete {
			s.fail(Failure{Kind: l.kinds[0], Operation: of}, suddenlyEmpty(emptied[of]))
			l.Pass.Lacking = union(l.Pass.Lacking, []string{of})
		}
	}
	return listed, nil
}

// suddenlyEmpty is the error of a list that has no records, while the archive has n.
func suddenlyEmpty(n int) error {
	return fmt.Errorf("the list is suddenly empty; the %d records of the archive stay; if all were removed on purpose, build with --allow-delete %d", n, n)
}

// isOfNames reports whether a list has folders or writers that are read whole in each run:
// what records name by id, which is never asked for by itself.
func (l *list) isOfNames(facts source.Facts) bool { return facts.NamesEachRun && l.isOfNamedRecords() }

// isOfNamedRecords reports whether a list has folders or writers, which other records name.
func (l *list) isOfNamedRecords() bool {
	return slices.Contains(l.kinds, record.Folder) || slices.Contains(l.kinds, record.Writer)
}

// retireNames marks folders and writers as gone that two passes over their list lack and no
// item names, and folders whose path another record has. Those that brief list records name are looked
// for in single records meanwhile.
func (s *syncer) retireNames(ctx context.Context, rows []int64) error {
	for _, row := range rows {
		w, err := checked(s.archive.Schedule.At(ctx, row))
		if err != nil {
			return err
		}
		path := ""
		if len(w.Paths) > 0 {
			path = w.Paths[0]
		}
		believed, err := s.believesAbsence(ctx, w, "its list lacks it")
		if err != nil {
			return err
		}
		named, err := checked(s.archive.Schedule.IsNamed(ctx, w.Kind, w.ID, path))
		switch {
		case err != nil:
			return err
		case named && w.Kind == record.Folder && s.facts.Brief:
			err = s.update(ctx, func(tx *archive.Tx) error { return tx.Schedule.RecheckIn(path) })
		case believed && !named:
			err = s.markGone(ctx, w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
