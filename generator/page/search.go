package page

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"ayna/generator/output"
	"ayna/generator/site"
)

// searchView is the page that searches the site. Its script loads the index
// that package search makes; without it the page leads to the other indexes.
type searchView struct {
	frame
	Heading  string
	Script   string // "" if the assets have none
	Root     string // way to the root of the tree
	Months   string // their names, divided by blanks
	Kinds    []kindOption
	Searches []link // saved searches
	Indexes  []link
}

// kindOption is a kind as one may ask for it.
type kindOption struct{ Value, Text string }

// searchScript is the asset that makes the search page work.
const searchScript = "search.js"

func (r *Renderer) searchPage() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		address, title := site.SearchPage(r.site.Words), r.site.Words.Search
		key := r.key("search", address)
		for _, search := range r.site.Searches {
			key.Text(search.Title, search.Dir).Number(uint64(search.Items.Len()))
		}
		yield(r.render(address, "search", title, key, func(context.Context) (framed, error) {
			return r.searchView(address, title), nil
		}))
	}
}

func (r *Renderer) searchView(address, title string) *searchView {
	w := &r.site.Words
	v := &searchView{
		frame:   r.frame(address, title, fmt.Sprintf(w.SearchDescription, r.site.Title)),
		Heading: title, Root: site.Root(address), Months: strings.Join(w.Months[:], " "),
	}
	v.trail()
	if script := AddressOf(r.options.Assets, searchScript); script != "" {
		v.Script = v.href(script)
	}
	for _, kind := range site.Kinds {
		v.Kinds = append(v.Kinds, kindOption{string(kind), w.Kinds[kind]})
	}
	for _, search := range r.site.Searches {
		l := v.list(&search.List)
		l.Note = fmt.Sprintf(w.Items, search.Items.Len())
		v.Searches = append(v.Searches, l)
	}
	for _, index := range r.indexList() {
		v.Indexes = append(v.Indexes, link{Href: v.href(index.address()), Text: index.title})
	}
	return v
}
