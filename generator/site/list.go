package site

// List is anything a reader can follow: a run of items that has a directory,
// list pages and feeds of its own. Home, folders, writers, tags, editorial
// pages and saved searches are lists.
type List struct {
	Dir   string  // directory in the published tree, without slashes at its ends; "" is the root
	Title string  // plain text
	Items []*Item // newest first, but for editorial pages, which keep the editors' order
}

// PageSize is the number of items on a list page.
const PageSize = 50

// Updated returns the time of the newest change among the first n items, in
// Unix milliseconds; 0 if there are none.
func (l *List) Updated(n int) int64 {
	var newest int64
	for _, item := range l.Items[:min(n, len(l.Items))] {
		newest = max(newest, item.Published, item.Modified)
	}
	return newest
}

// Sheet is one page of a list.
type Sheet struct {
	Number int     // 0 is the list's index page, which shows the newest items; others count from the oldest, from 1
	Items  []*Item //
	Older  int     // number of the next older sheet; 0 if there is none
	Newer  int     // number of the next newer sheet; 0 is the index page
}

// Sheets cuts the list into pages. Numbered sheets count from the oldest item,
// so a full one never changes when items are added: new items gather on the
// index page, which shows PageSize items and the rest that does not fill
// another sheet.
func (l *List) Sheets() []Sheet {
	n := len(l.Items)
	numbered := max(0, n/PageSize-1)
	newest := n - numbered*PageSize
	sheets := make([]Sheet, 0, numbered+1)
	sheets = append(sheets, Sheet{Items: l.Items[:newest], Older: numbered})
	for number := numbered; number >= 1; number-- {
		start := n - number*PageSize
		sheet := Sheet{Number: number, Items: l.Items[start : start+PageSize], Older: number - 1}
		if number < numbered {
			sheet.Newer = number + 1
		}
		sheets = append(sheets, sheet)
	}
	return sheets
}
