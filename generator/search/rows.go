package search

import (
	"context"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"ayna/generator/site"
	"ayna/generator/story"
)

// Bounds of a row, in bytes of JSON.
const (
	rowsInFile     = 20 // items; ten results that are far apart need ten files
	maxTitle       = 240
	maxFolderTitle = 80
	rowOverhead    = 32
	tableOverhead  = 64
)

// rowSpans returns the items of each file of rows.
func (r *Renderer) rowSpans() []span {
	return segmentLayout{rowsInFile, rowsInFile}.spans(r.site.Home.Items.Len())
}

// maxRowFile returns a bound of the size of a file of rows, in bytes.
func (r *Renderer) maxRowFile() int {
	most := 0
	for _, part := range r.rowSpans() {
		size := tableOverhead
		for _, item := range r.items(part) {
			size += len(item.Address()) + maxTitle + rowOverhead
		}
		for _, title := range r.folders(part) {
			size += jsonSize(title) + len(`"",`)
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
	return truncate(item.Folder().Title, maxFolderTitle)
}

// rowTable returns the rows of items: address, title, date as a number (20260914; 0 if
// unknown), kind as its index in [site.Kinds], and folder as its index among the
// titles that follow; -1 for none.
func (r *Renderer) rowTable(ctx context.Context, part span) ([]any, error) {
	teasers, err := r.teasers(ctx, r.items(part))
	if err != nil {
		return nil, err
	}
	folders := r.folders(part)
	rows := make([][]any, len(teasers))
	for i, teaser := range teasers {
		row := r.row(&teaser)
		rows[i] = []any{row.address, row.title, row.date, row.kind, slices.Index(folders, folderTitle(teaser.Item))}
	}
	return []any{rows, folders}, nil
}

// row is what the search page shows of an item beside its folder.
type row struct {
	address, title string
	date, kind     int
}

func (r *Renderer) row(teaser *story.Teaser) row {
	date := 0
	if teaser.Published() != 0 {
		year, month, day := r.date(teaser.Item).Date()
		date = year*10000 + int(month)*100 + day
	}
	return row{teaser.Address(), truncate(teaser.Title, maxTitle), date, slices.Index(site.Kinds, teaser.Kind())}
}

// truncate shortens a text to at most a number of bytes of JSON.
func truncate(text string, most int) string {
	if jsonSize(text) <= most {
		return text
	}
	const sign = "…"
	room := most - jsonSize(sign)
	for i, r := range text {
		if room -= jsonSize(string(r)); room < 0 {
			return text[:i] + sign
		}
	}
	return text
}

// jsonSize returns the bytes of a text as JSON, without quotation marks.
func jsonSize(text string) int {
	if isPlainJSON(text) {
		return len(text)
	}
	encoded, _ := json.Marshal(text) // of a string never fails
	return len(encoded) - len(`""`)
}

// isPlainJSON reports whether a text certainly needs no escaping in JSON. U+2028 and
// U+2029, which are escaped, begin with the byte E2.
func isPlainJSON(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c == '"', c == '\\', c == '<', c == '>', c == '&', c == 0xE2:
			return false
		}
	}
	return utf8.ValidString(text)
}
