package page

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ayna/generator/output"
	"ayna/generator/site"
)

// searchView is the page that searches the site. Its script loads the index
// that package search makes; without it the page leads to the other indexes.
type searchView struct {
	pageView
	Heading  string
	Scripts  []string
	Root     string // relative path to the root of the tree
	Comma    string // of the script, with its space
	Months   string // their names in dates, separated by bars
	Kinds    []kindOption
	Writers  bool   // there are any
	Topics   []link // the tags with most items, in their order
	Searches []link // saved searches
	Indexes  []link
}

// searchTopics is the number of tags that the search page offers.
const searchTopics = 12

// kindOption is a kind to choose from.
type kindOption struct{ Value, Text string }

// searchScripts are the assets that make the search page work, in their order.
var searchScripts = []string{"search-index.js", "search-query.js", "search.js"}

func (r *Renderer) searchPage() output.File {
	w := &r.site.Words
	address, title := site.SearchPage(*w), w.Search
	return r.render(address, title, func(context.Context) (view, error) {
		v := &searchView{
			pageView: r.pageView(address, title, fmt.Sprintf(w.SearchDescription, r.site.Title)),
			Heading:  title, Root: site.Root(address), Months: strings.Join(w.DateMonths[:], "|"), Comma: w.Comma(), Writers: len(r.site.Writers) > 0,
		}
		for _, script := range searchScripts {
			if address := r.asset(script, v.href); address != "" {
				v.Scripts = append(v.Scripts, address)
			}
		}
		for _, kind := range site.Kinds {
			v.Kinds = append(v.Kinds, kindOption{string(kind), w.Kinds[kind]})
		}
		for _, tag := range r.topics() {
			v.Topics = append(v.Topics, v.linkToList(&tag.List))
		}
		for _, search := range r.site.Searches {
			v.Searches = append(v.Searches, v.linkWithCount(&search.List))
		}
		for _, index := range r.filledIndexes() {
			v.Indexes = append(v.Indexes, *v.linkTo(index.address(), index.title))
		}
		return v, nil
	})
}

// topics returns the tags with most items in alphabetical order, so that a new item rarely
// changes what the search page offers.
func (r *Renderer) topics() []*site.Tag {
	most := slices.SortedStableFunc(slices.Values(r.site.Tags), func(a, b *site.Tag) int { return b.Items.Len() - a.Items.Len() })
	most = most[:min(len(most), searchTopics)]
	return slices.DeleteFunc(slices.Clone(r.site.Tags), func(tag *site.Tag) bool { return !slices.Contains(most, tag) })
}
