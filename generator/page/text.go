package page

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"iter"

	"ayna/generator/output"
	"ayna/generator/site"
)

type textView struct {
	frame
	Heading    string
	Body       template.HTML // of the owner's pages
	Paragraphs []string      // of the page about the mirror, where the owner wrote none
}

type notFoundView struct{ frame }

// ownPage is a page of the owner's, or the built-in one about the mirror.
type ownPage struct {
	OwnPage
	address    string
	paragraphs []string
}

// ownPages returns the owner's pages, and the one about the mirror if none of
// them takes its place.
func (r *Renderer) ownPages() ([]ownPage, error) {
	w := r.site.Words
	about := ownPage{OwnPage: OwnPage{Name: w.AboutName, Title: w.About, Description: r.site.Description}}
	for _, format := range w.AboutText {
		about.paragraphs = append(about.paragraphs, fmt.Sprintf(format, r.site.SourceName))
	}
	about.address = site.OwnPage(about.Name, r.site.Language)

	taken := map[string]string{site.NotFound: "the page for what is not there", r.site.Home.Index(): "home"}
	var pages []ownPage
	for _, own := range r.options.Own {
		page := ownPage{OwnPage: own, address: site.OwnPage(own.Name, r.site.Language)}
		if other := taken[page.address]; other != "" {
			return nil, fmt.Errorf("own page %q: its address %s is that of %s; rename it", own.Name, page.address, other)
		}
		taken[page.address] = fmt.Sprintf("%q", own.Name)
		page.Title = cmp.Or(own.Title, own.Name)
		pages = append(pages, page)
	}
	if taken[about.address] == "" {
		pages = append(pages, about)
	}
	return pages, nil
}

// texts yields the owner's pages and the page for what is not there.
func (r *Renderer) texts() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		for _, own := range r.own {
			key := r.key("text", own.address).Text(own.Title, own.Description, string(own.HTML)).Text(own.paragraphs...)
			file := r.render(own.address, "text", own.Name, key, func(context.Context) (framed, error) {
				v := &textView{
					frame:   r.frame(own.address, own.Title, own.Description),
					Heading: own.Title, Body: own.HTML, Paragraphs: own.paragraphs,
				}
				v.trail()
				return v, nil
			})
			if !yield(file) {
				return
			}
		}
		yield(r.notFound())
	}
}

// notFound returns the page that a server shows at any address that is not
// there, so its links are absolute.
func (r *Renderer) notFound() output.File {
	key := r.key("notfound", site.NotFound)
	return r.render(site.NotFound, "notfound", site.NotFound, key, func(context.Context) (framed, error) {
		w := r.site.Words
		v := &notFoundView{r.frameFor(site.NotFound, w.NotFoundTitle, w.NotFoundText, r.site.Absolute)}
		v.Canonical = ""
		return v, nil
	})
}
