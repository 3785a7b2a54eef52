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
	About    string        // words about a writer
	Front    compiled.HTML // of the first items, on the first page; "" if the very first has no picture
	Cards    compiled.HTML // of the next ones, where there is Front
	Days     []day         // the other items
	Calendar bool          // Days are those of one month
	Onward   *link         // from a page without items to one with items; nil on others
	Alike    bool          // all are of one kind
	Absent   []link        // records of an editorial page that the mirror lacks
	Newer    *link
	Older    *link
	Archive  *link    // the list's months
	Years    []period // on the first page of a long list of a writer or tag
	Follow   *follow
}

// How many items stand at the top of a list's first page: a large one with others beside it,
// and below them rows of cards.
const (
	frontOfList = 4
	cardsOfList = 6
	cardsOfRow  = 3
)

// listInfo is a list and what its pages show in addition to its items.
type listInfo struct {
	*site.List
	kind    string       // the word for one of its kind; "" where the title names it
	index   link         // to the page of all lists of its kind; Href is an address of the tree, "" for none
	folder  *site.Folder // if it is a folder
	writer  *site.Writer // if it is a writer, or a folder of a columnist
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
		l := add(&folder.List)
		l.folder, l.writer = folder, columnistOf(folder)
		if l.writer != nil {
			l.kind = w.WriterKind
		}
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
		v, err := r.listView(ctx, l, address, title, page.Items)
		if err != nil {
			return nil, err
		}
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

// listView returns the view of some items of a list.
func (r *Renderer) listView(ctx context.Context, l listInfo, address, title string, items site.Items) (*listView, error) {
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
	front, cards := 0, 0
	if address == l.Index() && items.Len() > 0 {
		first, err := r.reader.Teasers(ctx, []site.Item{items.At(0)})
		if err != nil {
			return nil, err
		}
		if first[0].Picture != nil {
			front, cards = l.top(items.Len())
		}
	}
	fragments, err := r.renderTeasers(ctx, items, l, front, cards)
	if err != nil {
		return nil, err
	}
	root := site.Root(address)
	v.Front = prose.JoinFragments(root, fragments[:front])
	v.Cards = prose.JoinFragments(root, fragments[front:front+cards])
	v.Days = r.days(l, items.Slice(front+cards, items.Len()), fragments[front+cards:], root)
	return v, nil
}

// top returns how many of the first n items of a list stand in front, and how many are cards.
// Editors' lists have cards alone; those by date have full rows of cards.
func (l *listInfo) top(n int) (front, cards int) {
	front = min(frontOfList, n)
	if l.Kind == site.OfPages {
		return front, n - front
	}
	return front, min(cardsOfList, n-front) / cardsOfRow * cardsOfRow
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
			v.Folders = append(v.Folders, v.pageView.linkToList(pageOf(folder)))
		}
		if l.writer != nil {
			v.Canonical = r.site.Absolute(l.writer.Index())
		}
	case l.page != nil:
		v.Original, _ = prose.SafeURL(l.page.URL)
		for _, reference := range l.page.Absent {
			href, _ := prose.SafeURL(reference.URL)
			v.Absent = append(v.Absent, link{Href: href, Text: reference.Title})
		}
	}
	if l.writer != nil {
		v.Original, _ = prose.SafeURL(l.writer.URL)
		if v.About, err = r.reader.About(ctx, l.writer); err != nil {
			return err
		}
		v.portrait, err = r.portrait(ctx, &v.pageView, l.writer)
		r.describePerson(v, l.writer)
	}
	return err
}
