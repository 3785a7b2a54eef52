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

// shows reports whether a list tells of which folder an item is. In the folder
// itself it need not, and a columnist's folder often has the columnist's name.
func shows(item site.Item, home *site.Folder) bool {
	return item.Folder() != home && item.Folder().Title != names(item.Writers())
}

// teaser shows an item with a heading of a level, and with its folder if section
// is set.
func (r *Renderer) teaser(read *story.Teaser, level int, section bool, href func(string) string) teaser {
	item := read.Item
	t := teaser{
		Href: href(item.Address()), Title: read.Title, Spot: read.Spot,
		Writers: names(item.Writers()), Published: r.moment(item.Published()), Level: level,
	}
	if item.Kind() != site.Article {
		t.Kind = r.site.Words.Kinds[item.Kind()]
	}
	if section {
		t.Section = item.Folder().Title
	}
	if read.Picture != nil {
		// The title beside it says all that an alternative text could.
		p := shownPicture(*read.Picture, href)
		p.Alt, p.Sizes = "", teaserSizes
		t.Picture = &p
	}
	return t
}

// stencilKey names a teaser as it is rendered: by its item's row, and whether it
// tells of the folder.
type stencilKey int64

func keyOf(item site.Item, section bool) stencilKey {
	key := stencilKey(item.Row()) << 1
	if section {
		key++
	}
	return key
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
// the lists that it is in, but for those where it is the first: few are that in
// several.
func (r *Renderer) rendered(ctx context.Context, f *frame, items site.Items, home *site.Folder) (press.HTML, error) {
	stencils := make([]prose.Stencil, items.Len())
	var missing []site.Item
	var places []int
	for i := range stencils {
		item, known := items.At(i), false
		if i > 0 {
			stencils[i], known = r.stencils.Get(keyOf(item, shows(item, home)))
		}
		if !known {
			missing, places = append(missing, item), append(places, i)
		}
	}
	teasers, err := r.reader.Teasers(ctx, missing)
	if err != nil {
		return nil, err
	}
	var view teaser
	for i, item := range missing {
		place, section := places[i], shows(item, home)
		view = r.teaser(&teasers[i], stencilLevel, section, prose.StencilAddress)
		if place == 0 && view.Picture != nil {
			view.Picture.first()
		}
		if stencils[place], err = prose.NewStencil(r.part("teaser"), &view); err != nil {
			return nil, err
		}
		if place > 0 {
			r.stencils.Put(keyOf(item, section), stencils[place])
		}
	}
	return prose.Stencils(site.Root(f.address), stencils), nil
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
func addItems(d output.Digest, items ...site.Item) {
	d.Number(uint64(len(items)))
	for _, item := range items {
		if item.Exists() {
			d.Number(item.Teaser())
		} else {
			d.Number(0)
		}
	}
}

// addList adds the items of a list to a key.
func addList(d output.Digest, items site.Items) {
	d.Number(uint64(items.Len()))
	for item := range items.All() {
		d.Number(item.Teaser())
	}
}

// addFolders adds to a key what links show of folders.
func addFolders(d output.Digest, folders ...*site.Folder) {
	d.Number(uint64(len(folders)))
	for _, folder := range folders {
		d.Text(folder.Title, folder.Dir)
	}
}
