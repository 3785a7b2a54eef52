package page

import (
	"context"
	"slices"

	"ayna/generator/site"
)

// section is a list and its newest items: a part of home or of an index.
type section struct {
	link
	All       string // the word for all of them
	Onward    string // an arrow
	Teasers   []teaser
	Headlines []link
}

// part returns a section that shows items, those with pictures first, and one large.
func (r *Renderer) part(ctx context.Context, f *pageView, to link, items site.Items) (section, error) {
	shown := slices.Collect(items.All())
	teasers, err := r.readTeasers(ctx, f, shown)
	if err != nil {
		return section{}, err
	}
	sortFirst(shown, teasers.pictured)
	part := section{link: to, All: f.Words.All, Onward: f.Words.Onward, Teasers: teasers.list(shown, 3, nil)}
	part.shortenBelowFirst(thumbSizes)
	return part, nil
}

// shorten shortens the teasers.
func (s *section) shorten(sizes string) {
	for i := range s.Teasers {
		s.Teasers[i].shorten(sizes)
	}
}

// shortenBelowFirst makes the first teaser large and shortens the others.
func (s *section) shortenBelowFirst(sizes string) {
	for i := range s.Teasers {
		if i == 0 {
			s.Teasers[i].resize(largeSizes)
		} else {
			s.Teasers[i].shorten(sizes)
		}
	}
}

// resize leaves out of a teaser its time, and gives its picture other sizes.
func (t *teaser) resize(sizes string) {
	t.Published = nil
	if t.Picture != nil {
		t.Picture.Sizes = sizes
	}
}

// shorten resizes a teaser, and leaves out its spot if it has a picture.
func (t *teaser) shorten(sizes string) {
	if t.resize(sizes); t.Picture != nil {
		t.Spot = ""
	}
}
