package story

import (
	"context"
	"fmt"
	"sync/atomic"

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
	teasers := make([]Teaser, len(items))
	var rows []int64
	for i, item := range items {
		if kept := r.place(item).Load(); kept != nil && kept.Item == item {
			teasers[i] = *kept
		} else {
			rows = append(rows, item.Row())
		}
	}
	if len(rows) == 0 {
		return teasers, nil
	}
	stored, err := r.Archive.Teasers(ctx, rows, r.Mirror)
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
		teasers[i] = *r.keep(item, title(t.Title, t.Spot, item.ID()), t.Spot, t.Lead, t.Media)
	}
	return teasers, nil
}

// teasersKept is how many teasers are kept at hand, some 400 bytes each; a long
// one is not.
const (
	teasersKept = 1 << 14
	longTeaser  = 1 << 10
)

// place is where the teaser of an item is kept. Items that follow each other, in
// time or in a folder, rarely have the same one.
func (r *Reader) place(item site.Item) *atomic.Pointer[Teaser] {
	return &r.teasers[item.Row()%teasersKept]
}

// keep makes a teaser and keeps it at hand. It holds no memory but its own.
func (r *Reader) keep(item site.Item, title, spot, lead string, m archive.Media) *Teaser {
	text := title + spot + lead
	title, spot, lead = text[:len(title)], text[len(title):][:len(spot)], text[len(title)+len(spot):]
	var made struct {
		teaser  Teaser
		picture Picture
	}
	made.teaser = Teaser{Item: item, Title: title, Spot: spot}
	if r.shows(lead, m) {
		made.picture = r.picture(wire.File{URL: lead}, m)
		made.teaser.Picture = &made.picture
	}
	if len(text) <= longTeaser {
		r.place(item).Store(&made.teaser)
	}
	return &made.teaser
}

// keepOf keeps the teaser of an item whose story has been read, unless it is
// there.
func (r *Reader) keepOf(item site.Item, k *kept, media map[string]archive.Media) {
	if old := r.place(item).Load(); old != nil && old.Item == item {
		return
	}
	m, known := media[k.lead]
	if r.Mirror && k.lead != "" && !known {
		return // the archive may know more of it
	}
	r.keep(item, k.title, k.spot, k.lead, m)
}

// shows reports whether there is something to show of a lead picture.
func (r *Reader) shows(lead string, m archive.Media) bool {
	return lead != "" && (m.Name != "" || !r.Mirror)
}

// title falls back to the beginning of the spot, and to the id.
func title(title, spot, id string) string {
	const most = 80
	switch {
	case title != "":
		return title
	case spot != "":
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
