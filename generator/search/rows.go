package search

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"unicode/utf8"

	"ayna/generator/output"
	"ayna/generator/site"
)

// What is shown of an item has a bound, in bytes as JSON: its title, the title
// of its folder, and what stands around them and the address.
const (
	rowsInFile  = 20 // items: ten hits that lie far apart are ten files
	titleSize   = 240
	folderSize  = 80
	aroundRow   = 32
	aroundTable = 64
)

// rows yields the files of what is shown of items.
func (r *Renderer) rows() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		for number, part := range r.tables() {
			file := r.file(rowsName(number), r.key(r.content(part)), func(ctx context.Context) ([]any, error) {
				return r.table(ctx, part)
			})
			if !yield(file) {
				return
			}
		}
	}
}

// tables yields the items of each file of rows.
func (r *Renderer) tables() iter.Seq2[int, span] {
	return func(yield func(int, span) bool) {
		items := r.site.Home.Items.Len()
		for first := 0; first < items; first += rowsInFile {
			if !yield(first/rowsInFile, span{first, min(first+rowsInFile, items)}) {
				return
			}
		}
	}
}

// largestTable is the most bytes that a file of rows may have.
func (r *Renderer) largestTable() int {
	most := 0
	for _, part := range r.tables() {
		size := aroundTable
		for _, item := range r.items(part) {
			size += len(item.Address()) + titleSize + aroundRow
		}
		for _, title := range r.folders(part) {
			size += sizeOf(title) + len(`"",`)
		}
		most = max(most, size)
	}
	return most
}

// folders returns the titles of the folders of some items, each once.
func (r *Renderer) folders(part span) []string {
	titles := []string{}
	for _, item := range r.items(part) {
		if title := folderTitle(item); title != "" && !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return titles
}

func folderTitle(item site.Item) string {
	if item.Folder() == nil || item.Folder().Dir == "" {
		return ""
	}
	return cutTo(item.Folder().Title, folderSize)
}

// table returns what is shown of items: address, title, date as a number
// (20260914; 0 where unknown), kind as its place among [site.Kinds], and the
// folder as its place among the titles that follow; -1 where there is none.
func (r *Renderer) table(ctx context.Context, part span) ([]any, error) {
	teasers, err := r.teasers(ctx, r.items(part))
	if err != nil {
		return nil, err
	}
	folders := r.folders(part)
	rows := make([][]any, len(teasers))
	for i, teaser := range teasers {
		date := 0
		if teaser.Published() != 0 {
			year, month, day := r.date(teaser.Item).Date()
			date = year*10000 + int(month)*100 + day
		}
		folder := slices.Index(folders, folderTitle(teaser.Item))
		rows[i] = []any{teaser.Address(), cutTo(teaser.Title, titleSize), date, slices.Index(site.Kinds, teaser.Kind()), folder}
	}
	return []any{rows, folders}, nil
}

// cutTo returns a text that has at most so many bytes as JSON.
func cutTo(text string, most int) string {
	if sizeOf(text) <= most {
		return text
	}
	const sign = "…"
	room := most - sizeOf(sign)
	for i, r := range text {
		if room -= sizeOf(string(r)); room < 0 {
			return text[:i] + sign
		}
	}
	return text
}

// sizeOf is how many bytes a text has as JSON, without quotation marks.
func sizeOf(text string) int {
	if asItIs(text) {
		return len(text)
	}
	encoded, _ := json.Marshal(text) // of a string never fails
	return len(encoded) - len(`""`)
}

// asItIs reports whether a glance shows that nothing of a text is escaped in
// JSON. Of what may be, U+2028 and U+2029 begin with the byte E2.
func asItIs(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c == '"', c == '\\', c == '<', c == '>', c == '&', c == 0xE2:
			return false
		}
	}
	return utf8.ValidString(text)
}
