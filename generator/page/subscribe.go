package page

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ayna/generator/output"
	"ayna/generator/site"
)

const (
	maxInline   = 200  // lists of one kind on the page of all feeds; if there are more, they get pages of their own
	listsOnPage = 1000 // on each of these
)

// subscribeView is the page that names all feeds, or a further one for the feeds
// of one kind of lists.
type subscribeView struct {
	pageView
	Heading string
	Intro   bool // feeds are explained
	OPML    link // with its absolute address
	Groups  []feedGroup
}

type feedGroup struct {
	Title, Anchor string
	Closed        bool   // shown when a reader opens it
	Count         string // of lists
	SubFolders    string // the word for sub-folders
	Rows          []feedRow
	Pages         []link // where there are too many for one page
}

// feedRow is the line of a list, for a top folder with the lines below it.
type feedRow struct {
	feedLine
	Below []feedLine // of its sub-folders, and of the folder without them
	Count string     // of the lines below
}

// feedLine is a list and its feeds as the page shows them.
type feedLine struct {
	List    link
	Address string // absolute, of the feed that most readers know
	Feeds   []feed
}

// subscription is a list that has feeds, before a page shows it.
type subscription struct {
	title, index string
	below        bool // shown below the last list before it that is not
	formats      []site.Format
	feed         func(site.Format) string
}

// subscribePages returns the page of all feeds, and further ones for kinds with many.
func (r *Renderer) subscribePages() []output.File {
	if len(r.site.Formats) == 0 {
		return nil
	}
	w := &r.site.Words
	groups := r.subscriptions()
	var files []output.File
	for _, kind := range site.ListKinds {
		if len(groups[kind]) <= maxInline {
			continue
		}
		number := 0
		for chunk := range slices.Chunk(groups[kind], listsOnPage) {
			number++
			files = append(files, r.subscribePage(kind, w.SubscribePage(kind, number), chunk))
		}
	}
	address := w.SubscribePage("", 0)
	file := r.render(address, "all feeds", func(context.Context) (view, error) {
		v := &subscribeView{pageView: r.listPageView(address, w.Subscribe), Heading: w.Subscribe, Intro: true}
		v.OPML = link{Href: v.href(site.OPML), Text: r.site.Absolute(site.OPML)}
		for _, kind := range site.ListKinds {
			if len(groups[kind]) > 0 {
				v.Groups = append(v.Groups, r.feedGroup(&v.pageView, kind, groups[kind]))
			}
		}
		return v, nil
	})
	file.Key = r.key(address, func(m *site.Mixer) {
		for _, kind := range site.ListKinds {
			mixSubscriptions(m, groups[kind])
		}
	})
	return append(files, file)
}

// mixSubscriptions adds what pages show of lists with feeds.
func mixSubscriptions(m *site.Mixer, lists []subscription) {
	m.Number(int64(len(lists)))
	for _, l := range lists {
		m.Text(l.title, l.index)
		m.Flag(l.below)
		m.Number(int64(len(l.formats)))
		for _, format := range l.formats {
			m.Text(string(format), l.feed(format))
		}
	}
}

// subscribePage returns a page of feeds of one kind of lists.
func (r *Renderer) subscribePage(kind site.ListKind, address string, lists []subscription) output.File {
	w, heading := &r.site.Words, r.groupTitle(kind)
	file := r.render(address, "feeds of "+heading, func(context.Context) (view, error) {
		v := &subscribeView{pageView: r.listPageView(address, heading+": "+rangeOf(w, lists)), Heading: heading}
		v.Trail = append(v.Trail, *v.linkTo(w.SubscribePage("", 0), w.Subscribe))
		v.Groups = []feedGroup{{Title: rangeOf(w, lists), Anchor: string(kind), SubFolders: w.SubFolders, Rows: r.feedRows(&v.pageView, lists)}}
		return v, nil
	})
	file.Key = r.key(address, func(m *site.Mixer) { mixSubscriptions(m, lists) })
	return file
}

