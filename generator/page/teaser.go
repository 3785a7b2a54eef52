package page

import (
	"context"

	"ayna/generator/output"
	"ayna/generator/press"
	"ayna/generator/prose"
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
	list := make([]teaser, len(items))
	for i, item := range items {
		list[i] = s.teaser(item, level, shows(item, home), s.frame.href)
	}
	return list
}

// shows reports whether a list tells of which folder an item is. In the folder
// itself it need not, and a columnist's folder often has the columnist's name.
func shows(item *site.Item, home *site.Folder) bool {
	return item.Folder != home && item.Folder.Title != names(item.Writers)
}

func (s shelf) teaser(item *site.Item, level int, section bool, href func(string) string) teaser {
	read := s.teasers[item]
	t := teaser{
		Href: href(item.Address), Title: read.Title, Spot: read.Spot,
		Writers: names(item.Writers), Published: s.moment(item.Published), Level: level,
	}
	if item.Kind != site.Article {
		t.Kind = s.site.Words.Kinds[item.Kind]
	}
	if section {
		t.Section = item.Folder.Title
	}
	if read.Picture != nil {
		// The title beside it says all that an alternative text could.
		p := shownPicture(*read.Picture, href)
		p.Alt, p.Sizes = "", teaserSizes
		t.Picture = &p
	}
	return t
}

// stencilKey names a teaser as it is rendered.
type stencilKey struct {
	row            int64
	section, first bool
}

// stencilBytes is how much of rendered teasers is kept at hand, twice, and
// stencilTags how many of rendered tags.
const (
	stencilBytes = 4 << 20
	stencilTags  = 4096
)

// stencilLevel is that of the headings of teasers which are rendered once.
const stencilLevel = 2

// rendered returns the teasers of a list page. Each is rendered once for all
// the lists that it is in.
func (r *Renderer) rendered(ctx context.Context, f *frame, items []*site.Item, home *site.Folder) (press.HTML, error) {
	stencils := make([]prose.Stencil, len(items))
	var missing []*site.Item
	var places []int
	for i, item := range items {
		var ok bool
		if stencils[i], ok = r.stencils.Get(stencilKey{item.Row, shows(item, home), i == 0}); !ok {
			missing, places = append(missing, item), append(places, i)
		}
	}
	shelf, err := r.shelf(ctx, f, missing)
	if err != nil {
		return nil, err
	}
	for i, item := range missing {
		key := stencilKey{item.Row, shows(item, home), places[i] == 0}
		view := shelf.teaser(item, stencilLevel, key.section, prose.StencilAddress)
		if view.Picture != nil && key.first {
			view.Picture.first()
		}
		stencil, err := prose.NewStencil(r.part("teaser"), view)
		if err != nil {
			return nil, err
		}
		stencils[places[i]] = stencil
		r.stencils.Put(key, stencil)
	}
	return prose.Stencils(rootOf(f.address), stencils), nil
}

// link returns a link with an item's title; nil for no item.
func (s shelf) link(item *site.Item) *link {
	if item == nil {
		return nil
	}
	return &link{Href: s.frame.href(item.Address), Text: s.teasers[item].Title}
}

// The room that the style sheet gives to pictures, as the attribute sizes says
// it: in items, in teasers, in the first teaser of a page, and of a writer.
const (
	itemSizes     = "(min-width: 42rem) 40rem, 100vw"
	teaserSizes   = "(min-width: 40rem) 18rem, 7rem"
	firstSizes    = "(min-width: 64rem) 44rem, 100vw"
	portraitSizes = "6rem"
)

// first shows a teaser's picture as the one that a reader sees first.
func (p *picture) first() { p.First, p.Sizes = true, firstSizes }

// picture returns a picture of a story as this page shows it.
func (f *frame) picture(p story.Picture) picture { return shownPicture(p, f.href) }

func shownPicture(p story.Picture, href func(string) string) picture {
	shown := picture{Src: p.Src(href), Srcset: p.Srcset(href), Sizes: itemSizes, Caption: p.Caption, Alt: p.Title, Width: p.Width, Height: p.Height}
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
		d.Number(item.Teaser, uint64(item.Published)).Text(string(item.Kind), item.Address, item.Folder.Title, names(item.Writers))
	}
}

// addFolders adds to a key what links show of folders.
func addFolders(d output.Digest, folders ...*site.Folder) {
	d.Number(uint64(len(folders)))
	for _, folder := range folders {
		d.Text(folder.Title, folder.Dir)
	}
}
