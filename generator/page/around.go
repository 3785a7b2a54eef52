package page

import (
	"context"
	"fmt"
	"slices"

	"ayna/generator/compiled"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
)

// How many items follow an item.
const (
	relatedCards = 8  // of its record; of fewer, one row of four if there are as many; further ones are links
	sectionCards = 4  // of its folder
	otherColumns = 5  // of a column's writer
	lookedAt     = 64 // items of a list that are looked at to find these, in each direction
)

// around is what follows an item: the items that its record refers to, others of its writer
// or folder, and its neighbours in the folder.
type around struct {
	cards, further []site.Item // of its record
	columns        []site.Item
	older, newer   site.Item
	section        *site.Folder
	others         []site.Item // of section
}

// aroundOf chooses what follows an item, for its page and for the key of that.
func aroundOf(item site.Item) around {
	related := slices.Collect(item.Related())
	a := around{cards: related, older: item.Previous(), newer: item.Next(), section: item.Folder()}
	switch n := len(related); {
	case n >= relatedCards:
		a.cards = related[:relatedCards]
	case n > relatedCards/2:
		a.cards = related[:relatedCards/2]
	}
	a.further = related[len(a.cards):]
	if item.Kind() == site.Column && len(item.Writers()) > 0 {
		a.columns = nextTo(item, item.Writers()[0].Items, otherColumns, func(other site.Item) bool {
			return other.Kind() != site.Column || slices.Contains(related, other)
		})
	}
	if len(a.columns) > 0 && !showsFolder(item, nil) && a.section.Parent != nil {
		a.section = a.section.Parent // that of other writers
	}
	a.others = nextTo(item, a.section.Items, sectionCards, func(other site.Item) bool {
		isNamed := other == a.older || other == a.newer || slices.Contains(related, other) || slices.Contains(a.columns, other)
		return isNamed || a.section != item.Folder() && slices.Equal(other.Writers(), item.Writers())
	})
	return a
}

// mix adds what the page shows of it.
func (a *around) mix(m *site.Mixer) {
	for _, items := range [][]site.Item{a.cards, a.further, a.columns, {a.older, a.newer}, a.others} {
		mixItems(m, items...)
	}
	m.Folder(a.section)
}

// setAround sets what follows an item.
func (r *Renderer) setAround(ctx context.Context, v *itemView, s *story.Story, a around) error {
	read, err := r.readTeasers(ctx, &v.pageView, []site.Item{a.older, a.newer}, a.further, a.columns)
	if err != nil {
		return err
	}
	v.RelatedLinks = read.relatedLinks(s, a.further)
	for _, column := range a.columns {
		l := read.link(column)
		if m := r.moment(column.Published()); m != nil {
			l.Note = m.Shown
		}
		v.Columns = append(v.Columns, *l)
	}
	// Neighbours are often among the related items and the writer's columns.
	linked := slices.Concat(a.cards, a.further, a.columns)
	if !slices.Contains(linked, a.older) {
		v.Older = read.link(a.older)
	}
	if !slices.Contains(linked, a.newer) {
		v.Newer = read.link(a.newer)
	}
	v.OthersIn = link{Href: v.Home.Href, Text: v.Words.MoreNews}
	if a.section.Parent != nil && !a.section.Unsorted() {
		v.OthersIn = link{Href: v.href(a.section.Index()), Text: fmt.Sprintf(v.Words.MoreOf, a.section.Title)}
	}
	if v.Related, err = r.cards(ctx, s, a.cards, nil); err == nil {
		v.Others, err = r.cards(ctx, s, a.others, a.section)
	}
	return err
}

// nextTo returns the n items that follow an item in a list and, where the list ends, those
// before it, except those for which not returns true. The newest of a list would change
// the pages of all its items with each new one.
func nextTo(item site.Item, list site.Items, n int, not func(site.Item) bool) []site.Item {
	chosen := make([]site.Item, 0, n)
	index, _ := list.Find(item)
	for _, step := range []int{1, -1} {
		for distance := 1; distance <= lookedAt && len(chosen) < n; distance++ {
			i := index + step*distance
			if i < 0 || i >= list.Len() {
				break
			}
			if other := list.At(i); !not(other) {
				chosen = append(chosen, other)
			}
		}
	}
	return chosen
}

// relatedLinks returns links to items, and to related records that the mirror lacks.
func (t teasers) relatedLinks(s *story.Story, items []site.Item) []link {
	var links []link
	for _, item := range items {
		links = append(links, *t.link(item))
	}
	for _, related := range s.Related {
		if !related.Item.Exists() {
			l := link{Href: related.URL, Text: related.Title}
			if l.Href != "" {
				l.Note = t.page.renderer.site.SourceName
			}
			links = append(links, l)
		}
	}
	return links
}

// card is a rendered teaser below an item.
type card struct {
	prose.Fragment
	pictured bool
}

// cards returns teasers of items, those with a picture first. Each is rendered once for all
// pages.
func (r *Renderer) cards(ctx context.Context, s *story.Story, items []site.Item, home *site.Folder) (compiled.HTML, error) {
	if len(items) == 0 {
		return nil, nil
	}
	cards := make([]card, len(items))
	var missing []site.Item
	var numbers []int // of those among cards
	for i, item := range items {
		var known bool
		if cards[i], known = r.cardCache.Get(keyIn(home, item)); !known {
			missing, numbers = append(missing, item), append(numbers, i)
		}
	}
	read, err := r.reader.Teasers(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, item := range missing {
		key := keyIn(home, item)
		view := r.teaser(&read[i], 3, key, prose.FragmentAddress)
		c := card{pictured: view.Picture != nil}
		if c.pictured {
			view.Spot, view.Picture.Sizes = "", smallSizes
		}
		if c.Fragment, err = prose.NewFragment(r.subtemplate("teaser"), &view); err != nil {
			return nil, err
		}
		r.cardCache.Put(key, c)
		cards[numbers[i]] = c
	}
	sortFirst(cards, func(c card) bool { return c.pictured })
	fragments := make([]prose.Fragment, len(cards))
	for i := range cards {
		fragments[i] = cards[i].Fragment
	}
	return prose.JoinFragments(site.Root(s.Address()), fragments), nil
}
