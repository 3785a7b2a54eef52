package fakepaper

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// add keeps a post, with what WordPress sets when it is saved for the first time.
func (p *WordPress) add(post *Post) {
	post.Type, post.Status, post.Format = cmp.Or(post.Type, "posts"), cmp.Or(post.Status, "publish"), cmp.Or(post.Format, "standard")
	post.Slug = cmp.Or(post.Slug, fmt.Sprintf("haber-%d", post.ID))
	if post.Type == "posts" && len(post.Categories) == 0 {
		post.Categories = []int{uncategorized}
	}
	if post.Modified.IsZero() {
		post.Modified = post.Date
	}
	post.localDate, post.localModified = p.local(post.Date), p.local(post.Modified)
	p.posts[post.Type], p.byID[post.ID] = append(p.posts[post.Type], post), post
	p.last = max(p.last, post.ID)
	post.guid = fmt.Sprintf("%s/?p=%d", p.home(), post.ID) // of the draft
}

// sort puts the posts of a type in the order of lists.
func (p *WordPress) sort(name string) {
	slices.SortFunc(p.posts[name], newestFirst)
}

func newestFirst(a, b *Post) int { return cmp.Or(b.localDate.Compare(a.localDate), b.ID-a.ID) }

// local returns what the site's clock shows at a moment. Posts keep it when the time zone
// changes.
func (p *WordPress) local(at time.Time) time.Time {
	_, offset := at.In(p.Zone).Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second).Truncate(time.Second)
}

// now is the time of a save, in whole seconds.
func (p *WordPress) now() time.Time { return p.Now().UTC().Truncate(time.Second) }

// Publish adds a post, and returns its id. A post without a date has the current one.
func (p *WordPress) Publish(post Post) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	post.ID = p.last + 1
	if post.Date.IsZero() {
		post.Date = p.now()
	}
	post.Author = cmp.Or(post.Author, 2)
	p.add(&post)
	p.sort(post.Type)
	return post.ID
}

// Schedule adds a post that is public from a moment on. Its date of modification stays the
// current one.
func (p *WordPress) Schedule(post Post, at time.Time) int {
	post.Date, post.Modified = at.UTC(), p.now()
	return p.Publish(post)
}

// Edit changes a post as its editor does: it is modified now.
func (p *WordPress) Edit(id int, edit func(*Post)) {
	p.Amend(id, func(post *Post) {
		edit(post)
		post.Modified = p.now()
	})
}

// Amend changes a post as plug-ins and lists of posts do: its date of modification stays,
// unless edit sets it.
func (p *WordPress) Amend(id int, edit func(*Post)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	post := p.byID[id]
	date, modified := post.Date, post.Modified
	if edit(post); !post.Modified.Equal(modified) {
		post.localModified = p.local(post.Modified)
	}
	if !post.Date.Equal(date) {
		post.localDate = p.local(post.Date)
		p.sort(post.Type)
	}
}

// ChangeType makes a post a page, or a page a post, with another title and slug.
func (p *WordPress) ChangeType(id int, name, title, slug string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	post := p.byID[id]
	p.posts[post.Type] = slices.DeleteFunc(p.posts[post.Type], func(post *Post) bool { return post.ID == id })
	post.Type, post.Title, post.Slug, post.Modified = name, title, slug, p.now()
	p.add(post)
	p.sort(name)
}

// Trash makes a post one that is not public any more.
func (p *WordPress) Trash(id int) { p.Amend(id, func(post *Post) { post.Status = "trash" }) }

// Restore makes a post public again.
func (p *WordPress) Restore(id int) { p.Amend(id, func(post *Post) { post.Status = "publish" }) }

// Delete deletes a post for good.
func (p *WordPress) Delete(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := p.byID[id].Type
	p.posts[name] = slices.DeleteFunc(p.posts[name], func(post *Post) bool { return post.ID == id })
	delete(p.byID, id)
}

// Convert makes a post one of another type, as plug-ins do: it is modified now.
func (p *WordPress) Convert(id int, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	post := p.byID[id]
	p.posts[post.Type] = slices.DeleteFunc(p.posts[post.Type], func(other *Post) bool { return other == post })
	post.Type, post.Modified = name, p.now()
	post.localModified = p.local(post.Modified)
	p.posts[name] = append(p.posts[name], post)
	p.sort(name)
}

// Rename gives the site another title.
func (p *WordPress) Rename(title string) { p.locked(func() { p.title = title }) }

// MakeSticky sets the flag, and nothing else.
func (p *WordPress) MakeSticky(id int, sticky bool) {
	p.Amend(id, func(post *Post) { post.Sticky = sticky })
}

// Protect gives a post a password.
func (p *WordPress) Protect(id int) { p.Edit(id, func(post *Post) { post.Protected = true }) }

// EditCategory changes a category, and no date of its posts.
func (p *WordPress) EditCategory(id int, edit func(*Term)) {
	p.locked(func() { edit(p.categories[id]) })
}

// EditTag changes a tag, and no date of its posts.
func (p *WordPress) EditTag(id int, edit func(*Term)) { p.locked(func() { edit(p.tags[id]) }) }

// EditUser changes a user, and no date of the posts.
func (p *WordPress) EditUser(id int, edit func(*Term)) { p.locked(func() { edit(p.users[id]) }) }

// EditMedium changes a picture, and no date of posts that show it.
func (p *WordPress) EditMedium(id int, edit func(*Medium)) { p.locked(func() { edit(p.media[id]) }) }

// AddCategory adds a category, and returns its id.
func (p *WordPress) AddCategory(t Term) (id int) {
	p.locked(func() {
		id = len(p.categories) + 1
		t.ID = id
		p.categories[id] = &t
	})
	return id
}

// AddTag adds a tag, and returns its id.
func (p *WordPress) AddTag(t Term) (id int) {
	p.locked(func() {
		id = len(p.tags) + 1
		t.ID = id
		p.tags[id] = &t
	})
	return id
}

// Copy returns a copy of the site, which gets no further changes.
func (p *WordPress) Copy() *WordPress {
	o := p.Options
	o.Items = 0
	c := NewWordPress(o)
	p.locked(func() {
		c.posts, c.byID = make(map[string][]*Post), make(map[int]*Post)
		for name, posts := range p.posts {
			c.posts[name] = clones(posts)
			for _, post := range c.posts[name] {
				c.byID[post.ID] = post
			}
		}
		c.categories, c.tags, c.users, c.media = clonesByID(p.categories), clonesByID(p.tags), clonesByID(p.users), clonesByID(p.media)
		c.last, c.title = p.last, p.title
	})
	return c
}

func clonesByID[T any](all map[int]*T) map[int]*T {
	copied := make(map[int]*T)
	for id, e := range all {
		one := *e
		copied[id] = &one
	}
	return copied
}

// Posts returns copies of the public posts of a type by its REST name, newest first.
func (p *WordPress) Posts(name string) (list []Post) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, post := range p.matching(p.posts[name], nil) {
		list = append(list, *post)
	}
	return list
}

// Categories returns copies of the categories.
func (p *WordPress) Categories() []Term { return p.terms(p.categories) }

// Tags returns copies of the tags.
func (p *WordPress) Tags() []Term { return p.terms(p.tags) }

// Users returns copies of the users.
func (p *WordPress) Users() []Term { return p.terms(p.users) }

func (p *WordPress) terms(all map[int]*Term) (list []Term) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, *all[id])
	}
	return list
}

// isPublic reports whether everybody may read a post.
func (post *Post) isPublic(now time.Time) bool {
	return post.Status == "publish" && !post.Date.After(now)
}
