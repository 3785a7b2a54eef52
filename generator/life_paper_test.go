package generator_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"ayna/fetch"
	"ayna/source"
	"ayna/source/ghost"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// A livingPaper is a site of WordPress or Ghost that a life mirrors, with its editor.
type livingPaper struct {
	host   string
	open   func(source.Connection, bool) (source.Source, error) // true leaves marks in texts
	edit   func() string                                        // makes a random change, and returns which
	marks  bool
	hidden []string // ids of posts that the editor has withdrawn
}

// openPaper opens the paper that a life mirrors, nil for a life of the Read API.
func (l *siteLife) openPaper(seed uint64) *livingPaper {
	now := func() time.Time { return l.at }
	switch seed % 3 {
	case 1:
		p := fakepaper.NewWordPress(fakepaper.Options{Items: 40, Base: "https://kiyi.example", Now: now})
		l.hosts["kiyi.example"] = p
		l.settings["source"] = "{url: https://kiyi.example, kind: wordpress, per_second: 0, per_hour: 0, columns: [yazarlar]}"
		return &livingPaper{host: "kiyi.example", marks: true, edit: func() string { return l.editWordPress(p) }, open: func(c source.Connection, marks bool) (source.Source, error) {
			s, err := wordpress.New(wordpress.Config{BaseURL: p.Base, Columns: []string{"yazarlar"}, Connection: c})
			if marks {
				return markingWordPress{s}, err
			}
			return s, err
		}}
	case 2:
		g := fakepaper.NewGhost(fakepaper.Options{Items: 40, Base: "https://zeytin.example", Now: now})
		l.hosts["zeytin.example"] = g
		l.settings["source"] = "{url: https://zeytin.example, kind: ghost, per_second: 0, per_hour: 0, api_key: \"${AYNA_API_KEY}\"}"
		return &livingPaper{host: "zeytin.example", marks: true, edit: func() string { return l.editGhost(g) }, open: func(c source.Connection, marks bool) (source.Source, error) {
			s, err := ghost.New(ghost.Config{BaseURL: g.Base, APIKey: fakepaper.GhostKey, Connection: c})
			if marks {
				return markingGhost{s}, err
			}
			return s, err
		}}
	}
	return nil
}

// Sources that leave marks in texts. What they have made is read again, without these, once
// the originals name another version of the reader.
type (
	markingWordPress struct{ *wordpress.Source }
	markingGhost     struct{ *ghost.Source }
)

func (s markingWordPress) Fetch(ctx context.Context, group source.Group, ids []string) ([]source.Answer, error) {
	return marked(s.Source.Fetch(ctx, group, ids))
}

func (s markingGhost) Fetch(ctx context.Context, group source.Group, ids []string) ([]source.Answer, error) {
	return marked(s.Source.Fetch(ctx, group, ids))
}

func marked(answers []source.Answer, err error) ([]source.Answer, error) {
	for i := range answers {
		answers[i].Record = bytes.ReplaceAll(answers[i].Record, []byte(`<p>`), []byte(`<p>[kod] `))
	}
	return answers, err
}

// changePaper has the editor work and the mirror follow, or has originals read again by
// another version of the reader.
func (l *siteLife) changePaper() string {
	l.t.Helper()
	switch l.IntN(12) {
	case 0:
		l.exec("UPDATE original SET reader = '0' WHERE replaced = 0 AND length(data) % 2 = ?", l.IntN(2))
		return "another reader"
	case 1:
		l.paper.marks = !l.paper.marks
	}
	done := l.paper.edit()
	for range l.IntN(3) {
		done += ", " + l.paper.edit()
	}
	l.sync()
	return done
}

// sync brings the archive up to date with the paper.
func (l *siteLife) sync() {
	l.t.Helper()
	a := fakepaper.Open(l.t, l.config.Archive)
	defer a.Close()
	_, err := fetch.Run(l.t.Context(), a, fetch.Options{
		URL: "https://" + l.paper.host, Concurrency: 1, PageSize: 100, Timeout: time.Minute, AllowDelete: 1000, Comments: true,
		Pictures: l.config.MirrorsMedia(), Hosts: map[string]http.Handler{l.paper.host: l.hosts[l.paper.host]}, Now: func() time.Time { return l.at },
		Open: func(c source.Connection) (source.Source, error) { return l.paper.open(c, l.paper.marks) },
	})
	if err != nil && !fetch.IsComplete(err) {
		l.t.Fatal(err)
	}
	l.list(a)
}

// text is one that names and shows other things.
func (l *siteLife) text() string { return l.value("Text").(string) + "<p>" + l.words() + "</p>" }

// pick returns one element of a list.
func pick[T any](l *siteLife, list []T) T { return list[l.IntN(len(list))] }

// restored returns a post that the editor has withdrawn, and whether there is one.
func (p *livingPaper) restored() (id string, ok bool) {
	if len(p.hidden) > 0 {
		id, p.hidden, ok = p.hidden[0], p.hidden[1:], true
	}
	return id, ok
}

