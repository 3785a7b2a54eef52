package generator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/sync"
	"ayna/generator/wire"
)

// Forget names a record that is to be taken out.
type Forget struct {
	Kind archive.Kind
	ID   string
}

// Forgotten is a record that was taken out.
type Forgotten struct {
	Kind archive.Kind `json:"kind"`
	ID   string       `json:"id"`
	Held bool         `json:"held"` // the archive had it; if not, it will not be stored should it come
}

// forget takes a record out for good.
func (r *Report) forget(ctx context.Context, a *archive.Archive, o Options) error {
	defer r.time("forget")()
	f := Forgotten{Kind: o.Forget.Kind, ID: o.Forget.ID}
	hash, err := hashOf(ctx, a, f.Kind, f.ID)
	if err != nil {
		return err
	}
	f.Held = hash != ""
	versions, err := versionsOf(ctx, a, f.Kind, f.ID, o.Config.Location)
	if err != nil {
		return err
	}
	if err := arrange.Forget(ctx, a, versions); err != nil {
		return err
	}
	if err := sync.Forget(ctx, a, f.Kind, f.ID, o.Config.Location); err != nil {
		return err
	}
	r.Forgotten = &f
	return nil
}

// versionsOf returns a record and what it was before, none if it is unknown. A
// version that cannot be read was on no page.
func versionsOf(ctx context.Context, a *archive.Archive, kind archive.Kind, id string, zone *time.Location) ([]*archive.Record, error) {
	record, err := a.Get(ctx, kind, id)
	if errors.Is(err, archive.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("forget %s %s: %w", kind, id, err)
	}
	versions := []*archive.Record{record}
	for revision, err := range a.Earlier(ctx, record.Row) {
		if err != nil {
			return nil, fmt.Errorf("forget %s %s: %w", kind, id, err)
		}
		earlier := &archive.Record{Kind: kind, ID: id, List: revision.JSON}
		if wire.Fill(earlier, zone) == nil {
			versions = append(versions, earlier)
		}
	}
	return versions, nil
}