// subscriptions returns all lists with feeds by kind. The feeds of folders
// without their sub-folders are among those of folders, and the feed of corrections
// is beside that of home. A columnist's folder and page have the same items: the page stands
// among the writers.
func (r *Renderer) subscriptions() map[site.ListKind][]subscription {
	groups := make(map[site.ListKind][]subscription)
	add := func(group site.ListKind, list *site.List, s subscription) {
		if s.formats = r.site.FeedFormats(list); len(s.formats) > 0 {
			s.index, s.feed = list.Index(), list.Feed
			groups[group] = append(groups[group], s)
		}
	}
	for _, folder := range r.site.Folders {
		if writer := columnistOf(folder); writer != nil && len(r.site.FeedFormats(&writer.List)) > 0 {
			continue
		}
		trail := folder.Trail()
		var titles []string
		for _, f := range trail[min(1, len(trail)-1):] {
			titles = append(titles, f.Title)
		}
		title := strings.Join(titles, " › ")
		add(site.OfFolders, &folder.List, subscription{title: title, below: len(trail) > 1})
		if r.site.ListsOwn(folder) {
			below := len(trail) > 1 || len(r.site.FeedFormats(&folder.List)) > 0
			own := subscription{fmt.Sprintf(r.site.Words.OwnTitle, title), folder.Index(), below, r.site.OwnFormats(folder), folder.OwnFeed}
			groups[site.OfFolders] = append(groups[site.OfFolders], own)
		}
	}
	for list := range r.site.Lists() {
		switch list.Kind {
		case site.OfFolders:
		case site.OfCorrections:
			add(site.OfHome, list, subscription{title: list.Title})
		default:
			add(list.Kind, list, subscription{title: list.Title})
		}
	}
	return groups
}

func (r *Renderer) groupTitle(kind site.ListKind) string {
	w := &r.site.Words
	return map[site.ListKind]string{
		site.OfHome: w.AllNews, site.OfFolders: w.AllSections, site.OfWriters: w.Writers, site.OfTags: w.Tags,
		site.OfKinds: w.AllKinds, site.OfPages: w.Pages, site.OfSearches: w.Searches, site.OfMixes: w.CustomLists,
	}[kind]
}

// feedGroup returns the lists of a kind, or links to their pages if there are many.
func (r *Renderer) feedGroup(f *pageView, kind site.ListKind, lists []subscription) feedGroup {
	group := feedGroup{Title: r.groupTitle(kind), Anchor: string(kind), SubFolders: f.Words.SubFolders, Count: f.Words.Digits(len(lists))}
	group.Closed = kind != site.OfHome && kind != site.OfFolders
	if len(lists) <= maxInline {
		group.Rows = r.feedRows(f, lists)
		return group
	}
	for chunk := range slices.Chunk(lists, listsOnPage) {
		page := f.linkTo(f.Words.SubscribePage(kind, len(group.Pages)+1), rangeOf(f.Words, chunk))
		page.Note = f.Words.Number(f.Words.Feeds, len(chunk))
		group.Pages = append(group.Pages, *page)
	}
	if kind == site.OfFolders {
		top := slices.DeleteFunc(slices.Clone(lists), func(s subscription) bool { return s.below })
		group.Rows = r.feedRows(f, top[:min(len(top), maxInline)])
	}
	return group
}

func rangeOf(w *site.Words, lists []subscription) string {
	return fmt.Sprintf(w.Range, lists[0].title, lists[len(lists)-1].title)
}

func (r *Renderer) feedRows(f *pageView, lists []subscription) []feedRow {
	var rows []feedRow
	top := false // the last row is one of a top folder; a page may begin amid sub-folders
	for _, l := range lists {
		line := feedLine{
			List: *f.linkTo(l.index, l.title), Address: r.site.Absolute(l.feed(site.BestFormat(l.formats))),
			Feeds: feedsOf(l.formats, l.title, func(format site.Format) string { return f.href(l.feed(format)) }),
		}
		if l.below && top {
			row := &rows[len(rows)-1]
			row.Below = append(row.Below, line)
			row.Count = f.Words.Digits(len(row.Below))
		} else {
			rows, top = append(rows, feedRow{feedLine: line}), !l.below
		}
	}
	return rows
}
