package page

import (
	"cmp"
	"context"
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
	pageView
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
	portrait
	Writer, Column link
}

// firstExcept returns the first n items that are not among others.
func firstExcept(items site.Items, n int, others []site.Item) []site.Item {
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

// newestColumns returns the newest columns of different writers.
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

func (r *Renderer) home() output.File {
	return r.render(r.site.Home.Index(), "home", "home", func(ctx context.Context) (completer, error) {
		v := &homeView{pageView: r.pageView(r.site.Home.Index(), "", r.site.Description)}
		page := r.site.Home.Page(0)
		if page.Older > 0 {
			v.Older = v.linkTo(r.site.Home.PageAddress(page.Older), v.Words.Older)
		}
		v.Follow = r.feeds(&r.site.Home, v.href)
		r.describeSite(&v.pageView)
		return v, r.fillHome(ctx, v, page.Items)
	})
}

// fillHome sets the lists of home. The first editorial page gives the lead, if it
// has items; otherwise the newest items do.
func (r *Renderer) fillHome(ctx context.Context, v *homeView, newest site.Items) (err error) {
	show := func(items []site.Item, level int, folder *site.Folder) []teaser {
		teasers, failure := r.readTeasers(ctx, &v.pageView, items)
		if failure != nil {
			err = failure
			return nil
		}
		return teasers.list(items, level, folder)
	}
	lead, pages := firstExcept(newest, frontItems, nil), r.site.Pages
	if len(pages) > 0 && pages[0].Items.Len() > 0 {
		lead, pages = firstExcept(pages[0].Items, frontItems, nil), pages[1:]
	}
	latest := firstExcept(newest, latestItems, lead)
	front := show(lead, 2, nil)
	v.Lead, v.Seconds = front[:min(1, len(front))], front[min(1, len(front)):]
	if len(v.Lead) > 0 && v.Lead[0].Picture != nil {
		v.Lead[0].Picture.markFirst()
	}
	v.Latest = show(latest, 3, nil)
	v.More = show(firstExcept(newest, newest.Len(), slices.Concat(lead, latest)), 3, nil)
	for _, folder := range r.site.Root.Folders {
		v.Sections = append(v.Sections, section{v.linkToList(&folder.List), show(firstExcept(folder.Items, sectionItems, lead), 3, folder)})
	}
	for _, page := range pages {
		if page.Items.Len() > 0 {
			v.Pages = append(v.Pages, section{v.linkToList(&page.List), show(firstExcept(page.Items, sectionItems, nil), 3, nil)})
		}
	}
	columns := r.newestColumns()
	teasers, failure := r.readTeasers(ctx, &v.pageView, columns)
	if err = cmp.Or(err, failure); err != nil {
		return err
	}
	for _, item := range columns {
		writer := item.Writers()[0]
		c := column{Writer: v.linkToList(&writer.List), Column: *teasers.link(item)}
		if c.portrait, err = r.portrait(ctx, &v.pageView, writer); err != nil {
			return err
		}
		v.Columns = append(v.Columns, c)
	}
	return nil
}