func (l *siteLife) editWordPress(p *fakepaper.WordPress) string {
	posts, pages := p.Posts("posts"), p.Posts("pages")
	post, other, category, tag, user := pick(l, posts), pick(l, posts), pick(l, p.Categories()).ID, pick(l, p.Tags()).ID, pick(l, p.Users()).ID
	rename := func(t *fakepaper.Term) { t.Name = l.words() }
	switch n := l.IntN(14); {
	case n < 3:
		return fmt.Sprint("new post ", p.Publish(fakepaper.Post{
			Title: l.words(), Text: l.text(), Categories: []int{category}, Tags: []int{tag}, Picture: post.Picture, Author: user,
		}))
	case n < 4 && len(posts) > 20:
		p.Amend(post.ID, func(post *fakepaper.Post) { post.Status = "draft" })
		l.paper.hidden = append(l.paper.hidden, fmt.Sprint(post.ID))
		return fmt.Sprint("draft ", post.ID)
	case n < 5:
		if id, ok := l.paper.restored(); ok {
			var number int
			fmt.Sscan(id, &number)
			p.Restore(number)
			return "restored " + id
		}
	case n < 6 && len(posts) > 20:
		p.Delete(post.ID)
		return fmt.Sprint("deleted ", post.ID)
	case n < 7:
		[]func(){func() { p.EditCategory(category, rename) }, func() { p.EditTag(tag, rename) }, func() { p.EditUser(post.Author, rename) }}[l.IntN(3)]()
		return "renamed"
	case n < 8 && len(pages) > 0:
		page := pick(l, pages)
		p.Edit(page.ID, func(post *fakepaper.Post) { post.Title, post.Text, post.Order = l.words(), l.text(), l.IntN(9) })
		return fmt.Sprint("page ", page.ID)
	case n < 9:
		p.Convert(post.ID, "pages")
		return fmt.Sprint("page of ", post.ID)
	case n < 10:
		return fmt.Sprint("comment ", p.Comment(fakepaper.Comment{ID: 1 + l.IntN(9), Post: post.ID, Author: "Okur", Text: "<p>" + l.words() + "</p>", Date: l.at, Hidden: l.IntN(4) == 0}))
	case n < 11:
		p.MakeSticky(post.ID, !post.Sticky)
		return fmt.Sprint("sticky ", post.ID)
	}
	p.Edit(post.ID, func(post *fakepaper.Post) {
		[]func(){
			func() { post.Title = l.words() }, func() { post.Text = l.text() }, func() { post.Excerpt = l.words() },
			func() { post.Categories = []int{category} }, func() { post.Tags = []int{tag} }, func() { post.Author = user }, func() { post.Picture = cmp.Or(other.Picture, post.Picture) },
		}[l.IntN(7)]()
	})
	return fmt.Sprint("edited ", post.ID)
}

func (l *siteLife) editGhost(g *fakepaper.Ghost) string {
	posts, pages := g.Posts(), g.Pages()
	post, other, tag, author := pick(l, posts), pick(l, posts), pick(l, g.Tags()).ID, pick(l, g.Authors()).ID
	rename := func(t *fakepaper.GhostTaxonomy) { t.Name = l.words() }
	switch n := l.IntN(12); {
	case n < 3:
		return "new post " + g.Publish(fakepaper.GhostPost{Title: l.words(), HTML: l.text(), Tags: []string{tag}, Authors: []string{author}, Picture: post.Picture})
	case n < 4 && len(posts) > 20:
		g.Edit(post.ID, func(post *fakepaper.GhostPost) { post.IsDraft = true })
		l.paper.hidden = append(l.paper.hidden, post.ID)
		return "draft " + post.ID
	case n < 5:
		if id, ok := l.paper.restored(); ok {
			g.Edit(id, func(post *fakepaper.GhostPost) { post.IsDraft = false })
			return "restored " + id
		}
	case n < 6 && len(posts) > 20:
		g.Delete(post.ID)
		return "deleted " + post.ID
	case n < 7:
		[]func(){func() { g.EditTag(tag, rename) }, func() { g.EditAuthor(author, rename) }}[l.IntN(2)]()
		return "renamed"
	case n < 8 && len(pages) > 0:
		page := pick(l, pages)
		g.Edit(page.ID, func(post *fakepaper.GhostPost) { post.Title, post.HTML = l.words(), l.text() })
		return "page " + page.ID
	case n < 9:
		g.Edit(post.ID, func(post *fakepaper.GhostPost) { post.IsPage = true })
		return "page of " + post.ID
	}
	g.Edit(post.ID, func(post *fakepaper.GhostPost) {
		[]func(){
			func() { post.Title = l.words() }, func() { post.HTML = l.text() }, func() { post.Excerpt = l.words() }, func() { post.Tags = []string{tag} },
			func() { post.Authors = []string{author} }, func() { post.Picture = other.Picture }, func() { post.Visibility = pick(l, []string{"", "members"}) },
		}[l.IntN(7)]()
	})
	return "edited " + post.ID
}
