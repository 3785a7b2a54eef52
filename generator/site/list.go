package site

// List is a sequence of items that readers can follow: it has a directory, pages
// and feeds.
type List struct {
	Kind  ListKind
	Dir   string // in the published tree, without slashes at its ends; "" is the root
	Title string // plain text
	Items Items  // newest first, but in the editors' order for editorial pages

	// What was published keeps its address when the list becomes shorter.
	Published int      // highest number of its pages; 0 is the index page
	Emptied   []Period // months or years without items now

	// Which feeds the list has, in addition to what the configuration says: see feeds.go.
	NoFeeds    bool // a tag that never had MinTagItems items
	AllFormats bool // a tag whose feeds were published in all formats
	NoHistory  bool // its feed has always had all its items, so its months need no feeds
	OwnFeeds   bool // a folder that has or had sub-folders
}

func (l *List) list() *List { return l }

// HasMonths reports whether the list has pages for each month. Every item is in
// such a list.
func (l *List) HasMonths() bool { return l.Kind == OfHome || l.Kind == OfFolders }

// yearsFrom is the number of pages above which a list of a writer or tag has years.
const yearsFrom = 4

// HasYears reports whether the list has pages for each year: those of writers and tags that
// have, or had, many pages.
func (l *List) HasYears() bool {
	return (l.Kind == OfWriters || l.Kind == OfTags) && l.Pages() > yearsFrom
}

// ListKind is what a list is of, in the word of the configuration.
type ListKind string

// The kinds of lists, in the order in which pages name them. OfOwn and OfMonths have
// feeds only: of folders, and of folders and home.
const (
	OfHome        ListKind = "home"
	OfFolders     ListKind = "folders"
	OfOwn         ListKind = "own" // folders without their sub-folders
	OfMonths      ListKind = "months"
	OfWriters     ListKind = "writers"
	OfTags        ListKind = "tags"
	OfKinds       ListKind = "kinds"
	OfPages       ListKind = "pages" // editorial ones
	OfSearches    ListKind = "searches"
	OfCorrections ListKind = "corrections"
	OfMixes       ListKind = "mixes" // composed by the owner
)

// ListKinds lists all kinds of lists.
var ListKinds = []ListKind{OfHome, OfFolders, OfOwn, OfMonths, OfWriters, OfTags, OfKinds, OfPages, OfSearches, OfCorrections, OfMixes}

// Updated returns the time of the newest change of the first n items, in Unix
// milliseconds, or 0.
func (l *List) Updated(n int) int64 {
	var newest int64
	for item := range l.Items.First(n).All() {
		newest = max(newest, item.Published(), item.Modified())
	}
	return newest
}

// PageSize is the number of items on a list page.
const PageSize = 50

// ListPage is a page of a list.
type ListPage struct {
	Number int // 0 is the index page with the newest items; others count from the oldest, from 1
	Items  Items
	Older  int // number of the next older page, or 0
	Newer  int // number of the next newer page; 0 is the index page
}

// Pages returns the number of the list's pages. Full pages do not change when items
// are added: they count from the oldest item, and the index page has PageSize items
// and the rest that does not fill another page.
func (l *List) Pages() int { return max(fullPages(l.Items.Len(), PageSize), l.Published) + 1 }

// Page returns a page of the list: number 0 is the index page. A page is empty if
// the list was longer once.
func (l *List) Page(number int) ListPage {
	if last := fullPages(l.Items.Len(), PageSize); number > last {
		return ListPage{Number: number, Older: last}
	}
	return page(l.Items, PageSize, number)
}

// fullPages returns the number of pages besides the index page.
func fullPages(items, size int) int { return max(0, items/size-1) }

func page(items Items, size, number int) ListPage {
	n, last := items.Len(), fullPages(items.Len(), size)
	if number == 0 {
		return ListPage{Items: items.Slice(0, n-last*size), Older: last}
	}
	start := n - number*size
	p := ListPage{Number: number, Items: items.Slice(start, start+size), Older: number - 1}
	if number < last {
		p.Newer = number + 1
	}
	return p
}
