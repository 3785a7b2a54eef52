package page

import (
	"context"
	"fmt"
	"path"

	"ayna/generator/compiled"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/prose"
)

type listView struct {
	pageView
	portrait        // a writer's
	Kind     string // what the list is: a tag, a search; "" where its title names it
	Heading  string
	Original string // address at the source, "" for none
	Folders  []link // inside of a folder
	Count    string
	Front    compiled.HTML // of the newest items, on the first page; "" if the first of them has no picture
	Teasers  compiled.HTML // of the list's other items, in their order; "" where Days has them
	Days     []day         // of a month
	Onward   *link         // from a page without items to one with items; nil on others
	Alike    bool          // all are of one kind
	Absent   []link        // records of an editorial page that the mirror lacks
	Newer    *link
	Older    *link
	Archive  *link    // the list's months
	Years    []period // on the first page of a long list of a writer or tag
	Follow   *follow
}

// frontOfList is the number of items at the top of a list: a large one with others beside it.
const frontOfList = 4

// listInfo is a list and what its pages show in addition to its items.
type listInfo struct {
	*site.List
	kind    string       // the word for one of its kind; "" where the title names it
	index   link         // to the page of all lists of its kind; Href is an address of the tree, "" for none
	folder  *site.Folder // if it is a folder
	writer  *site.Writer // if it is a writer
	page    *site.Page   // if it is an editorial page
	emptied bool         // it has lost its last item; no page leads to it
}

// lists returns every list. The first has all items: its first page is home.
func (r *Renderer) lists() []listInfo {
	w := &r.site.Words
	byKind := map[site.ListKind]listInfo{
		site.OfSearches: {kind: w.SearchKind, index: link{Href: site.SearchPage(*w), Text: w.Search}},
	}
	for _, index := range r.indexList() {
		byKind[index.of] = listInfo{kind: index.kind, index: link{Href: index.address(), Text: index.title}}
	}
	all := r.site.Home
	all.Title = w.AllNews
	lists := []listInfo{{List: &all}}
	add := func(list *site.List) *listInfo {
		l := byKind[list.Kind]
		l.List = list
		lists = append(lists, l)
		return &lists[len(lists)-1]
	}
	for _, folder := range r.site.Folders {
		add(&folder.List).folder = folder
	}
	for _, writer := range r.site.Writers {
		add(&writer.List).writer = writer
	}
	for _, tag := range r.site.Tags {
		add(&tag.List)
	}
	for _, page := range r.site.Pages {
		add(&page.List).page = page
	}
	for _, search := range r.site.Searches {
		add(&search.List)
	}
	for _, kind := range r.site.Kinds {
		add(&kind.List)
	}
	for _, mix := range r.site.Mixes {
		add(&mix.List)
	}
	for _, list := range r.site.Emptied {
		add(list).emptied = true
	}
	return lists
}

// list returns a page of a list.
func (r *Renderer) list(l listInfo, page site.ListPage) output.File {
	address := l.PageAddress(page.Number)
	file := r.render(address, "list "+l.Title, func(ctx context.Context) (view, error) {
		w, title := &r.site.Words, l.Title
		if page.Number > 0 {
			title = fmt.Sprintf(w.PageTitle, l.Title, w.Ungrouped(page.Number))
		}
		v, teasers, err := r.listView(ctx, l, address, title, page.Items)
		if err != nil {
			return nil, err
		}
		v.Teasers = prose.JoinFragments(site.Root(address), teasers)
		v.Kind = l.kind
		if l.Dir != "" { // the layout has the feeds of home on every page
			v.Follow = v.setFeeds(l.List)
		}
		if l.folder != nil {
			v.trail(l.folder.Parent.Trail()...)
		}
		if l.index.Href != "" {
			v.Trail = append(v.Trail, *v.linkTo(l.index.Href, l.index.Text))
		}
		v.trailKey = trailKey{path.Dir(address), "list", l.Dir}
		if page.Older > 0 {
			v.Older = v.linkTo(l.PageAddress(page.Older), w.Older)
		}
		if page.Number > 0 {
			v.Newer = v.linkTo(l.PageAddress(page.Newer), w.Newer)
			return v, nil
		}
		return v, r.firstPage(ctx, v, l)
	})
	file.Key = r.key(address, func(m *site.Mixer) {
		l.mix(m)
		m.Number(int64(page.Number), int64(page.Older), int64(page.Newer))
		m.Shown(page.Items)
		if page.Number == 0 {
			r.mixFirst(m, &l)
		}
	})
	return file
}

// listView returns the view of some items of a list, and the teasers after Front.
func (r *Renderer) listView(ctx context.Context, l listInfo, address, title string, items site.Items) (*listView, []prose.Fragment, error) {
	v := &listView{pageView: r.listPageView(address, title), Heading: title}
	switch {
	case items.Len() > 0:
	case l.Items.Len() > 0 && l.Dir != "":
		v.Onward = v.linkTo(l.Index(), l.Title)
	default:
		v.Onward = v.linkTo(r.site.Home.Index(), r.site.Words.Home)
	}
	v.Alike = items.Len() > 0
	for item := range items.All() {
		v.Alike = v.Alike && item.Kind() == items.At(0).Kind()
	}
	first := address == l.Index()
	fragments, illustrated, err := r.renderTeasers(ctx, &v.pageView, items, l, first)
	front := 0
	if illustrated && first {
		front = min(frontOfList, len(fragments))
	}
	v.Front = prose.JoinFragments(site.Root(address), fragments[:front])
	return v, fragments[front:], err
}

// firstPage sets what only the first page of a list shows.
func (r *Renderer) firstPage(ctx context.Context, v *listView, l listInfo) (err error) {
	v.Count = v.Words.Count(l.Items)
	if l.HasYears() {
		v.addYears(l.List)
	}
	switch {
	case l.folder != nil:
		if l.AnyMonth() {
			v.Archive = v.linkTo(v.Words.MonthIndex(l.List), v.Words.Archive)
		}
		for _, folder := range l.folder.Folders {
			v.Folders = append(v.Folders, v.pageView.linkToList(&folder.List))
		}
	case l.writer != nil:
		v.Original, _ = prose.SafeURL(l.writer.URL)
		v.portrait, err = r.portrait(ctx, &v.pageView, l.writer)
		r.describePerson(v, l.writer)
	case l.page != nil:
		v.Original, _ = prose.SafeURL(l.page.URL)
		for _, reference := range l.page.Absent {
			href, _ := prose.SafeURL(reference.URL)
			v.Absent = append(v.Absent, link{Href: href, Text: reference.Title})
		}
	}
	return err
}
