package search

import (
	"context"
	"iter"
	"slices"
	"strings"

	"ayna/generator/output"
	"ayna/generator/site"
)

// catalogData is what the catalog says of the index.
type catalogData struct {
	Segments []segmentData `json:"segments"` // oldest first
	Folders  [][2]string   `json:"folders"`  // directory and title
	Years    []int         `json:"years"`    // newest first
}

// segmentData is a segment: how many items it has, and of which version it is.
type segmentData struct {
	Items   int    `json:"items"`
	Version string `json:"version"`
}

// catalog returns the file that tells which others there are.
func (r *Renderer) catalog(spans []span, versions []string) output.File {
	key := output.NewDigest("catalog").Text(r.base, r.site.Location.String())
	var data catalogData
	for i, span := range spans {
		data.Segments = append(data.Segments, segmentData{span.last - span.first, versions[i]})
		key.Text(versions[i]).Number(uint64(span.last))
	}
	for _, folder := range r.site.Folders {
		data.Folders = append(data.Folders, [2]string{folder.Dir, folder.Title})
		key.Text(folder.Dir, folder.Title)
	}
	years := make(map[int]bool)
	for _, item := range r.site.Home.Items {
		if item.Published != 0 {
			years[r.date(item).Year()] = true
		}
	}
	for year := range years {
		data.Years = append(data.Years, year)
	}
	slices.SortFunc(data.Years, func(a, b int) int { return b - a })
	for _, year := range data.Years {
		key.Number(uint64(year))
	}
	return r.file(catalogName, key.Key(), func(context.Context) ([]any, error) { return []any{data}, nil })
}

// rows yields the files of what is shown of items.
func (r *Renderer) rows() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		items := len(r.site.Home.Items)
		for first := 0; first < items; first += rowsInFile {
			part := span{first, min(first+rowsInFile, items)}
			file := r.file(rowsName(first/rowsInFile), r.digest(part).Key(), func(ctx context.Context) ([]any, error) {
				return r.rowsOf(ctx, part)
			})
			if !yield(file) {
				return
			}
		}
	}
}

// rowsOf returns what is shown of items: address, title, date as a number
// (20260914; 0 where unknown), kind as its place among [site.Kinds], and the
// directory of the folder where the address does not begin with it.
func (r *Renderer) rowsOf(ctx context.Context, part span) ([]any, error) {
	teasers, err := r.reader.Teasers(ctx, r.items(part))
	if err != nil {
		return nil, err
	}
	rows := make([][]any, len(teasers))
	for i, teaser := range teasers {
		date := 0
		if teaser.Published != 0 {
			year, month, day := r.date(teaser.Item).Date()
			date = year*10000 + int(month)*100 + day
		}
		rows[i] = []any{teaser.Address, teaser.Title, date, slices.Index(site.Kinds, teaser.Kind)}
		if dir := teaser.Folder.Dir; dir+"/" != teaser.Address[:strings.LastIndexByte(teaser.Address, '/')+1] {
			rows[i] = append(rows[i], dir)
		}
	}
	return []any{rows}, nil
}
