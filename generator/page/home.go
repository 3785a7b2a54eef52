package page

import (
	"context"
	"iter"
	"slices"

	"ayna/generator/output"
	"ayna/generator/site"
)

// How many items the parts of home show.
const (
	frontItems   = 5 // the lead and its seconds
	latestItems  = 8
	sectionItems = 4
	columnists   = 6
)

// sectionsAnchor is the id of the part of home that shows the folders.
const sectionsAnchor = "sections"

type homeView struct {
	frame
	Lead     []teaser // one, or none on an empty site
	Seconds  []teaser
	Latest   []teaser
	Sections []section
	Pages    []section
	Columns  []column
	More     []teaser
	Older    *link
	Follow   []feed
}

// section is a list and its newest items.
type section struct {
	link
	Teasers []teaser
}

// column is a writer's newest column.
type column struct {
	face
	Writer, Column link
}

// front is what home shows, chosen before anything is read.
type front struct {
	lead, latest, more []site.Item
	sections, pages    []shown
	columns            []site.Item
	older              int
}

// shown is a list and which of its items home shows.
type shown struct {
	*site.List
	folder *site.Folder // if the list is one
	items  []site.Item
}

// front chooses. The first editorial page gives the lead, if it has items;
// without it the newest items do.
func (r *Renderer) front() front {
	sheet := r.site.Home.Page(0)
	f := front{older: sheet.Older}
	pages := r.site.Pages
	if len(pages) > 0 && pages[0].Items.Len() > 0 {
		f.lead = first(pages[0].Items, frontItems, nil)
		pages = pages[1:]
	} else {
		f.lead = first(sheet.Items, frontItems, nil)
	}
	f.latest = first(sheet.Items, latestItems, f.lead)
	f.more = first(sheet.Items, sheet.Items.Len(), slices.Concat(f.lead, f.latest))
	for _, folder := range r.site.Root.Folders {
		f.sections = append(f.sections, shown{&folder.List, folder, first(folder.Items, sectionItems, f.lead)})
	}
	for _, page := range pages {
		if page.Items.Len() > 0 {
			f.pages = append(f.pages, shown{&page.List, nil, first(page.Items, sectionItems, nil)})
		}
	}
	f.columns = r.newestColumns()
	return f
}

// first returns the first n items that are not among others.
func first(items site.Items, n int, others []site.Item) []site.Item {
	var chosen []site.Item
	for item := range items.All() {
		if len(chosen) == n {
			break
		}
		if !slices.Contains(others, item) {
			chosen = append(chosen, item)
		}
	}
	return chosen
}

// newestColumns returns the newest column of each of the writers who wrote
// last.
func (r *Renderer) newestColumns() []site.Item {
	var newest []site.Item
	for _, w := range r.site.Writers {
		if columns := columnsOf(w, 1, site.Item{}); len(columns) > 0 && !slices.Contains(newest, columns[0]) {
			newest = append(newest, columns[0])
		}
	}
	slices.SortFunc(newest, site.Compare)
	return newest[:min(len(newest), columnists)]
}

// columnsOf returns the n newest columns of a writer but for one.
func columnsOf(w *site.Writer, n int, but site.Item) []site.Item {
	var columns []site.Item
	for item := range w.Items.All() {
		if len(columns) == n {
			break
		}
		if item.Kind() == site.Column && item != but {
			columns = append(columns, item)
		}
	}
	return columns
}

func (r *Renderer) home() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		f := r.front()
		key := r.key("home", r.site.Home.Index()).Number(uint64(f.older))
		addItems(key, f.lead...)
		addItems(key, f.latest...)
		addItems(key, f.more...)
		for _, list := range slices.Concat(f.sections, f.pages) {
			key.Text(list.Title, list.Dir)
			addItems(key, list.items...)
		}
		addItems(key, f.columns...)
		for _, item := range f.columns {
			addWriter(key, item.Writers()[0])
		}
		yield(r.render(r.site.Home.Index(), "home", "home", key, func(ctx context.Context) (framed, error) {
			return r.homeView(ctx, f)
		}))
	}
}

func (r *Renderer) homeView(ctx context.Context, f front) (*homeView, error) {
	v := &homeView{frame: r.frame(r.site.Home.Index(), "", r.site.Description)}
	groups := [][]site.Item{f.lead, f.latest, f.more, f.columns}
	for _, list := range slices.Concat(f.sections, f.pages) {
		groups = append(groups, list.items)
	}
	shelf, err := r.shelf(ctx, &v.frame, groups...)
	if err != nil {
		return nil, err
	}
	front := shelf.list(f.lead, 2, nil)
	v.Lead, v.Seconds = front[:min(1, len(front))], front[min(1, len(front)):]
	if len(v.Lead) > 0 && v.Lead[0].Picture != nil {
		v.Lead[0].Picture.first()
	}
	v.Latest = shelf.list(f.latest, 3, nil)
	v.More = shelf.list(f.more, 3, nil)
	for _, list := range f.sections {
		v.Sections = append(v.Sections, shelf.section(list))
	}
	for _, list := range f.pages {
		v.Pages = append(v.Pages, shelf.section(list))
	}
	for _, item := range f.columns {
		c := column{Writer: v.list(&item.Writers()[0].List), Column: *shelf.link(item)}
		if c.face, err = r.face(ctx, &v.frame, item.Writers()[0]); err != nil {
			return nil, err
		}
		v.Columns = append(v.Columns, c)
	}
	if f.older > 0 {
		v.Older = &link{Href: v.href(r.site.Home.Sheet(f.older)), Text: r.site.Words.Older}
	}
	v.Follow = r.feeds(&r.site.Home, v.href)
	r.describeSite(&v.frame)
	return v, nil
}

func (s shelf) section(list shown) section {
	return section{s.frame.list(list.List), s.list(list.items, 3, list.folder)}
}

// list returns a link to a list.
func (f *frame) list(l *site.List) link { return link{Href: f.href(l.Index()), Text: l.Title} }

// addWriter adds to a key what pages show of a writer.
func addWriter(d output.Digest, w *site.Writer) { d.Number(w.Version).Text(w.Title, w.Dir) }
