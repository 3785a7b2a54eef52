package page

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"ayna/generator/output"
	"ayna/generator/site"
)

const (
	// inline is how many lists of one sort the page of all feeds names itself.
	inline = 200
	// perPage is how many stand on each of the further pages of more.
	perPage = 1000
)

// subscribeView is the page that names all feeds, or a further one of those of
// one sort.
type subscribeView struct {
	frame
	Heading string
	Intro   bool // feeds are explained
	OPML    link // with its absolute address
	Groups  []feedGroup
}

type feedGroup struct {
	Title, Anchor string
	Rows          []feedRow
	Pages         []link // where there are too many for one page
}

// feedRow is a list and its feeds.
type feedRow struct {
	List    link
	Address string // absolute, of the feed that most readers know
	Feeds   []feed
}

// followed is a list as a row shows it.
type followed struct {
	title, index string
	sort         site.Sort
	feed         func(site.Format) string
}

// followable returns what can be followed, sort by sort.
func (r *Renderer) followable() map[site.Sort][]followed {
	groups := make(map[site.Sort][]followed)
	add := func(sort site.Sort, f followed) {
		if f.sort = sort; len(r.site.FormatsOf(sort)) > 0 {
			groups[groupOf(sort)] = append(groups[groupOf(sort)], f)
		}
	}
	for _, folder := range r.site.Folders {
		add(site.OfFolders, followed{title: folder.Title, index: folder.Index(), feed: folder.Feed})
		if len(folder.Folders) > 0 {
			add(site.OfOwn, followed{title: fmt.Sprintf(r.site.Words.OwnTitle, folder.Title), index: folder.Index(), feed: folder.OwnFeed})
		}
	}
	for list := range r.site.Lists() {
		if list.Sort != site.OfFolders {
			add(list.Sort, followed{title: list.Title, index: list.Index(), feed: list.Feed})
		}
	}
	return groups
}

// groupOf returns the sort under which lists of a sort are named.
func groupOf(sort site.Sort) site.Sort {
	switch sort {
	case site.OfOwn:
		return site.OfFolders
	case site.OfCorrections:
		return site.OfHome
	}
	return sort
}

func (r *Renderer) groupTitle(sort site.Sort) string {
	w := &r.site.Words
	return map[site.Sort]string{
		site.OfHome: w.AllNews, site.OfFolders: w.AllSections, site.OfWriters: w.Writers, site.OfTags: w.Tags,
		site.OfKinds: w.AllKinds, site.OfPages: w.Pages, site.OfSearches: w.Searches, site.OfMixes: w.Mixes,
	}[sort]
}

// subscribe yields the page of all feeds, and further ones of what is many.
func (r *Renderer) subscribe() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		if len(r.site.Formats) == 0 {
			return
		}
		groups := r.followable()
		main := r.key("subscribe", r.site.Words.SubscribePage("", 0))
		for _, sort := range site.Sorts {
			list := groups[sort]
			addFollowed(main.Number(uint64(len(list))), list...)
			if len(list) <= inline {
				continue
			}
			number := 0
			for chunk := range slices.Chunk(list, perPage) {
				number++
				if !yield(r.subscribePage(sort, number, chunk)) {
					return
				}
			}
		}
		address := r.site.Words.SubscribePage("", 0)
		yield(r.render(address, "subscribe", "all feeds", main, func(context.Context) (framed, error) {
			return r.subscribeView(address, groups), nil
		}))
	}
}

func addFollowed(key output.Digest, list ...followed) {
	for _, f := range list {
		key.Text(f.title, f.index, f.feed(site.RSS))
	}
}

func (r *Renderer) subscribeView(address string, groups map[site.Sort][]followed) *subscribeView {
	w := &r.site.Words
	v := &subscribeView{
		frame:   r.frame(address, w.Subscribe, fmt.Sprintf(w.ListDescription, w.Subscribe, r.site.Title)),
		Heading: w.Subscribe, Intro: true,
	}
	v.trail()
	v.OPML = link{Href: v.href(site.OPML), Text: r.site.Absolute(site.OPML)}
	for _, sort := range site.Sorts {
		list := groups[sort]
		if len(list) == 0 {
			continue
		}
		group := feedGroup{Title: r.groupTitle(sort), Anchor: string(sort)}
		if len(list) <= inline {
			group.Rows = r.feedRows(&v.frame, list)
		} else {
			for chunk := range slices.Chunk(list, perPage) {
				group.Pages = append(group.Pages, link{
					Href: v.href(w.SubscribePage(sort, len(group.Pages)+1)), Text: rangeOf(w, chunk), Note: fmt.Sprintf(w.Feeds, len(chunk)),
				})
			}
		}
		v.Groups = append(v.Groups, group)
	}
	return v
}

func rangeOf(w *site.Words, chunk []followed) string {
	return fmt.Sprintf(w.Range, chunk[0].title, chunk[len(chunk)-1].title)
}

// subscribePage returns a page of feeds of one sort.
func (r *Renderer) subscribePage(sort site.Sort, number int, chunk []followed) output.File {
	w := &r.site.Words
	address, heading := w.SubscribePage(sort, number), r.groupTitle(sort)
	key := r.key("subscribe", address)
	addFollowed(key, chunk...)
	return r.render(address, "subscribe", "feeds of "+heading, key, func(context.Context) (framed, error) {
		title := heading + ": " + rangeOf(w, chunk)
		v := &subscribeView{frame: r.frame(address, title, fmt.Sprintf(w.ListDescription, title, r.site.Title)), Heading: heading}
		v.trail()
		v.Trail = append(v.Trail, link{Href: v.href(w.SubscribePage("", 0)), Text: w.Subscribe})
		v.Groups = []feedGroup{{Title: rangeOf(w, chunk), Anchor: string(sort), Rows: r.feedRows(&v.frame, chunk)}}
		return v, nil
	})
}

func (r *Renderer) feedRows(f *frame, list []followed) []feedRow {
	rows := make([]feedRow, len(list))
	for i, one := range list {
		formats := r.site.FormatsOf(one.sort)
		rows[i] = feedRow{List: link{Href: f.href(one.index), Text: one.title}, Address: r.site.Absolute(one.feed(formats[0]))}
		for _, format := range formats {
			rows[i].Feeds = append(rows[i].Feeds, feed{f.href(one.feed(format)), string(format), format.Name(), one.title + " (" + format.Name() + ")"})
			if format == site.RSS {
				rows[i].Address = r.site.Absolute(one.feed(format))
			}
		}
	}
	return rows
}
