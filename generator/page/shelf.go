package page

import (
	"context"
	"slices"

	"ayna/generator/site"
	"ayna/generator/story"
)

// shelf holds the teasers that one page shows, read at once.
type shelf struct {
	*Renderer
	frame   *frame
	items   []site.Item
	teasers []story.Teaser // beside items
}

// shelf reads the teasers of all the items a page shows. Any item may be none
// or repeated.
func (r *Renderer) shelf(ctx context.Context, f *frame, groups ...[]site.Item) (shelf, error) {
	s := shelf{Renderer: r, frame: f}
	for _, group := range groups {
		for _, item := range group {
			if item.Exists() && !slices.Contains(s.items, item) {
				s.items = append(s.items, item)
			}
		}
	}
	var err error
	s.teasers, err = r.reader.Teasers(ctx, s.items)
	return s, err
}

// of returns an item's teaser, without a title if it is not on the shelf.
func (s shelf) of(item site.Item) *story.Teaser {
	if i := slices.Index(s.items, item); i >= 0 {
		return &s.teasers[i]
	}
	return &story.Teaser{Item: item}
}

// list returns teasers with headings of a level. The section is left out where
// it is the folder home.
func (s shelf) list(items []site.Item, level int, home *site.Folder) []teaser {
	list := make([]teaser, len(items))
	for i, item := range items {
		list[i] = s.teaser(s.of(item), level, shows(item, home), s.frame.href)
	}
	return list
}

// link returns a link with an item's title; nil for no item.
func (s shelf) link(item site.Item) *link {
	if !item.Exists() {
		return nil
	}
	return &link{Href: s.frame.href(item.Address()), Text: s.of(item).Title}
}

// related returns links to what the service says is related: the mirror's own
// pages where there are some, the source's otherwise.
func (s shelf) related(read *story.Story) []link {
	var links []link
	for i, other := range read.Related {
		switch {
		case !other.Item.Exists():
			l := link{Href: other.URL, Text: other.Title}
			if l.Href != "" {
				l.Note = s.site.SourceName
			}
			links = append(links, l)
		case other.Item != read.Item && !slices.ContainsFunc(read.Related[:i], func(r story.Related) bool { return r.Item == other.Item }):
			links = append(links, *s.link(other.Item))
		}
	}
	return links
}
