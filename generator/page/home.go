package page

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"ayna/generator/output"
	"ayna/generator/site"
)

// How many items and lists the parts of home show.
const (
	fewItems       = 6 // items of a paper below which home has one column
	frontItems     = 5 // the lead and its seconds
	besideLead     = 4
	latestItems    = 8
	rowItems       = 4
	largeSections  = 2
	pairedSections = 2
	smallSections  = 8
	shownPages     = 4
	moreItems      = 12
	columnists     = 6
	maxSections    = 200 // links to sections
	newsAmong      = 10  // newest items of a folder; it has a part if one of them is an article

	// Home gets no further parts once its headlines have this many letters; it links all
	// sections in any case. On a phone, home is then at most about 8,000 pixels high, however
	// long the headlines are.
	homeLetters = 3500
)

type homeView struct {
	pageView
	Few       bool     // it has one column
	Lead      []teaser // one, or none on an empty site
	Beside    []link   // headlines that belong to the lead
	Seconds   []teaser
	Latest    []teaser
	Columns   []column
	Writers   link      // to their index
	Sections  []section // the first sections, with four teasers
	Pairs     []section // the next two, likewise
	Media     []section // galleries and videos, likewise
	Pages     []section // editorial pages but the first, with one teaser and headlines
	Headlines []section // the other sections, with headlines alone
	More      []teaser
	Index     []link // all sections
	All       link   // to the newest month
	Older     *link
	Follow    *follow
}

// column is a writer's newest column.
type column struct {
	portrait
	Writer, Column link
}

// firstExcept returns the first n items that are not among others.
func firstExcept(items site.Items, n int, others []site.Item) []site.Item {
	var chosen []site.Item
	for item := range items.All() {
		if len(chosen) == n {
			break
		}
		if !slices.Contains(others, item) {
			chosen = append(chosen, item)
		}
	}
	return chosen
}

// newestColumns returns the newest columns of different writers.
func (r *Renderer) newestColumns() []site.Item {
	var newest []site.Item
	for _, w := range r.site.Writers {
		for item := range w.Items.All() {
			if item.Kind() == site.Column {
				newest = append(newest, item)
				break
			}
		}
	}
	slices.SortFunc(newest, site.Compare)
	newest = slices.Compact(newest) // one may have several writers
	return newest[:min(len(newest), columnists)]
}

func (r *Renderer) home() output.File {
	return r.render(r.site.Home.Index(), "home", func(ctx context.Context) (view, error) {
		v := &homeView{pageView: r.pageView(r.site.Home.Index(), "", r.site.Description)}
		page := r.site.Home.Page(0)
		v.Few = r.site.Home.Items.Len() < fewItems
		if page.Older > 0 {
			v.Older = v.linkTo(r.site.Home.PageAddress(page.Older), v.Words.Older)
		}
		v.All = *v.linkTo(v.Words.MonthIndex(&r.site.Home), v.Words.AllNews)
		if months := r.site.Home.Periods(r.site.Location); len(months) > 0 {
			v.All.Href = v.href(v.Words.PeriodPage(&r.site.Home, months[0]))
		}
		v.Writers = *v.linkTo(path.Join(v.Words.WritersDir, "index.html"), v.Words.Writers)
		v.Follow = v.follow(&r.site.Home, r.feeds(&r.site.Home, v.href))
		r.describeSite(&v.pageView)
		h := homePage{ctx: ctx, homeView: v}
		h.fill(page.Items)
		if h.err == nil {
			h.err = r.fillColumns(ctx, v)
		}
		return v, h.err
	})
}

// homePage fills the view of home.
type homePage struct {
	*homeView
	ctx     context.Context
	shown   []site.Item // not to be shown again
	letters int         // of the headlines so far
	err     error       // the first one
}

// fill sets the lists of home. The first editorial page gives the lead and its
// seconds, and the newest items those that it lacks. If they give the lead too, it is one
// whose text has come, with a picture.
func (h *homePage) fill(newest site.Items) {
	s, pages := h.renderer.site, h.renderer.site.Pages
	columns := slices.DeleteFunc(slices.Collect(newest.All()), func(item site.Item) bool { return item.Kind() != site.Column })
	if len(columns) == newest.Len() {
		columns = nil // otherwise they have a part of their own
	}
	var front, withText []site.Item
	edited := len(pages) > 0 && pages[0].Items.Len() > 0
	if edited {
		front, pages = firstExcept(pages[0].Items, frontItems, nil), pages[1:]
	} else {
		withText = h.firstWithText(newest, frontItems, columns)
		front = slices.Clone(withText)
	}
	front = append(front, firstExcept(newest, frontItems-len(front), slices.Concat(columns, front))...)
	h.fillFront(front, edited, withText)
	latest := firstExcept(newest, latestItems, h.shown)
	h.Latest = h.list(latest)
	var others []*site.Folder
	for _, folder := range s.Sections {
		if len(h.Index) < maxSections {
			h.Index = append(h.Index, h.linkToList(&folder.List))
		}
		switch {
		case !hasNews(folder): // they are shown by kind
		case len(h.Sections) < largeSections:
			h.add(&h.Sections, &folder.List, folder, rowItems)
		case len(h.Pairs) < pairedSections:
			h.add(&h.Pairs, &folder.List, folder, rowItems)
		case len(others) < smallSections:
			others = append(others, folder)
		}
	}
	for _, kind := range s.Kinds {
		if kind.ItemKind == site.Gallery || kind.ItemKind == site.Video {
			h.add(&h.Media, &kind.List, nil, rowItems)
		}
	}
	if h.letters < homeLetters {
		for _, page := range pages[:min(len(pages), shownPages)] { // some of them would leave a row half empty
			h.add(&h.Pages, &page.List, nil, 1)
		}
	}
	for _, folder := range others {
		if h.letters < homeLetters {
			h.add(&h.Headlines, &folder.List, nil, 0)
		}
	}
	if h.letters < homeLetters {
		h.More = h.list(firstExcept(newest, moreItems, slices.Concat(h.shown, latest)))
	}
}

