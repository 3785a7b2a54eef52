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

// setAround sets what follows an item: the items that its record refers to, others of its
// writer or folder, and its neighbours in the folder.
func (r *Renderer) setAround(ctx context.Context, v *itemView, s *story.Story) error {
	older, newer := s.Previous(), s.Next()
	related := relatedItems(s)
	cards := related
	switch n := len(related); {
	case n >= relatedCards:
		cards = related[:relatedCards]
	case n > relatedCards/2:
		cards = related[:relatedCards/2]
	}
	named := append(slices.Clone(related), older, newer)
	var columns []site.Item
	if s.Kind() == site.Column && len(s.Writers()) > 0 {
		columns = nextTo(s.Item, s.Writers()[0].Items, otherColumns, func(item site.Item) bool {
			return item.Kind() != site.Column || slices.Contains(related, item)
		})
		named = append(named, columns...)
	}
	section := s.Folder()
	if len(columns) > 0 && !showsFolder(s.Item, nil) && section.Parent != nil {
		section = section.Parent // that of other writers
	}
	others := nextTo(s.Item, section.Items, sectionCards, func(item site.Item) bool {
		return slices.Contains(named, item) || section != s.Folder() && slices.Equal(item.Writers(), s.Writers())
	})
	read, err := r.readTeasers(ctx, &v.pageView, []site.Item{older, newer}, related[len(cards):], columns)
	if err != nil {
		return err
	}
	v.RelatedLinks = read.relatedLinks(s, related[len(cards):])
	for _, column := range columns {
		l := read.link(column)
		if m := r.moment(column.Published()); m != nil {
			l.Note = m.Shown
		}
		v.Columns = append(v.Columns, *l)
	}
	// Neighbours are often among the related items and the writer's columns.
	linked := slices.Concat(related, columns)
	if !slices.Contains(linked, older) {
		v.Older = read.link(older)
	}
	if !slices.Contains(linked, newer) {
		v.Newer = read.link(newer)
	}
	v.OthersIn = link{Href: v.Home.Href, Text: v.Words.MoreNews}
	if section.Parent != nil {
		v.OthersIn = link{Href: v.href(section.Index()), Text: fmt.Sprintf(v.Words.MoreOf, section.Title)}
	}
	if v.Related, err = r.cards(ctx, s, cards, nil); err == nil {
		v.Others, err = r.cards(ctx, s, others, section)
	}
	return err
}

// nextTo returns the n items that follow an item in a list and, where the list ends, those
// before it, except those for which not returns true. The newest of a list would change
// the pages of all its items with each new one.
func nextTo(item site.Item, list site.Items, n int, not func(site.Item) bool) []site.Item {
	var chosen []site.Item
	index, _ := list.Find(item)
	add := func(i int) {
		if i >= 0 && i < list.Len() && len(chosen) < n && !not(list.At(i)) {
			chosen = append(chosen, list.At(i))
		}
	}
	for distance := range lookedAt {
		add(index + 1 + distance)
	}
	for distance := range lookedAt {
		add(index - 1 - distance)
	}
	return chosen
}

// relatedItems returns the items of the mirror that a story's record refers to.
func relatedItems(s *story.Story) []site.Item {
	var items []site.Item
	seen := map[site.Item]bool{s.Item: true}
	for _, related := range s.Related {
		if item := related.Item; item.Exists() && !seen[item] {
			seen[item] = true
			items = append(items, item)
		}
	}
	return items
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
