// Package search makes the inverted index that the search page of a site loads. It takes
// a [story.Reader] of an arranged site and yields an [output.File] for each file of the
// index.
//
// The index needs no server: each of its files is a script that calls a function
// with data, and a query loads the few it needs. Items are numbered from the oldest
// one, so files of old items do not change when new ones are published. The sizes of
// files are bounded, since assets/search.js bounds what a query loads:
// docs/search.md describes the format and these bounds.
//
// Begin with [Renderer.Files], in this file. segment.go collects the terms of a segment,
// term.go makes them from texts, postings.go encodes the items of a term, divide.go
// divides the terms into files, and rows.go makes what the results show.
package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// segmentLayout is the number of items in a full segment, and in steps of the next one.
type segmentLayout struct{ full, step int }

// layout divides items into full segments of 20,000, which never change again, one of a
// multiple of 5,000, and one of the newest items: only this one changes when an item is
// added.
var layout = segmentLayout{20_000, 5_000}

// span is a range of item numbers; last is exclusive.
type span struct{ first, last int }

func (c segmentLayout) spans(items int) []span {
	var spans []span
	first := 0
	add := func(last int) {
		if last > first {
			spans = append(spans, span{first, last})
		}
		first = last
	}
	for first+c.full <= items {
		add(first + c.full)
	}
	add(first + (items-first)/c.step*c.step)
	add(items)
	return spans
}

// files returns the number of a segment's files of terms: one for 40 items, and four
// more, since few items have few words in common.
func (s span) files() int { return 4 + (s.last-s.first+39)/40 }

// Renderer makes the index of one arranged site. Its files may be written
// concurrently.
type Renderer struct {
	teasers func(context.Context, []site.Item) ([]story.Teaser, error)
	site    *site.Site
	layout  segmentLayout
}

// New returns a renderer of the index of the reader's site.
func New(reader *story.Reader) *Renderer { return &Renderer{reader.Teasers, reader.Site, layout} }

// Files yields the files of the index. The only error is that of ctx.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		spans := r.layout.spans(r.site.Home.Items.Len())
		segments := make([]*versionedSpan, len(spans))
		for number, span := range spans {
			if err := ctx.Err(); err != nil {
				yield(output.File{}, fmt.Errorf("list the search index: %w", err))
				return
			}
			segments[number] = &versionedSpan{span: span}
			for _, file := range r.segmentFiles(number, segments[number]) {
				if !yield(file, nil) {
					return
				}
			}
		}
		for number, span := range r.rowSpans() {
			file := r.file(rowsName(number), func(ctx context.Context) ([]any, error) { return r.rowTable(ctx, span) })
			if !yield(file, nil) {
				return
			}
		}
		yield(r.catalog(segments), nil)
	}
}

// items returns the items of a span, oldest first.
func (r *Renderer) items(part span) []site.Item {
	all := r.site.Home.Items
	return slices.Collect(all.Slice(all.Len()-part.last, all.Len()-part.first).Backward())
}

// file returns a file of the index: a call of the function ayna with the file's name
// and the given arguments.
func (r *Renderer) file(name string, arguments func(context.Context) ([]any, error)) output.File {
	return output.File{
		Path: site.SearchFile(r.site.Words, fileName(name)),
		Write: func(ctx context.Context, w io.Writer) error {
			var encoded []byte
			rest, err := arguments(ctx)
			if err == nil {
				encoded, err = json.Marshal(append([]any{name}, rest...))
			}
			if err != nil {
				return fmt.Errorf("search index, file %s: %w", fileName(name), err)
			}
			_, err = fmt.Fprintf(w, "ayna(%s);\n", encoded[1:len(encoded)-1])
			return err
		},
	}
}

// The names of the files: the catalog, a segment's head, its terms, and rows.
const catalogName = ""

func headName(segment int) string        { return strconv.Itoa(segment) }
func termsName(segment, file int) string { return fmt.Sprintf("%d/%d", segment, file) }
func rowsName(file int) string           { return fmt.Sprintf("rows/%d", file) }

// fileName returns the name of a file in the directory of the search page. Its dot
// distinguishes it from the directories of saved searches.
func fileName(name string) string {
	if name == catalogName {
		return "index.js"
	}
	return "index." + name + ".js"
}

// Limits of the filters in the catalog: the newest years, and the folders with the most
// items.
const (
	maxYears   = 100
	maxFolders = 10_000 // bytes
)

// catalogData is the content of the catalog.
type catalogData struct {
	Segments []segmentData `json:"segments"` // oldest first
	Rows     int           `json:"rows"`     // the most bytes that a file of rows may have
	Folders  [][3]string   `json:"folders"`  // directory, title, key
	Years    []int         `json:"years"`    // newest first
}

type segmentData struct {
	Items   int    `json:"items"` // number of them
	Version string `json:"version"`
}

// catalog returns the file that lists the others. It comes last, when the versions
// of the segments are known.
func (r *Renderer) catalog(segments []*versionedSpan) output.File {
	return r.file(catalogName, func(ctx context.Context) ([]any, error) {
		data := catalogData{Rows: r.maxRowFile(), Folders: r.folderFilters(), Years: r.yearFilters()}
		for _, part := range segments {
			version, err := r.versionOf(ctx, part)
			if err != nil {
				return nil, err
			}
			data.Segments = append(data.Segments, segmentData{part.last - part.first, version})
		}
		return []any{data}, nil
	})
}

// folderFilters returns the folders to filter by, in the site's order.
func (r *Renderer) folderFilters() [][3]string {
	var folders []*site.Folder
	for _, f := range r.site.Folders {
		if isFilter(f) {
			folders = append(folders, f)
		}
	}
	// A folder has at least as many items as those in it, and a shorter name.
	slices.SortFunc(folders, func(a, b *site.Folder) int {
		return cmp.Or(cmp.Compare(b.Items.Len(), a.Items.Len()), strings.Compare(a.Dir, b.Dir))
	})
	size, chosen := 0, make(map[*site.Folder]bool)
	for _, f := range folders {
		data := folderData(f)
		if size += jsonSize(strings.Join(data[:], `","`)) + len(`[""],`); size > maxFolders {
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
	return [3]string{f.Dir, truncate(f.Title, maxFolderTitle), folderKey(f)}
}

func (r *Renderer) yearFilters() []int {
	found := make(map[int]bool)
	for item := range r.site.Home.Items.All() {
		if item.Published() != 0 {
			found[r.date(item).Year()] = true
		}
	}
	years := slices.Sorted(maps.Keys(found))
	slices.Reverse(years)
	return years[:min(len(years), maxYears)]
}
