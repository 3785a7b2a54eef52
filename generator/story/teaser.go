package story

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/generator/site"
	"ayna/prose"
	"ayna/record"
)

// Teaser is what a list shows of an item.
type Teaser struct {
	site.Item
	Title   string // plain text, never empty
	Spot    string // plain text, may be empty
	Picture *Picture
	Members bool // only members of the source read the whole text

	Pictures int // number of a gallery's pictures; 0 for other kinds
}

// Teasers are read in blocks of neighbouring rows, as the items of one page are
// mostly neighbours. maxBlocks to twice as many blocks stay in memory: the teasers
// of 262,144 to 524,288 rows, about 400 bytes each. With a sixteenth of them, 40,000
// items took 15 % more processor time.
const (
	blockRows = 32
	maxBlocks = 1 << 13
)

// longTeaser is the size in bytes from which a teaser is not kept in memory.
const longTeaser = 1 << 10

// block holds the teasers of neighbouring rows. Missing, long and unreadable ones
// are nil.
type block [blockRows]*archive.Teaser

// storedTeaser reads the teaser of a row.
func (r *Reader) storedTeaser(ctx context.Context, row int64) (*archive.Teaser, error) {
	number := row / blockRows
	b, ok := r.teasers.Get(number)
	if !ok {
		b = new(block)
		first := number * blockRows
		// A damaged row makes the whole range unreadable: then each row is read alone.
		teasers, _ := r.Archive.Catalog.TeasersBetween(ctx, first, first+blockRows-1, r.Mirror)
		for _, t := range teasers {
			if len(t.Title)+len(t.Spot)+len(t.Lead) < longTeaser {
				b[t.Row-first] = &t
			}
		}
		if ctx.Err() == nil {
			r.teasers.Put(number, b)
		}
	}
	if t := b[row%blockRows]; t != nil {
		return t, nil
	}
	alone, err := r.Archive.Catalog.Teasers(ctx, []int64{row}, r.Mirror)
	if err != nil {
		return nil, err
	}
	if len(alone) == 0 {
		return nil, database.ErrNotFound
	}
	return &alone[0], nil
}

// Teasers reads the teasers of items, in their order. An unreadable item has a title
// made from its address, so that lists can still show it; its own page reports the error.
// The only error is that of ctx.
func (r *Reader) Teasers(ctx context.Context, items []site.Item) ([]Teaser, error) {
	teasers := make([]Teaser, len(items))
	for i, item := range items {
		t, err := r.storedTeaser(ctx, item.Row())
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			teasers[i] = Teaser{Item: item, Title: titleOfAddress(item)}
			r.reduced.Store(true)
		default:
			teasers[i] = Teaser{Item: item, Title: visibleTitle(t.Title, t.Spot, item.ID()), Spot: t.Spot, Picture: r.lead(t), Members: t.Members, Pictures: t.Pictures}
		}
	}
	return teasers, nil
}

// titleOfAddress returns the words of an item's address.
func titleOfAddress(item site.Item) string {
	name := strings.TrimSuffix(path.Base("/"+item.Address()), ".html")
	words := strings.ReplaceAll(strings.TrimSuffix(name, "-"+item.ID()), "-", " ")
	return cmp.Or(strings.Trim(words, "/ "), item.ID())
}

// lead returns the lead picture, nil without one or if the mirror lacks its file.
func (r *Reader) lead(t *archive.Teaser) *Picture {
	switch {
	case t.Lead == "" || t.Media == nil && r.Mirror:
		return nil
	case t.Media == nil:
		return &Picture{Source: t.Lead, Link: t.Lead}
	}
	return new(r.picture(record.File{URL: t.Lead}, *t.Media))
}

// visibleTitle returns the title, or else the beginning of the spot, or else the id.
func visibleTitle(title, spot, id string) string {
	const most = 80 // letters
	switch {
	case prose.Visible(title):
		return title
	case prose.Visible(spot):
		return prose.Shorten(spot, most)
	}
	return id
}

// About reads words about a writer, "" for none.
func (r *Reader) About(ctx context.Context, w *site.Writer) (string, error) {
	if w.Row == 0 {
		return "", nil
	}
	t, err := r.storedTeaser(ctx, w.Row)
	if err != nil {
		return "", fmt.Errorf("words about %s: %w", w.Title, err)
	}
	return t.Spot, nil
}

// Portrait reads a writer's picture, or nil.
func (r *Reader) Portrait(ctx context.Context, w *site.Writer) (*Picture, error) {
	if w.Row == 0 {
		return nil, nil
	}
	t, err := r.storedTeaser(ctx, w.Row)
	if err != nil {
		return nil, fmt.Errorf("portrait of %s: %w", w.Title, err)
	}
	return r.lead(t), nil
}
