package page

import (
	"context"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// teaser is an item as lists show it.
type teaser struct {
	Href        string
	Title, Spot string
	Kind        string // the kind's word; "" for articles, which most items are
	Section     string // the folder's title; "" where the list is that folder's
	Writers     string
	Published   *moment
	Picture     *picture
	Level       int // of the heading: 2 or 3
}

// shelf holds the teasers that one page shows, read at once.
type shelf struct {
	*Renderer
	frame   *frame
	teasers map[*site.Item]story.Teaser
}

// shelf reads the teasers of all the items a page shows. Any item may be nil
// or repeated.
func (r *Renderer) shelf(ctx context.Context, f *frame, groups ...[]*site.Item) (shelf, error) {
	s := shelf{r, f, make(map[*site.Item]story.Teaser)}
	var items []*site.Item
	for _, group := range groups {
		for _, item := range group {
			if _, known := s.teasers[item]; item != nil && !known {
				s.teasers[item] = story.Teaser{}
				items = append(items, item)
			}
		}
	}
	teasers, err := r.reader.Teasers(ctx, items)
	for i, item := range items[:len(teasers)] {
		s.teasers[item] = teasers[i]
	}
	return s, err
}

// list returns teasers with headings of a level. The section is left out where
// it is the folder home.
func (s shelf) list(items []*site.Item, level int, home *site.Folder) []teaser {
	var list []teaser
	for _, item := range items {
		read := s.teasers[item]
		t := teaser{
			Href: s.frame.href(item.Address), Title: read.Title, Spot: read.Spot,
			Writers: names(item.Writers), Published: s.moment(item.Published), Level: level,
		}
		if item.Kind != site.Article {
			t.Kind = s.site.Words.Kinds[item.Kind]
		}
		// A columnist's folder often has the columnist's name.
		if item.Folder != home && item.Folder.Title != t.Writers {
			t.Section = item.Folder.Title
		}
		if read.Picture != nil {
			// The title beside it says all that an alternative text could.
			p := s.frame.picture(*read.Picture)
			p.Alt = ""
			t.Picture = &p
		}
		list = append(list, t)
	}
	return list
}

// link returns a link with an item's title; nil for no item.
func (s shelf) link(item *site.Item) *link {
	if item == nil {
		return nil
	}
	return &link{Href: s.frame.href(item.Address), Text: s.teasers[item].Title}
}

// picture returns a picture of a story as this page shows it.
func (f *frame) picture(p story.Picture) picture {
	shown := picture{Src: p.Src(f.href), Caption: p.Caption, Alt: p.Title, Width: p.Width, Height: p.Height}
	if shown.Alt == "" {
		shown.Alt = p.Caption
	}
	if shown.Width == 0 || shown.Height == 0 {
		shown.Width, shown.Height = 0, 0
	}
	return shown
}

func names(writers []*site.Writer) string {
	var all string
	for i, w := range writers {
		if i > 0 {
			all += ", "
		}
		all += w.Title
	}
	return all
}

// addItems adds to a key what teasers and links show of items.
func addItems(d output.Digest, items ...*site.Item) {
	d.Number(uint64(len(items)))
	for _, item := range items {
		if item == nil {
			d.Number(0)
			continue
		}
		d.Number(item.Version).Text(item.Address, item.Folder.Title, names(item.Writers))
	}
}

// addFolders adds to a key what links show of folders.
func addFolders(d output.Digest, folders ...*site.Folder) {
	d.Number(uint64(len(folders)))
	for _, folder := range folders {
		d.Text(folder.Title, folder.Dir)
	}
}
