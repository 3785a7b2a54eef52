// Package page renders a site as HTML pages, and its items also as Markdown: a
// [story.Reader] of an arranged site goes in, an [output.File] for each page comes out.
//
// Begin with [Renderer.Files], in this file. item.go and list.go make the pages of
// items and lists, layout.go what surrounds them.
//
// Every template has a view: a struct with exactly the fields that the template
// may use. A view holds plain strings, which html/template escapes for the place
// where they stand, links that are ready to use, and HTML that package prose made.
//
// The site's owner may replace templates one by one: layout.html is around every
// page, parts.html and item.html hold what several pages share, and each of the
// others belongs to a view of the table in template.go and defines "main".
package page

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"iter"
	"math"
	"reflect"
	"slices"

	"golang.org/x/text/language"

	"ayna/generator/cache"
	"ayna/generator/compiled"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
)

// Options holds what pages are made of, in addition to the site.
type Options struct {
	Templates fs.FS     // the built-in templates, or these with the owner's laid over them file by file
	Parsed    Templates // the result of [Parse] of Templates; if it is nil, [New] parses them
	Assets    []Asset   // the result of [Assets]
	Own       []OwnPage // the site owner's own pages
	Branding  Branding  // what the owner puts around every page
}

// OwnPage is a page that the site's owner wrote.
type OwnPage struct {
	Name        string // its address is made of it: "imprint"
	Title       string
	Description string
	HTML        template.HTML // from prose.Markdown
}

// Renderer makes the pages of one arranged site. Its files may be written
// concurrently.
type Renderer struct {
	reader    *story.Reader
	site      *site.Site
	options   Options
	templates Templates
	own       []ownPage // with the page about the mirror
	language  language.Tag
	direction string      // of the language
	source    link        // the mirrored service
	publisher jsonLDPart  // likewise
	base      site.Digest // part of all keys

	// By how much the processor time of a full build of 10,000 items grows without each cache:
	// layouts 24 %, trails 15 %, teasers 13 %, cards 16 %.
	layouts       cache.Cache[string, layout]
	layoutDigests cache.Cache[string, site.Digest]
	trails        cache.Cache[trailKey, trailAndFeeds]
	teasers       cache.Cache[teaserKey, prose.Fragment]
	cardCache     cache.Cache[teaserKey, card]
}

// Templates are parsed templates by the name of their view.
type Templates map[string]viewTemplate

// Parse parses the templates and executes each with an empty view. An error names
// the file and the line.
func Parse(templates fs.FS, words site.Words) (Templates, error) {
	parsed, err := parseAll(templates, words)
	if err != nil {
		return nil, fmt.Errorf("read the templates: %w", err)
	}
	return parsed, nil
}

// New returns a renderer of the reader's site. An error is one of [Parse], or
// names the owner's page that cannot be published.
func New(reader *story.Reader, options Options) (*Renderer, error) {
	templates := options.Parsed
	if templates == nil {
		var err error
		if templates, err = Parse(options.Templates, reader.Site.Words); err != nil {
			return nil, err
		}
	}
	r := &Renderer{reader: reader, site: reader.Site, language: language.Make(reader.Site.Language), direction: site.Direction(reader.Site.Language), options: options, templates: templates}
	r.layouts.MaxSize, r.trails.MaxSize, r.layoutDigests.MaxSize = 256, 256, 1<<14
	r.base = baseOf(r.site, reader.Mirror, reader.Attached)
	r.teasers.MaxSize, r.teasers.Size = 6<<20, prose.Fragment.Size // bytes; a tag's page has items of a long time
	r.cardCache.MaxSize, r.cardCache.Size = 1<<20, card.Size       // 4<<20 would render no fewer
	r.source = link{Text: r.site.SourceName}
	r.source.Href, _ = prose.SafeURL(r.site.SourceHome)
	r.publisher = jsonLDPart{Type: "NewsMediaOrganization", Name: r.source.Text, URL: r.source.Href}
	var err error
	r.own, err = r.ownPages()
	return r, err
}

