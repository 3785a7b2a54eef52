package page

import (
	"cmp"
	"context"
	"fmt"
	"html/template"

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

// texts returns the owner's pages and the page for what is not there.
func (r *Renderer) texts() []output.File {
	var files []output.File
	for _, own := range r.own {
		files = append(files, r.render(own.address, "text", own.Name, func(context.Context) (completer, error) {
			return &textView{
				frame:   r.frame(own.address, own.Title, own.Description),
				Heading: own.Title, Body: own.HTML, Paragraphs: own.paragraphs,
			}, nil
		}))
	}
	return append(files, r.render(site.NotFound, "notfound", site.NotFound, func(context.Context) (completer, error) {
		v := &notFoundView{r.frame(site.NotFound, r.site.Words.NotFoundTitle, r.site.Words.NotFoundText)}
		v.Canonical = ""
		return v, nil
	}))
}

// movedView leads from the former address of a folder to its present one.
type movedView struct {
	frame
	Heading string
	To      link
}

// moved returns a page in each directory that a renamed folder had.
func (r *Renderer) moved() []output.File {
	var files []output.File
	for _, folder := range r.site.Folders {
		for _, dir := range folder.OldDirs {
			address := (&site.List{Dir: dir}).Index()
			files = append(files, r.render(address, "moved", "former place of "+folder.Path, func(context.Context) (completer, error) {
				v := &movedView{frame: r.listFrame(address, folder.Title), Heading: folder.Title}
				v.To = v.list(&folder.List)
				v.Canonical = r.site.Absolute(folder.Index())
				v.follow(&folder.List)
				return v, nil
			}))
		}
	}
	return files
}
