package story

import (
	"context"
	"fmt"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// Teaser is what a list shows of an item.
type Teaser struct {
	*site.Item
	Title   string // plain text, never empty
	Spot    string // plain text, may be empty
	Picture *Picture
}

// Teasers reads the teasers of items, in their order.
func (r *Reader) Teasers(ctx context.Context, items []*site.Item) ([]Teaser, error) {
	teasers := make([]Teaser, len(items))
	var rows []int64
	for i, item := range items {
		if t, ok := r.teasers.Get(item.Row); ok {
			teasers[i] = t
		} else {
			rows = append(rows, item.Row)
		}
	}
	if len(rows) == 0 {
		return teasers, nil
	}
	stored, err := r.Archive.Teasers(ctx, rows)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		if teasers[i].Item != nil {
			continue
		}
		t, ok := stored[item.Row]
		if !ok {
			return nil, fmt.Errorf("teaser of %s %s: %w", item.Kind, item.ID, archive.ErrNotFound)
		}
		teasers[i] = Teaser{Item: item, Title: title(t.Title, t.Spot, item.ID), Spot: t.Spot, Picture: r.lead(t)}
		r.teasers.Put(item.Row, teasers[i])
	}
	return teasers, nil
}

// Portrait reads a writer's picture; nil if there is none to show.
func (r *Reader) Portrait(ctx context.Context, w *site.Writer) (*Picture, error) {
	if w.Row == 0 {
		return nil, nil
	}
	stored, err := r.Archive.Teasers(ctx, []int64{w.Row})
	if err != nil {
		return nil, fmt.Errorf("portrait of %s: %w", w.Title, err)
	}
	return r.lead(stored[w.Row]), nil
}

// lead returns the picture of a teaser, nil if there is nothing to show.
func (r *Reader) lead(t archive.Teaser) *Picture {
	if t.Lead == "" || (t.Media.Name == "" && r.Mirror) {
		return nil
	}
	picture := r.picture(wire.File{URL: t.Lead}, t.Media)
	return &picture
}