// hasNews reports whether a folder has articles, not only columns, galleries or videos,
// which home shows by their kind.
func hasNews(folder *site.Folder) bool {
	for item := range folder.Items.First(newsAmong).All() {
		if item.Kind() == site.Article {
			return true
		}
	}
	return false
}

// take returns the next items of a list that are not shown yet.
func (h *homePage) take(items site.Items, n int) []site.Item {
	chosen := firstExcept(items, n, h.shown)
	h.shown = append(h.shown, chosen...)
	return chosen
}

// read reads the teasers of items, and sorts those with a picture to the front of the
// items from index first on.
func (h *homePage) read(items []site.Item, first int) teasers {
	t, err := h.renderer.readTeasers(h.ctx, &h.pageView, items)
	if h.err = cmp.Or(h.err, err); err != nil {
		return t
	}
	sortFirst(items[first:], t.pictured)
	for _, item := range items {
		h.letters += utf8.RuneCountInString(t.byItem[item].Title)
	}
	return t
}

// firstWithText returns the first n items that are not among others and whose text has come. Of
// one that cannot be read, its own page reports that.
func (h *homePage) firstWithText(items site.Items, n int, others []site.Item) []site.Item {
	var chosen []site.Item
	for item := range items.All() {
		if len(chosen) == n {
			break
		}
		if slices.Contains(others, item) {
			continue
		}
		if s, err := h.renderer.reader.Story(h.ctx, item); err != nil || !s.Waiting {
			chosen = append(chosen, item)
		}
	}
	return chosen
}

// fillFront sets the lead, the headlines beside it, and the seconds. Editors have chosen
// their lead; otherwise it is one of withText, if there is one, with a picture.
func (h *homePage) fillFront(items []site.Item, edited bool, withText []site.Item) {
	first := 0
	if edited {
		first = 1
	}
	read := h.read(items, first)
	sortFirst(items, func(item site.Item) bool { return slices.Contains(withText, item) })
	if h.shown = items; h.err != nil || len(items) == 0 {
		return
	}
	front := read.list(items, 2, nil)
	h.Lead, h.Seconds = front[:1], front[1:]
	if h.Lead[0].Picture != nil {
		h.Lead[0].Picture.markFirst()
	}
	for i := range h.Seconds {
		if i == 0 {
			h.Seconds[i].resize(secondSizes)
		} else {
			h.Seconds[i].shorten(thumbSizes)
		}
	}
	h.Beside = h.headlines(h.besideLead(items[0]))
}

// besideLead returns the items that the lead's record refers to, and others of its folder.
func (h *homePage) besideLead(lead site.Item) []site.Item {
	var items []site.Item
	if s, err := h.renderer.reader.Story(h.ctx, lead); err == nil { // the lead's own page reports an error
		for _, related := range s.Related {
			if item := related.Item; item.Exists() && len(items) < besideLead && !slices.Contains(h.shown, item) {
				items = append(items, item)
				h.shown = append(h.shown, item)
			}
		}
	}
	return append(items, h.take(lead.Folder().Items, besideLead-len(items))...)
}

// add adds the next items of a list, if there are some: as many teasers as pictures
// are to be shown, and headlines.
func (h *homePage) add(to *[]section, list *site.List, folder *site.Folder, pictures int) {
	items := h.take(list.Items, rowItems)
	first := 0
	if pictures == 0 {
		first = len(items)
	}
	read := h.read(items, first)
	if h.err != nil || len(items) == 0 {
		return
	}
	s := section{link: h.linkToList(list), All: h.Words.All, Onward: h.Words.Onward, Teasers: read.list(items[:min(pictures, len(items))], 3, folder)}
	sizes := smallSizes
	if list.Kind == site.OfFolders {
		sizes = thumbSizes
	}
	if pictures > 1 {
		s.shortenBelowFirst(sizes)
	} else {
		s.shorten(sizes)
	}
	for i := range s.Teasers {
		if list.Kind == site.OfKinds && strings.EqualFold(s.Teasers[i].Section, h.Words.Kinds[items[i].Kind()]) {
			s.Teasers[i].Section = ""
		}
	}
	for _, item := range items[len(s.Teasers):] {
		s.Headlines = append(s.Headlines, *read.link(item))
	}
	*to = append(*to, s)
}

// list returns teasers in the order of items.
func (h *homePage) list(items []site.Item) []teaser {
	read := h.read(items, len(items))
	if h.err != nil {
		return nil
	}
	return read.list(items, 3, nil)
}

// headlines returns links to items.
func (h *homePage) headlines(items []site.Item) []link {
	read := h.read(items, len(items))
	if h.err != nil {
		return nil
	}
	var links []link
	for _, item := range items {
		links = append(links, *read.link(item))
	}
	return links
}

// fillColumns sets the columnists.
func (r *Renderer) fillColumns(ctx context.Context, v *homeView) error {
	columns := r.newestColumns()
	teasers, err := r.readTeasers(ctx, &v.pageView, columns)
	for _, item := range columns {
		if err != nil {
			break
		}
		writer := item.Writers()[0]
		c := column{Writer: v.linkToList(&writer.List), Column: *teasers.link(item)}
		c.portrait, err = r.portrait(ctx, &v.pageView, writer)
		v.Columns = append(v.Columns, c)
	}
	return err
}
