package site

import "slices"

// List is anything a reader can follow: a run of items that has a directory,
// list pages and feeds of its own.
type List struct {
	Sort  Sort
	Dir   string // directory in the published tree, without slashes at its ends; "" is the root
	Title string // plain text
	Items Items  // newest first, but for editorial pages, which keep the editors' order

	// What was published of the list before keeps its addresses when the list
	// becomes shorter.
	Published int      // highest number of its pages; 0 is the index page
	Emptied   []Volume // volumes that hold nothing now
}

func (l *List) list() *List { return l }

// HasVolumes reports whether the list has a history of its own, month by
// month. Every item is in one that has.
func (l *List) HasVolumes() bool { return l.Sort == OfHome || l.Sort == OfFolders }

// Sort is what a list is a list of, in the word that the configuration uses.
type Sort string

// The sorts of lists, in the order in which they are named to readers. Own and
// Months are no lists of their own: they are further feeds of folders, and of
// folders and home.
const (
	OfHome        Sort = "home"
	OfFolders     Sort = "folders"
	OfOwn         Sort = "own"    // folders without their sub-folders
	OfMonths      Sort = "months" // of home and folders
	OfWriters     Sort = "writers"
	OfTags        Sort = "tags"
	OfKinds       Sort = "kinds"
	OfPages       Sort = "pages" // editorial ones
	OfSearches    Sort = "searches"
	OfCorrections Sort = "corrections"
	OfMixes       Sort = "mixes"
)

// Sorts lists all sorts.
var Sorts = []Sort{OfHome, OfFolders, OfOwn, OfMonths, OfWriters, OfTags, OfKinds, OfPages, OfSearches, OfCorrections, OfMixes}

// FormatsOf returns the formats in which lists of a sort have feeds, none if
// they have no feeds.
func (s *Settings) FormatsOf(sort Sort) []Format {
	if s.FeedsOf == nil || slices.Contains(s.FeedsOf, sort) {
		return s.Formats
	}
	return nil
}

// PageSize is the number of items on a list page.
const PageSize = 50

// Updated returns the time of the newest change among the first n items, in
// Unix milliseconds; 0 if there are none.
func (l *List) Updated(n int) int64 {
	var newest int64
	for item := range l.Items.First(n).All() {
		newest = max(newest, item.Published(), item.Modified())
	}
	return newest
}

// Sheet is one page of a list.
type Sheet struct {
	Number int // 0 is the list's index page, which shows the newest items; others count from the oldest, from 1
	Items  Items
	Older  int // number of the next older sheet; 0 if there is none
	Newer  int // number of the next newer sheet; 0 is the index page
}

// Pages returns the number of the list's pages. They are cut so that a full one
// never changes when items are added: numbered sheets count from the oldest
// item, and new items gather on the index page, which shows PageSize items and
// the rest that does not fill another sheet.
func (l *List) Pages() int { return max(numbered(l.Items.Len(), PageSize), l.Published) + 1 }

// Page returns a page of the list: the index page, number 0, or a numbered one,
// which is empty if the list had more items once.
func (l *List) Page(number int) Sheet {
	if last := numbered(l.Items.Len(), PageSize); number > last {
		return Sheet{Number: number, Older: last}
	}
	return sheet(l.Items, PageSize, number)
}

// numbered returns how many sheets of a size there are beside the index page.
func numbered(items, size int) int { return max(0, items/size-1) }

func sheet(items Items, size, number int) Sheet {
	n, last := items.Len(), numbered(items.Len(), size)
	if number == 0 {
		return Sheet{Items: items.Slice(0, n-last*size), Older: last}
	}
	start := n - number*size
	s := Sheet{Number: number, Items: items.Slice(start, start+size), Older: number - 1}
	if number < last {
		s.Newer = number + 1
	}
	return s
}
