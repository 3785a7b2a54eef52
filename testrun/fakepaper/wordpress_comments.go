package fakepaper

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Comment is what a reader has written below a post.
type Comment struct {
	ID, Post, Parent int
	Author           string // with entities
	Text             string // HTML
	Date             time.Time
	Hidden           bool // it waits, or is spam or in the trash
	OnDraft          bool // lists count it and do not show it
}

// Comment adds a comment, or replaces the one of its id, and returns the id.
func (p *WordPress) Comment(c Comment) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.comments == nil {
		p.comments = make(map[int]*Comment)
	}
	if c.ID == 0 {
		c.ID = len(p.comments) + 1
	}
	if c.Date.IsZero() {
		c.Date = Newest.Add(time.Duration(c.ID) * time.Minute)
	}
	p.comments[c.ID] = &c
	return c.ID
}

// Comments returns the public comments in the order of their ids.
func (p *WordPress) Comments() (list []Comment) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range inOrder(p.comments) {
		if !c.Hidden && !c.OnDraft {
			list = append(list, *c)
		}
	}
	return list
}

// Moderate changes a comment; hidden ones are in no list.
func (p *WordPress) Moderate(id int, change func(*Comment)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p.comments[id])
}

// commentColumns are the fields of comments. Avatars have addresses with the hash of an e-mail address.
var commentColumns = []column[*Comment]{
	{"id", func(c *Comment) any {
		if c.OnDraft {
			return nil
		}
		return c.ID
	}},
	{"post", func(c *Comment) any { return c.Post }},
	{"parent", func(c *Comment) any { return c.Parent }},
	{"author", func(*Comment) any { return 0 }},
	{"author_name", func(c *Comment) any { return c.Author }},
	{"author_url", func(*Comment) any { return "https://okur.example/" }},
	{"author_avatar_urls", func(*Comment) any {
		return map[string]any{"24": "https://secure.gravatar.example/avatar/0123456789abcdef?s=24"}
	}},
	{"date_gmt", func(c *Comment) any { return c.Date.UTC().Format("2006-01-02T15:04:05") }},
	{"content", func(c *Comment) any { return map[string]any{"rendered": c.Text} }},
	{"link", func(c *Comment) any {
		return "https://kiyi.example/?p=" + strconv.Itoa(c.Post) + "#comment-" + strconv.Itoa(c.ID)
	}},
	{"status", func(*Comment) any { return "approved" }},
	{"type", func(*Comment) any { return "comment" }},
}

// commentList answers with public comments: by ids, or those after a date, newest first unless
// the order is asc.
func (p *WordPress) commentList(r *wpRequest) (int, []byte) {
	include := r.ids("include")
	var after time.Time
	if text := r.Get("after"); text != "" {
		var err error
		if after, err = time.Parse(time.RFC3339, strings.ReplaceAll(text, " ", "+")); err != nil {
			return invalid("after", "Invalid date.")
		}
	}
	var found []*Comment
	for _, c := range inOrder(p.comments) {
		if !c.Hidden && c.Date.After(after) && (include == nil || slices.Contains(include, c.ID)) {
			found = append(found, c)
		}
	}
	if r.Get("order") != "asc" {
		slices.Reverse(found)
	}
	columns := commentColumns
	if fieldsOf(r.Values)["content"] != nil { // a part of it, which is left out
		columns = slices.DeleteFunc(slices.Clone(columns), func(c column[*Comment]) bool { return c.name == "content" })
	}
	return list(r, columns, found, false)
}