// Files yields every page of the site, its assets, the items as Markdown,
// sitemap and robots.txt. Nothing is read or rendered before a file is
// written. The only error is that of ctx.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		add := func(file output.File) bool {
			if err := ctx.Err(); err != nil {
				yield(output.File{}, err)
				return false
			}
			return yield(file, nil)
		}
		lists := r.lists()
		periodLists := r.periodLists(lists)
		few := slices.Concat(
			r.assets(), r.movedPages(), r.subscribePages(), r.indexes(), r.textPages(), r.standingPages(), r.sitemaps(lists, periodLists),
			[]output.File{r.home(), r.corrections(), r.numbers(), r.searchPage(), r.webManifest()},
		)
		for _, file := range few {
			if !add(file) {
				return
			}
		}
		r.timeline(lists, periodLists, add)
	}
}

// scheduledPage is a page of a list, or a period of one, in the order of rendering.
type scheduledPage struct {
	newest int64 // order of its newest item
	list   int32 // index of the list, or of the periodList
	number int32 // of the page, or of the period
	period bool
}

// timeline yields the pages of all lists, of their periods and of the items, the
// newest first: the pages that show an item follow each other, so that its teaser
// is read and rendered once for all of them, however many items there are.
func (r *Renderer) timeline(lists []listInfo, periodLists []periodList, yield func(output.File) bool) {
	pages := listPages(lists, periodLists)
	// downTo yields the pages whose newest item is not older than a time.
	downTo := func(order int64) bool {
		for len(pages) > 0 && pages[0].newest >= order {
			p := pages[0]
			pages = pages[1:]
			if p.period {
				if !yield(r.period(periodLists[p.list], int(p.number))) {
					return false
				}
			} else if l := lists[p.list]; !yield(r.list(l, l.Page(int(p.number)))) {
				return false
			}
		}
		return true
	}
	for run, items := range r.reader.Batches(r.site.Home.Items) {
		if !downTo(items.At(0).Order()) {
			return
		}
		batch := items.At(0).Address()
		for item := range items.All() {
			if !yield(r.item(item, run, batch)) || r.site.Markdown && !yield(r.markdownFile(item, run, batch)) {
				return
			}
		}
	}
	if !downTo(math.MinInt64) {
		return
	}
	for _, h := range periodLists {
		if h.HasMonths() && !yield(r.monthIndex(h)) {
			return
		}
	}
}

// listPages returns the pages of lists and periods, the newest first, without the
// first page of all items: that is home, which has a view of its own.
func listPages(lists []listInfo, periodLists []periodList) []scheduledPage {
	var pages []scheduledPage
	for i, l := range lists {
		for number := range l.Pages() {
			if l.Dir != "" || number > 0 {
				pages = append(pages, scheduledPage{newestIn(l.Page(number).Items), int32(i), int32(number), false})
			}
		}
	}
	for i, h := range periodLists {
		for number, period := range h.periods {
			pages = append(pages, scheduledPage{newestIn(period.Items), int32(i), int32(number), true})
		}
	}
	slices.SortStableFunc(pages, func(a, b scheduledPage) int { return cmp.Compare(b.newest, a.newest) })
	return pages
}

func newestIn(items site.Items) int64 {
	if items.Len() == 0 {
		return math.MaxInt64
	}
	return items.At(0).Order()
}

// view is what a template shows: a pointer to a struct that embeds [pageView].
type view interface{ complete() error }

// render returns the file of a page. The view, whose type names the template, is made when
// the file is written; subject names the page in errors.
func (r *Renderer) render(address, subject string, make func(ctx context.Context) (view, error)) output.File {
	return output.File{
		Path: address,
		Write: func(ctx context.Context, w io.Writer) error {
			data, err := make(ctx)
			if err == nil {
				err = r.execute(w, data)
			}
			if err != nil {
				return fmt.Errorf("page of %s: %w", subject, err)
			}
			return nil
		},
	}
}

// execute writes a page that shows a view.
func (r *Renderer) execute(w io.Writer, v view) error {
	if err := v.complete(); err != nil {
		return err
	}
	return r.templates[viewNames[reflect.TypeOf(v).Elem()]].Execute(w, v)
}

// subtemplate returns a template that is executed by itself.
func (r *Renderer) subtemplate(name string) *compiled.Template {
	return r.templates[subtemplates[name].view].subtemplates[name]
}
