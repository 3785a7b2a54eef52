package fakepaper

import (
	"slices"
	"time"
)

// now is the time of a save, in whole seconds.
func (g *Ghost) now() time.Time { return g.Now().UTC().Truncate(time.Second) }

// Publish adds a post or a page, and returns its id. Without a date it is of now.
func (g *Ghost) Publish(post GhostPost) (id string) {
	g.locked(func() {
		if post.Published.IsZero() {
			post.Published = g.now()
		}
		post.Updated = g.now()
		id = g.add(post).ID
	})
	return id
}

// Edit changes a post as its editor does: it is updated now.
func (g *Ghost) Edit(id string, edit func(*GhostPost)) {
	g.Amend(id, func(post *GhostPost) {
		edit(post)
		post.Updated = g.now()
	})
}

// Amend changes a post, and no date unless edit does. It panics if no post has that id.
func (g *Ghost) Amend(id string, edit func(*GhostPost)) {
	g.locked(func() {
		edit(g.posts[slices.IndexFunc(g.posts, func(post *GhostPost) bool { return post.ID == id })])
	})
}

// Delete deletes a post for good.
func (g *Ghost) Delete(id string) {
	g.locked(func() {
		g.posts = slices.DeleteFunc(g.posts, func(post *GhostPost) bool { return post.ID == id })
	})
}

// EditTag changes a tag, and no date of its posts.
func (g *Ghost) EditTag(id string, edit func(*GhostTaxonomy)) {
	g.locked(func() { editTaxonomy(g.tags, id, edit) })
}

// EditAuthor changes an author, and no date of the posts.
func (g *Ghost) EditAuthor(id string, edit func(*GhostTaxonomy)) {
	g.locked(func() { editTaxonomy(g.authors, id, edit) })
}

func editTaxonomy(all []*GhostTaxonomy, id string, edit func(*GhostTaxonomy)) {
	edit(all[slices.IndexFunc(all, func(t *GhostTaxonomy) bool { return t.ID == id })])
}

// DeleteTag deletes a tag, and no date of its posts changes.
func (g *Ghost) DeleteTag(id string) {
	g.locked(func() {
		g.tags = slices.DeleteFunc(g.tags, func(t *GhostTaxonomy) bool { return t.ID == id })
	})
}

// Rename gives the site another title.
func (g *Ghost) Rename(title string) { g.locked(func() { g.title = title }) }

// Replace makes the site another paper: its title, its id and the ids of its posts.
func (g *Ghost) Replace(title string) {
	g.locked(func() {
		g.title, g.uuid = title, "00000000-0000-4000-8000-000000000000"
		for _, post := range g.posts {
			post.ID = g.newID()
		}
	})
}

// Posts returns copies of the public posts, in the order in which they were added.
func (g *Ghost) Posts() []GhostPost { return g.copies(false) }

// Pages returns copies of the public pages.
func (g *Ghost) Pages() []GhostPost { return g.copies(true) }

func (g *Ghost) copies(isPage bool) (list []GhostPost) {
	g.locked(func() {
		for _, post := range g.public(isPage) {
			list = append(list, *post)
		}
	})
	return list
}

// Tags returns copies of the tags, internal ones too.
func (g *Ghost) Tags() []GhostTaxonomy { return copiesOf(g, &g.tags) }

// Authors returns copies of the authors.
func (g *Ghost) Authors() []GhostTaxonomy { return copiesOf(g, &g.authors) }

func copiesOf(g *Ghost, all *[]*GhostTaxonomy) (list []GhostTaxonomy) {
	g.locked(func() {
		for _, t := range *all {
			list = append(list, *t)
		}
	})
	return list
}

// Copy returns a copy of the site, which gets no further changes.
func (g *Ghost) Copy() *Ghost {
	o := g.Options
	o.Items = 0
	c := NewGhost(o)
	g.locked(func() {
		c.posts, c.tags, c.authors = clones(g.posts), clones(g.tags), clones(g.authors)
		c.last, c.title, c.uuid = g.last, g.title, g.uuid
	})
	return c
}

func clones[T any](all []*T) (copied []*T) {
	for _, e := range all {
		one := *e
		copied = append(copied, &one)
	}
	return copied
}
