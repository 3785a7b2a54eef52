package story

import (
	"context"
	"fmt"
	"slices"

	"ayna/archive"
	"ayna/generator/prose"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// Teaser is what a list shows of an item.
type Teaser struct {
	site.Item
	Title   string // plain text, never empty
	Spot    string // plain text, may be empty
	Picture *Picture
}

// Teasers reads the teasers of items, in their order.
func (r *Reader) Teasers(ctx context.Context, items []site.Item) ([]Teaser, error) {
	sheaves, err := r.sheavesOf(ctx, items)
	if err != nil {
		return nil, err
	}
	teasers := make([]Teaser, len(items))
	var missing []int64
	for i, item := range items {
		if t, ok := sheaves[i].Teaser(item.Row()); ok {
			teasers[i] = r.teaser(item, &t)
		} else {
			missing = append(missing, item.Row())
		}
	}
	if len(missing) == 0 {
		return teasers, nil
	}
	stored, err := r.Archive.Teasers(ctx, missing, r.Mirror)
	if err != nil {
		return nil, err
	}
	byRow := make(map[int64]*archive.Teaser, len(stored))
	for i := range stored {
		byRow[stored[i].Row] = &stored[i]
	}
	for i, item := range items {
		if teasers[i].Item.Exists() {
			continue
		}
		t := byRow[item.Row()]
		if t == nil {
			return nil, fmt.Errorf("teaser of %s %s: %w", item.Kind(), item.ID(), archive.ErrNotFound)
		}
		teasers[i] = r.teaser(item, t)
	}
	return teasers, nil
}

func (r *Reader) teaser(item site.Item, t *archive.Teaser) Teaser {
	shown := Teaser{Item: item, Title: title(t.Title, t.Spot, item.ID()), Spot: t.Spot}
	if r.shows(t.Lead, t.Media) {
		picture := r.picture(wire.File{URL: t.Lead}, t.Media)
		shown.Picture = &picture
	}
	return shown
}

// sheavesKept is how many sheaves are kept at hand: the teasers of 65,536 rows
// that follow each other, some 20 MB.
const sheavesKept = 1 << 11

// sheaf is one that is kept at hand.
type sheaf struct {
	number int64
	archive.Sheaf
}

// sheavesOf returns the sheaf of each item, an empty one where there is none.
// Items that stand on one page are mostly in a few.
func (r *Reader) sheavesOf(ctx context.Context, items []site.Item) ([]archive.Sheaf, error) {
	sheaves := make([]archive.Sheaf, len(items))
	var missing []int64
	for i, item := range items {
		number := archive.SheafOf(item.Row())
		if kept := r.sheaves[number%sheavesKept].Load(); kept != nil && kept.number == number {
			sheaves[i] = kept.Sheaf
		} else {
			missing = append(missing, number)
		}
	}
	if len(missing) == 0 {
		return sheaves, nil
	}
	slices.Sort(missing)
	missing = slices.Compact(missing)
	read := make(map[int64]archive.Sheaf, len(missing))
	for _, number := range missing {
		read[number] = archive.Sheaf{}
	}
	if err := r.Archive.Sheaves(ctx, missing, func(number int64, s archive.Sheaf) { read[number] = s }); err != nil {
		return nil, err
	}
	for number, s := range read {
		r.sheaves[number%sheavesKept].Store(&sheaf{number, s})
	}
	for i, item := range items {
		if s, ok := read[archive.SheafOf(item.Row())]; ok {
			sheaves[i] = s
		}
	}
	return sheaves, nil
}

// shows reports whether there is something to show of a lead picture.
func (r *Reader) shows(lead string, m archive.Media) bool {
	return lead != "" && (m.Name != "" || !r.Mirror)
}

// title falls back to the beginning of the spot, and to the id.
func title(title, spot, id string) string {
	const most = 80
	switch {
	case prose.Visible(title):
		return title
	case prose.Visible(spot):
		return prose.Shorten(spot, most)
	}
	return id
}

// Portrait reads a writer's picture; nil if there is none to show.
func (r *Reader) Portrait(ctx context.Context, w *site.Writer) (*Picture, error) {
	if w.Row == 0 {
		return nil, nil
	}
	stored, err := r.Archive.Teasers(ctx, []int64{w.Row}, r.Mirror)
	if err != nil {
		return nil, fmt.Errorf("portrait of %s: %w", w.Title, err)
	}
	for _, t := range stored {
		if r.shows(t.Lead, t.Media) {
			picture := r.picture(wire.File{URL: t.Lead}, t.Media)
			return &picture, nil
		}
	}
	return nil, nil
}
