// Package story reads from the archive what a page or a feed shows of an item:
// headline, spot, pictures, text and what they refer to. It is read when it is
// needed and not kept, so a site's memory does not grow with its content.
package story

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/generator/prose"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// Reader reads stories and teasers for one arranged site.
type Reader struct {
	Archive *archive.Archive
	Site    *site.Site
	Mirror  bool // pictures are shown from the mirror; otherwise from the source
}

// Story is all that the page of an item, or a feed entry, shows of it.
type Story struct {
	*site.Item
	Title    string // plain text, never empty
	Spot     string // plain text, may be empty
	Editor   string // plain text, may be empty
	Source   string // address of the original, "" if it has none that is safe
	Body     prose.Body
	Pictures []Picture // the record's own pictures, the lead picture first
	Related  []Related // in the service's order
	Waiting  bool      // the text has not arrived yet
	Gone     time.Time // when the record was found gone from the source; zero if it is there
	Hash     string    // SHA-256 of the raw record, hexadecimal

	media  map[string]archive.Media
	reader *Reader
}

// Picture is a picture of an item.
type Picture struct {
	Source  string // address at the source
	Title   string // plain text, may be empty
	Caption string // plain text, may be empty
	File    string // address in the published tree; "" if it is not mirrored
	Link    string // address to show it from where it is not mirrored; "" if it must not be shown so
	Type    string // media type, "" if it is not mirrored
	Width   int    // pixels, 0 if unknown
	Height  int    // pixels, 0 if unknown
	Bytes   int64  // 0 if unknown
}

// Related is an item that an item refers to.
type Related struct {
	Item  *site.Item // nil if the archive does not hold it
	Title string
	URL   string // at the source, safe; may be empty
}

// Teaser is what a list shows of an item.
type Teaser struct {
	*site.Item
	Title   string // plain text, never empty
	Spot    string // plain text, may be empty
	Picture *Picture
}

// Story reads the story of an item.
func (r *Reader) Story(ctx context.Context, item *site.Item) (*Story, error) {
	record, err := r.Archive.Row(ctx, item.Row)
	if err != nil {
		return nil, fmt.Errorf("story of %s %s: %w", item.Kind, item.ID, err)
	}
	content, err := wire.ContentOf(record)
	if err != nil {
		return nil, fmt.Errorf("story of %s %s: %w", item.Kind, item.ID, err)
	}
	s := &Story{
		Item:    item,
		Title:   title(record.Title, record.Spot, item.ID),
		Spot:    record.Spot,
		Editor:  record.Editor,
		Body:    prose.Clean(content.Text, prose.Options{Title: record.Title, Base: record.URL, Table: r.Site.Words.Table}),
		Waiting: record.Single == nil && content.Text == "",
		Gone:    record.Vanished,
		Hash:    hex.EncodeToString(record.Hash[:]),
		reader:  r,
	}
	s.Source, _ = prose.SafeURL(record.URL)
	if r.Mirror {
		if s.media, err = r.Archive.MediaOf(ctx, item.Row); err != nil {
			return nil, fmt.Errorf("story of %s %s: %w", item.Kind, item.ID, err)
		}
	}
	for _, file := range content.Files {
		s.Pictures = append(s.Pictures, r.picture(file, s.media[file.URL]))
	}
	for _, reference := range record.Related {
		s.Related = append(s.Related, r.related(reference))
	}
	return s, nil
}

func (r *Reader) picture(file wire.File, m archive.Media) Picture {
	p := Picture{Source: file.URL, Title: file.Title, Caption: file.Caption}
	switch {
	case !r.Mirror: // what an earlier build mirrored is not published
		p.Link = file.URL
	case m.Name != "":
		p.File, p.Type = site.MediaAddress(m.Name), m.Type
		p.Width, p.Height, p.Bytes = m.Width, m.Height, m.Bytes
	}
	return p
}

// Src returns what a page shows the picture from; address turns an address of
// the published tree into what stands in a src. It is "" if there is nothing
// to show.
func (p *Picture) Src(address func(string) string) string {
	if p.File != "" {
		return address(p.File)
	}
	return p.Link
}

func (r *Reader) related(reference archive.Reference) Related {
	related := Related{Item: r.Site.Refer(reference.ID, reference.URL), Title: reference.Title}
	related.URL, _ = prose.SafeURL(reference.URL)
	if related.Title == "" {
		related.Title = reference.ID
	}
	return related
}

// Teasers reads the teasers of items, in their order.
func (r *Reader) Teasers(ctx context.Context, items []*site.Item) ([]Teaser, error) {
	rows := make([]int64, len(items))
	for i, item := range items {
		rows[i] = item.Row
	}
	stored, err := r.Archive.Teasers(ctx, rows)
	if err != nil {
		return nil, err
	}
	teasers := make([]Teaser, len(items))
	for i, item := range items {
		t, ok := stored[item.Row]
		if !ok {
			return nil, fmt.Errorf("teaser of %s %s: %w", item.Kind, item.ID, archive.ErrNotFound)
		}
		teasers[i] = Teaser{Item: item, Title: title(t.Title, t.Spot, item.ID), Spot: t.Spot}
		teasers[i].Picture = r.lead(t)
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

// Resolver returns a resolver for the story's text: address turns an address
// of the published tree into what stands in an href.
func (s *Story) Resolver(address func(string) string) prose.Resolver {
	return resolver{s, address}
}

type resolver struct {
	story   *Story
	address func(string) string
}

func (r resolver) Link(source string) string {
	if item := r.story.reader.Site.ByURL(source); item != nil {
		return r.address(item.Address)
	}
	return source
}

func (r resolver) Image(source string) (prose.Image, bool) {
	if !r.story.reader.Mirror {
		return prose.Image{Src: source}, true
	}
	m, ok := r.story.media[source]
	if !ok {
		return prose.Image{}, false
	}
	return prose.Image{Src: r.address(site.MediaAddress(m.Name)), Width: m.Width, Height: m.Height}, true
}
