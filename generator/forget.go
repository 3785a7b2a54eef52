package generator

import (
	"context"

	"ayna/archive"
	"ayna/generator/sync"
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
	if err := sync.Forget(ctx, a, f.Kind, f.ID, o.Config.Location); err != nil {
		return err
	}
	r.Forgotten = &f
	return nil
}
