package search

import (
	"context"
	"maps"
	"slices"
	"strings"

	"ayna/generator/output"
	"ayna/generator/site"
)

// The catalog offers so many years, the newest, and folders that have so many
// bytes, those with most items.
const (
	yearsOffered = 100
	foldersSize  = 10_000
)

// catalogData is what the catalog says of the index.
type catalogData struct {
	Segments []segmentData `json:"segments"` // oldest first
	Rows     int           `json:"rows"`     // the most bytes that a file of rows may have
	Folders  [][3]string   `json:"folders"`  // directory, title, key
	Years    []int         `json:"years"`    // newest first
}

// segmentData is a segment: how many items it has, and of which version it is.
type segmentData struct {
	Items   int    `json:"items"`
	Version string `json:"version"`
}

// catalog returns the file that tells which others there are.
func (r *Renderer) catalog(spans []span, versions []string) output.File {
	data := catalogData{Rows: r.largestTable(), Folders: r.foldersOffered(), Years: r.yearsOffered()}
	key := output.NewDigest("catalog").Text(r.base, r.site.Location.String()).Number(uint64(data.Rows))
	for i, span := range spans {
		data.Segments = append(data.Segments, segmentData{span.last - span.first, versions[i]})
		key.Text(versions[i]).Number(uint64(span.last))
	}
	for _, folder := range data.Folders {
		key.Text(folder[:]...)
	}
	for _, year := range data.Years {
		key.Number(uint64(year))
	}
	return r.file(catalogName, key.Key(), func(context.Context) ([]any, error) { return []any{data}, nil })
}

// foldersOffered returns the folders to filter by, in the site's order.
func (r *Renderer) foldersOffered() [][3]string {
	var folders []*site.Folder
	for _, f := range r.site.Folders {
		if offered(f) {
			folders = append(folders, f)
		}
	}
	// A folder has at least as many items as those in it, and a shorter name.
	slices.SortFunc(folders, func(a, b *site.Folder) int {
		if n := b.Items.Len() - a.Items.Len(); n != 0 {
			return n
		}
		return strings.Compare(a.Dir, b.Dir)
	})
	size, chosen := 0, make(map[*site.Folder]bool)
	for _, f := range folders {
		data := folderData(f)
		if size += sizeOf(strings.Join(data[:], `","`)) + len(`[""],`); size > foldersSize {
			break
		}
		chosen[f] = true
	}
	var offered [][3]string
	for _, f := range r.site.Folders {
		if chosen[f] {
			offered = append(offered, folderData(f))
		}
	}
	return offered
}

func folderData(f *site.Folder) [3]string {
	return [3]string{f.Dir, cutTo(f.Title, folderSize), folderKey(f)}
}

func (r *Renderer) yearsOffered() []int {
	found := make(map[int]bool)
	for item := range r.site.Home.Items.All() {
		if item.Published() != 0 {
			found[r.date(item).Year()] = true
		}
	}
	years := slices.Sorted(maps.Keys(found))
	slices.Reverse(years)
	return years[:min(len(years), yearsOffered)]
}
