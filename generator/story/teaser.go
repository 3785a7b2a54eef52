package story

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

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

// blockRows is how many rows that follow each other are read together: the items
// of one page are mostly neighbours. blocksKept blocks stay in memory: the teasers
// of 524,288 rows, about 300 bytes each. With a sixteenth of them, 40,000 items
// took 15 % more processor time.
const (
	blockRows  = 32
	blocksKept = 1 << 14
)

// longTeaser is the size in bytes from which a teaser is not kept in memory.
const longTeaser = 1 << 10

// block holds the teasers of blockRows rows. Missing, long and unreadable ones
// are zero.
type block struct {
	number  int64
	teasers [blockRows]keptTeaser
}

// keptTeaser is an [archive.Teaser] in less memory.
type keptTeaser struct {
	title, spot, lead string
	media             *archive.Media // nil if the lead picture is not mirrored
	known             bool
}

func (k *keptTeaser) teaser() *archive.Teaser {
	t := &archive.Teaser{Title: k.title, Spot: k.spot, Lead: k.lead}
	if k.media != nil {
		t.Media = *k.media
	}
	return t
}

// block returns the block that holds a row.
func (r *Reader) block(ctx context.Context, row int64) *block {
	number := row / blockRows
	place := &r.blocks[number%blocksKept]
	if kept := place.Load(); kept != nil && kept.number == number {
		return kept
	}
	read := &block{number: number}
	first := number * blockRows
	// A damaged row spoils the whole range: then each row is read by itself.
	teasers, err := r.Archive.TeasersBetween(ctx, first, first+blockRows-1, r.Mirror)
	if ctx.Err() != nil {
		return read
	}
	if err == nil {
		read.keep(teasers, first)
	}
	place.Store(read)
	return read
}

// keep copies short teasers into the block, their texts into one string.
func (b *block) keep(teasers []archive.Teaser, first int64) {
	short := func(t *archive.Teaser) bool { return len(t.Title)+len(t.Spot)+len(t.Lead) < longTeaser }
	var all strings.Builder
	for i := range teasers {
		if t := &teasers[i]; short(t) {
			all.WriteString(t.Title + t.Spot + t.Lead)
		}
	}
	texts := all.String()
	next := func(n int) (text string) {
		text, texts = texts[:n], texts[n:]
		return text
	}
	for i := range teasers {
		t := &teasers[i]
		if !short(t) {
			continue
		}
		k := keptTeaser{title: next(len(t.Title)), spot: next(len(t.Spot)), lead: next(len(t.Lead)), known: true}
		if t.Media.Name != "" {
			media := t.Media
			k.media = &media
		}
		b.teasers[t.Row-first] = k
	}
}

// Teasers reads the teasers of items, in their order. An item that cannot be
// read has a title made from its address: lists go on to show it, and its own
// page reports it. The only error is that of ctx.
func (r *Reader) Teasers(ctx context.Context, items []site.Item) ([]Teaser, error) {
	teasers := make([]Teaser, len(items))
	for i, item := range items {
		kept := &r.block(ctx, item.Row()).teasers[item.Row()%blockRows]
		t := kept.teaser()
		if !kept.known {
			alone, err := r.Archive.Teasers(ctx, []int64{item.Row()}, r.Mirror)
			if err == nil && len(alone) == 0 {
				err = archive.ErrNotFound
			}
			switch {
			case ctx.Err() != nil:
				return nil, context.Cause(ctx)
			case err != nil:
				teasers[i] = Teaser{Item: item, Title: titleOfAddress(item)}
				continue
			}
			t = &alone[0]
		}
		teasers[i] = r.teaser(item, t)
	}
	return teasers, nil
}

// titleOfAddress returns the words of an item's address.
func titleOfAddress(item site.Item) string {
	name := strings.TrimSuffix(path.Base("/"+item.Address()), ".html")
	words := strings.ReplaceAll(strings.TrimSuffix(name, "-"+item.ID()), "-", " ")
	return cmp.Or(strings.Trim(words, "/ "), item.ID())
}

func (r *Reader) teaser(item site.Item, t *archive.Teaser) Teaser {
	shown := Teaser{Item: item, Title: title(t.Title, t.Spot, item.ID()), Spot: t.Spot}
	if r.shows(t.Lead, t.Media) {
		picture := r.picture(wire.File{URL: t.Lead}, t.Media)
		shown.Picture = &picture
	}
	return shown
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

// Portrait reads a writer's picture; nil without one.
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
