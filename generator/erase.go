package generator

import (
	"context"
	"errors"
	"fmt"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/generator/arrange"
	"ayna/generator/swap"
	"ayna/record"
)

// eraseForgotten removes what the archive still holds of forgotten records, and pictures that
// no version of a record shows, after [runstate.State.PurgeDue] has reported that it may have some.
func eraseForgotten(ctx context.Context, a *archive.Archive, how record.Dates) error {
	forgotten, err := a.State.Forgotten(ctx)
	if err != nil {
		return err
	}
	for _, f := range forgotten {
		versions, err := versionsOf(ctx, a.Records, f.Kind, f.ID, how)
		if err == nil {
			err = arrange.Forget(ctx, a, versions)
		}
		if err != nil {
			return fmt.Errorf("forget %s %s: %w", f.Kind, f.ID, err)
		}
	}
	if forgotten, err = a.State.Forgotten(ctx); err != nil {
		return err
	}
	return a.Purge(ctx, record.NewRedaction(forgotten...), record.Derive(how))
}

// forgetKept removes what the last arranging kept beside the site: it may name forgotten records.
func forgetKept(o Options) error {
	if o.NoSite {
		return nil
	}
	target, err := swap.OpenShared(o.Config.Output)
	if err != nil {
		return err
	}
	return errors.Join(arrange.ForgetKept(target.Hidden()), target.Close())
}

// versionsOf returns a record and its earlier versions, newest first; nothing if
// the record is unknown. An earlier version has the JSON of a list record or of a single
// record, and is read alone. Versions that cannot be read are skipped: no page showed them.
func versionsOf(ctx context.Context, records archive.Records, kind record.Kind, id string, how record.Dates) ([]*archive.Record, error) {
	stored, err := records.Get(ctx, kind, id)
	if errors.Is(err, database.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	versions := []*archive.Record{stored}
	for revision, err := range records.Earlier(ctx, stored.Row) {
		if err != nil {
			return nil, err
		}
		earlier := &archive.Record{Record: record.Record{Kind: kind, ID: id, Answers: record.Answers{List: revision.JSON}}}
		if record.Fill(&earlier.Record, how) == nil {
			versions = append(versions, earlier)
		}
	}
	return versions, nil
}
