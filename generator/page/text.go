package page

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"iter"
	"strings"
	"sync"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

type textView struct {
	pageView
	figures
	Heading    string
	Notices    []string      // what a reader should know about the state of the record
	Body       template.HTML // of standing pages and the owner's
	Paragraphs []string      // of the page about the mirror, where the owner wrote none
	Original   string        // address at the source, "" for none
	Below      []link        // standing pages below this one
}

type notFoundView struct {
	pageView
	Search link
	Parts  []section // the newest items, if there are any
}

// notFoundItems is the number of items on the page for unknown addresses.
const notFoundItems = 4

// ownPage is a page of the owner's, or the built-in one about the mirror.
type ownPage struct {
	OwnPage
	address    string
	paragraphs []string
}

// ownPages returns the owner's pages, and the built-in page about the mirror unless one
// of them has its address.
func (r *Renderer) ownPages() ([]ownPage, error) {
	w := r.site.Words
	about := ownPage{OwnPage: OwnPage{Name: w.AboutName, Title: w.About, Description: r.site.Description}}
	for _, format := range w.AboutText {
		about.paragraphs = append(about.paragraphs, fmt.Sprintf(format, r.site.SourceName))
	}
	about.address = site.OwnPage(about.Name, r.site.Language)

	taken := map[string]string{site.NotFound: "the page for unknown addresses", r.site.Home.Index(): "home"}
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

// textPages returns the owner's pages and the page for unknown addresses (404).
func (r *Renderer) textPages() []output.File {
	var files []output.File
	for _, own := range r.own {
		files = append(files, r.render(own.address, own.Name, func(context.Context) (view, error) {
			return &textView{
				pageView: r.pageView(own.address, own.Title, own.Description),
				Heading:  own.Title, Body: own.HTML, Paragraphs: own.paragraphs,
			}, nil
		}))
	}
	return append(files, r.render(site.NotFound, site.NotFound, func(ctx context.Context) (view, error) {
		w := &r.site.Words
		v := &notFoundView{pageView: r.pageView(site.NotFound, w.NotFoundTitle, w.NotFoundText)}
		v.Canonical = ""
		v.Search = *v.linkTo(site.SearchPage(*w), w.Search)
		if newest := r.site.Home.Items.First(notFoundItems); newest.Len() > 0 {
			part, err := r.part(ctx, &v.pageView, link{Href: v.Home.Href, Text: w.Latest}, newest)
			v.Parts = []section{part}
			return v, err
		}
		return v, nil
	}))
}

// movedView leads from a former address of a folder or item to its present one.
type movedView struct {
	pageView
	Heading string
	Section bool // a folder, which has a new name
	To      link
}

// movedPages returns a page at each former address of a folder or item.
func (r *Renderer) movedPages() []output.File {
	var files []output.File
	moved := func(address, title, to string) *movedView {
		v := &movedView{pageView: r.listPageView(address, title), Heading: title}
		v.To = *v.linkTo(to, title)
		v.Canonical = r.site.Absolute(to)
		return v
	}
	for _, folder := range r.site.Folders {
		for from, to := range r.oldPages(folder) {
			file := r.render(from, "former address of "+to, func(context.Context) (view, error) {
				v := moved(from, folder.Title, to)
				v.Section = true
				v.setFeeds(&folder.List)
				return v, nil
			})
			file.Key = r.key(from, func(m *site.Mixer) {
				m.Folder(folder)
				m.Text(to)
			})
			files = append(files, file)
		}
	}
	for _, f := range r.site.Former {
		to := f.Item.Address()
		file := r.render(f.Address, "former address of "+to, func(ctx context.Context) (view, error) {
			titles, err := r.reader.Teasers(ctx, []site.Item{f.Item})
			if err != nil {
				return nil, err
			}
			return moved(f.Address, unbroken(titles[0].Title), to), nil
		})
		file.Key = r.key(f.Address, func(m *site.Mixer) { mixItems(m, f.Item) })
		files = append(files, file)
	}
	return files
}

//go:embed plain.html
var plainPageHTML string

// plainPageTemplate shows an item whose page failed: headline, summary, text and a link
// to the original. Themes cannot replace it, so a mistake in a theme cannot break it.
var plainPageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("plain page").Parse(plainPageHTML))
})

type plainPageView struct {
	pageView
	Hidden         bool // from search engines
	Styles         []string
	Headline, Spot string
	Notice         string
	Paragraphs     []string // of the text
	Original       string   // address at the source, "" for none
}

// writePlain writes a plain page that replaces the page of an item.
func (f *itemFile) writePlain(ctx context.Context, w io.Writer) error {
	v, err := f.renderer.plainPageView(ctx, f.item)
	if err != nil {
		return fmt.Errorf("plain page of %s %s: %w", f.item.Kind(), f.item.ID(), err)
	}
	return plainPageTemplate().Execute(w, v)
}

func (r *Renderer) plainPageView(ctx context.Context, item site.Item) (*plainPageView, error) {
	s, err := r.plainStory(ctx, item)
	if err != nil {
		return nil, err
	}
	v := &plainPageView{
		pageView: r.pageView(item.Address(), s.Title, s.Spot), Hidden: r.site.Robots == site.DenyRobots,
		Headline: s.Title, Spot: s.Spot, Notice: r.site.Words.Plain, Original: s.Source,
	}
	r.setRecord(&v.pageView, s)
	v.Styles = r.styles(v.href)
	for line := range strings.Lines(s.Body.Text()) {
		if line = strings.TrimSpace(line); line != "" {
			v.Paragraphs = append(v.Paragraphs, line)
		}
	}
	return v, nil
}

// plainStory reads an item's story, or only what lists show of it if the story
// cannot be read.
func (r *Renderer) plainStory(ctx context.Context, item site.Item) (*story.Story, error) {
	s, err := r.reader.Story(ctx, item)
	if err == nil {
		return s, nil
	}
	teasers, err := r.reader.Teasers(ctx, []site.Item{item})
	if err != nil {
		return nil, err
	}
	return &story.Story{Item: item, Content: story.Content{Title: teasers[0].Title, Spot: teasers[0].Spot}}, nil
}

// oldPages yields the addresses of a folder's former pages with those of the present ones: its
// months, or else the folder.
func (r *Renderer) oldPages(folder *site.Folder) iter.Seq2[string, string] {
	return func(yield func(from, to string) bool) {
		for _, dir := range folder.OldDirs {
			if !yield((&site.List{Dir: dir}).Index(), folder.Index()) {
				return
			}
		}
		words := &r.site.Words
		months := make(map[string]string) // their addresses, by their names
		if len(folder.OldLists) > 0 {
			for _, p := range folder.Periods(r.site.Location) {
				months[p.Name] = words.PeriodPage(&folder.List, p)
			}
		}
		for _, old := range folder.OldLists {
			list := &site.List{Dir: old.Dir}
			index := folder.Index()
			if len(months) > 0 {
				index = words.MonthIndex(&folder.List)
			}
			if len(old.Months) > 0 && !yield(words.MonthIndex(list), index) {
				return
			}
			for n := range old.Pages {
				if !yield(list.PageAddress(n+1), folder.Index()) {
					return
				}
			}
			for _, name := range old.Months {
				if p, ok := site.EmptyPeriod(name); ok && !yield(words.PeriodPage(list, p), cmp.Or(months[name], folder.Index())) {
					return
				}
			}
		}
	}
}
