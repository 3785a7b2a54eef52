package page

import (
	"context"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"ayna/generator/output"
	"ayna/generator/site"
)

type indexView struct {
	pageView
	Heading string
	Letters []letter // one without a letter where the index is not alphabetical
}

// letter is the part of an index whose titles begin with one letter.
type letter struct {
	Letter string
	Anchor string
	Lists  []link
}

// index is a page that names all lists of one sort.
type index struct {
	sort             site.ListKind
	dir, title, kind string // kind is the word for one of the lists
}

func (i index) address() string { return path.Join(i.dir, "index.html") }

// indexList returns the indexes of writers, tags, pages and kinds, and that of
// custom lists if there are some.
func (r *Renderer) indexList() []index {
	w := &r.site.Words
	indexes := []index{
		{site.OfWriters, w.WritersDir, w.Writers, w.WriterKind},
		{site.OfTags, w.TagsDir, w.Tags, w.TagKind},
		{site.OfPages, w.PagesDir, w.Pages, w.PageKind},
		{site.OfKinds, w.KindsDir, w.AllKinds, ""},
	}
	if len(r.site.CustomLists) > 0 {
		indexes = append(indexes, index{site.OfCustomLists, w.CustomListsDir, w.CustomLists, w.CustomListKind})
	}
	return indexes
}

func (r *Renderer) indexes() []output.File {
	var files []output.File
	for _, index := range r.indexList() {
		files = append(files, r.render(index.address(), "index", index.title, func(context.Context) (completer, error) {
			return r.indexView(index), nil
		}))
	}
	return files
}

// indexView divides the lists of writers and tags, which are in alphabetical
// order, by their first letters.
func (r *Renderer) indexView(index index) *indexView {
	v := &indexView{pageView: r.listPageView(index.address(), index.title), Heading: index.title}
	number := make(map[string]int) // of a letter among Letters
	for list := range r.site.Lists() {
		if list.Kind != index.sort {
			continue
		}
		initial := ""
		if index.sort == site.OfWriters || index.sort == site.OfTags {
			initial = initialOf(list.Title, r.site.Language)
		}
		i, known := number[initial]
		if !known {
			i = len(v.Letters)
			number[initial] = i
			v.Letters = append(v.Letters, letter{Letter: initial, Anchor: fmt.Sprintf("l-%x", initial)})
		}
		v.Letters[i].Lists = append(v.Letters[i].Lists, v.linkWithCount(list))
	}
	return v
}

// initialOf returns the letter under which the language's alphabet sorts a title, "#" if
// it does not begin with a letter. Accents are dropped, except those of the Turkish
// alphabet.
func initialOf(title, language string) string {
	r, _ := utf8.DecodeRuneInString(norm.NFC.String(title))
	if !unicode.IsLetter(r) {
		return "#"
	}
	if language == "tr" {
		switch upper := unicode.TurkishCase.ToUpper(r); upper {
		case 'Ç', 'Ğ', 'I', 'İ', 'Ö', 'Ş', 'Ü':
			return string(upper)
		case 'Î':
			return "İ"
		}
	}
	plain := []rune(norm.NFKD.String(string(r)))[0]
	return string(unicode.ToUpper(plain))
}

// searchView is the page that searches the site. Its script loads the index
// that package search makes; without it the page leads to the other indexes.
type searchView struct {
	pageView
	Heading  string
	Script   string // "" if the assets have none
	Root     string // relative path to the root of the tree
	Months   string // their names, separated by spaces
	Kinds    []kindOption
	Searches []link // saved searches
	Indexes  []link
}

// kindOption is a kind to choose from.
type kindOption struct{ Value, Text string }

// searchScript is the asset that makes the search page work.
const searchScript = "search.js"

func (r *Renderer) searchPage() output.File {
	w := &r.site.Words
	address, title := site.SearchPage(*w), w.Search
	return r.render(address, "search", title, func(context.Context) (completer, error) {
		v := &searchView{
			pageView: r.pageView(address, title, fmt.Sprintf(w.SearchDescription, r.site.Title)),
			Heading:  title, Root: site.Root(address), Months: strings.Join(w.Months[:], " "),
		}
		v.Script = r.asset(searchScript, v.href)
		for _, kind := range site.Kinds {
			v.Kinds = append(v.Kinds, kindOption{string(kind), w.Kinds[kind]})
		}
		for _, search := range r.site.Searches {
			v.Searches = append(v.Searches, v.linkWithCount(&search.List))
		}
		for _, index := range r.indexList() {
			v.Indexes = append(v.Indexes, *v.linkTo(index.address(), index.title))
		}
		return v, nil
	})
}
