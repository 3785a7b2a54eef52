package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// bodies fetches the single records that are wanted, newest first.
func (s *syncer) bodies(ctx context.Context) error {
	wanted, err := s.archive.Wanted(ctx, s.now())
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	wanted = s.ours(wanted)
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, s.Concurrency))
	var done atomic.Int64
	for _, w := range wanted {
		if inner.Err() != nil || s.exhausted() != nil {
			break
		}
		group.Go(func() error {
			err := s.body(inner, w)
			s.progress("fetch", int(done.Add(1)), len(wanted))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// ours drops what the site does not show.
func (s *syncer) ours(wanted []archive.Wanted) []archive.Wanted {
	kinds := s.kinds()
	return slices.DeleteFunc(wanted, func(w archive.Wanted) bool {
		return !slices.Contains(kinds, w.Kind) || !s.wants(w.Kind, w.Path)
	})
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

// body fetches one single record. One that cannot be had is reported, tried
// again in the next run, and stops no other.
func (s *syncer) body(ctx context.Context, w archive.Wanted) error {
	group := wire.Groups[w.Kind]
	raw, err := call(ctx, s, func(ctx context.Context) (json.RawMessage, error) {
		return s.client.Single(ctx, group, w.ID)
	})
	if err == nil {
		err = s.storeSingle(ctx, w, raw)
	}
	switch {
	case err == nil || fatal(err):
		return err
	case spent(err):
		s.exhaust(err)
		return nil
	}
	s.fail(Failure{Kind: w.Kind, ID: w.ID, Operation: string(group)}, err)
	return s.postpone(ctx, w)
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
	outdated := false
	err = s.update(ctx, func(tx *archive.Tx) error {
		record, err := tx.Get(w.Kind, w.ID)
		if errors.Is(err, archive.ErrNotFound) {
			return nil // taken out of the archive meanwhile
		}
		if err != nil {
			return err
		}
		if raw, err = s.redaction.Apply(raw); err != nil {
			return fmt.Errorf("%w: %w", errRecord, err)
		}
		if outdated = s.outdated(raw, record); outdated {
			return nil
		}
		record.Single, record.Fetched, record.Wanted = raw, s.now(), false
		record.Recheck, record.Tries, record.Again = false, 0, time.Time{}
		if _, err := s.put(tx, record); err != nil {
			return err
		}
		s.arrived(w.Kind)
		return nil
	})
	if err == nil && outdated {
		return fmt.Errorf("%s %s: %w", w.Kind, w.ID, errOutdated)
	}
	return err
}
