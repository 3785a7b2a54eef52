package epub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"
	"time"

	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
)

// chapter is an item of the book. What pages about several chapters show is known once its
// own page is written.
type chapter struct {
	site.Item
	Number                                      int
	Title, Writers, Date, Hash, Source, Fetched string
}

// Name is the name of the chapter's page.
func (c *chapter) Name() string { return fmt.Sprintf("item-%05d", c.Number) }

// perPage is how many sources one page has.
const perPage = 250

// sources is the name of the page with the chapter's source.
func (c *chapter) sources() string { return fmt.Sprintf("sources-%02d", (c.Number-1)/perPage+1) }

// SourceAt is the link to the chapter's source.
func (c *chapter) SourceAt() string { return fmt.Sprintf("%s.xhtml#k%d", c.sources(), c.Number) }

// chapterView is the view of a chapter's page.
type chapterView struct {
	view
	Chapter        *chapter
	Story          *story.Story
	Kind           string // "" if the folder names it
	Lead, Pictures []figure
	Body           template.HTML
}

type figure struct{ Src, Alt, Number, Caption string } // no Src: the book lacks it

// chapter writes the page of an item, and the pictures that it is the first to show.
func (e *edition) chapter(ctx context.Context, c *chapter) error {
	s, err := e.Stories.Story(ctx, c.Item)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case e.draft && errors.Is(err, story.ErrUnreadable):
		e.lost = append(e.lost, c.Item)
		return nil
	case err != nil:
		return err
	}
	r, err := e.Stories.Archive.Records.Row(ctx, c.Row())
	if err != nil {
		return err
	}
	var writers []string
	for _, w := range s.Writers() {
		writers = append(writers, w.Title)
	}
	c.Title, c.Source, c.Hash, c.Date, c.Writers = s.Title, prose.StrictURL(s.Source), s.Hash, e.date(s.Published()), strings.Join(writers, ", ")
	for _, t := range []time.Time{r.Seen, r.Listed, r.Fetched} {
		if !t.IsZero() {
			c.Fetched = e.When(t.UnixMilli())
		}
	}
	v := chapterView{view: e.view(s.Title, nil), Chapter: c, Story: s}
	if kind := e.Words.Kinds[s.Kind()]; s.Kind() != site.Article && !strings.EqualFold(kind, s.Folder().Title) {
		v.Kind = kind
	}
	copied := len(e.Pictures)
	v.Body = s.Body.XHTML(resolver{s.Resolver(e.href, ""), e})
	e.setPictures(&v, s)
	e.page("chapter", c.Name(), v)
	for _, p := range e.Pictures[copied:] {
		e.copyPicture(p)
	}
	if e.Progress != nil {
		e.Progress(c.Number, len(e.Chapters))
	}
	return e.err
}

// setPictures sets the pictures around the text. Those in the text are not shown twice.
func (e *edition) setPictures(v *chapterView, s *story.Story) {
	inBody := s.Body.Images()
	for i, p := range s.Pictures {
		f := figure{Alt: cmp.Or(p.Title, p.Caption), Caption: p.Caption}
		if p.File != "" {
			f.Src = e.image(p.File, i == 0)
		}
		switch {
		case s.Kind() == site.Gallery:
			f.Number = fmt.Sprintf("%d/%d", i+1, len(s.Pictures))
			f.Caption, f.Alt = cmp.Or(p.Caption, p.Title), cmp.Or(f.Alt, s.Title+", "+f.Number)
			v.Pictures = append(v.Pictures, f)
		case f.Src == "" || slices.Contains(inBody, p.Source):
		case i == 0:
			v.Lead = []figure{f}
		default:
			v.Pictures = append(v.Pictures, f)
		}
	}
}

// href returns the link to a file of the site: within the book, or where it is served.
func (e *edition) href(address string) string {
	if c := e.byAddress[address]; c != nil {
		return c.Name() + ".xhtml"
	}
	if path.Dir(address) == site.MediaDir { // attachments are below it, and stay outside of the book
		return e.image(address, false)
	}
	return e.Site.Absolute(address)
}

// resolver resolves what a text links and shows.
type resolver struct {
	prose.Resolver
	edition *edition
}

// Anchor implements [prose.Resolver]: a chapter is a file.
func (resolver) Anchor(id string) (href string, isHere bool) { return "#" + id, true }

// Image implements [prose.Resolver]: a book loads nothing from elsewhere.
func (r resolver) Image(source string) (prose.Image, bool) {
	if !r.edition.Stories.Mirror {
		return prose.Image{}, false
	}
	shown, ok := r.Resolver.Image(source)
	return shown, ok && shown.Src != ""
}
