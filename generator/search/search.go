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
// Begin with [Renderer.Files], in this file. segment.go makes the files of a segment, or
// takes them over from the published tree; contents.go reads what it is made of. term.go
// finds the words of texts, stem.go their stems, collector.go collects and postings.go encodes the items
// of a term, divide.go divides the terms into files, and items.go makes what the results
// show. published.go reads the published index.
package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// segmentLayout divides items into segments of the full sizes, each the largest that fits
// and is not larger than all before it, so that no edit makes more than half of an index
// again; then one of a multiple of each step, and one of the newest items: only this one
// changes when an item is added. Sizes fall, and are multiples of the number of items in a
// file.
type segmentLayout struct{ full, steps []int }

var layout = segmentLayout{[]int{20_000, 5_000, 1_000}, []int{200}}

// span is a range of item numbers; last is exclusive.
type span struct{ first, last int }

func (l segmentLayout) spans(items int) []span {
	var spans []span
	first := 0
	add := func(last int) {
		if last > first {
			spans = append(spans, span{first, last})
		}
		first = last
	}
	smallest := l.full[len(l.full)-1]
	for first+smallest <= items {
		fits := func(size int) bool { return size <= max(first, smallest) && first+size <= items }
		add(first + l.full[slices.IndexFunc(l.full, fits)])
	}
	for _, step := range l.steps {
		add(first + (items-first)/step*step)
	}
	add(items)
	return spans
}

// files returns the number of a segment's files of terms: one for 8 items, and 16
// more, since few items have few words in common.
func (s span) files() int { return 16 + (s.last-s.first+7)/8 }

// Options choose what is indexed.
type Options struct {
	Texts     bool  // the texts too, beside titles, spots and names
	Published fs.FS // the published tree, whose segments are taken over if they are made of the same; nil for none
}

// Renderer makes an index. Its files may be written concurrently; those of one batch in
// their order are written with the least memory and time.
type Renderer struct {
	items      source
	words      site.Words
	layout     segmentLayout
	published  fs.FS
	oneSegment chan struct{} // has room for one, as memory does
}

// source has the items of an index, numbered from the oldest one.
type source interface {
	len() int
	inFile() int                                      // how many are in a file of items
	catalog() catalogData                             // without the segments
	versions(context.Context, span) ([]string, error) // of files of items
	contents(segment span, files []int) contents
}

// contents are what a segment is made of: the terms of its items, or of those in some
// files of items.
type contents interface {
	rows(ctx context.Context, file int) (rows []row, unreadable int, err error)
	collect(ctx context.Context, maxTerms int) (c *collector, unreadable int, err error)
}

// fileSpan returns the numbers of the items of a file.
func fileSpan(items source, file int) span {
	first := file * items.inFile()
	return span{first, min(first+items.inFile(), items.len())}
}

// New returns a renderer of the index of the reader's site.
func New(reader *story.Reader, o Options) *Renderer {
	items := &siteItems{
		site: reader.Site, stemmer: newStemmer(reader.Site.Language),
		teasers: reader.Teasers, texts: reader.Texts, digests: reader.Versions,
	}
	if !o.Texts {
		items.texts = nil
	}
	return newRenderer(items, reader.Site.Words, o.Published)
}

func newRenderer(items source, words site.Words, published fs.FS) *Renderer {
	return &Renderer{items, words, layout, published, make(chan struct{}, 1)}
}

// Files yields the files of the index. The only error is that of ctx.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		data := r.items.catalog()
		for number, span := range r.layout.spans(r.items.len()) {
			versions, err := r.items.versions(ctx, span)
			if err != nil {
				yield(output.File{}, fmt.Errorf("list the search index: %w", err))
				return
			}
			version := versionOf(versions)
			data.Segments = append(data.Segments, segmentData{span.last - span.first, version})
			for _, file := range r.segmentFiles(number, span, version, versions) {
				if !yield(file, nil) {
					return
				}
			}
		}
		yield(r.file(catalogName, func(context.Context) ([]any, error) { return []any{data}, nil }), nil)
	}
}

func (s *siteItems) catalog() catalogData {
	kinds, years := make(map[site.Kind]bool), make(map[int]bool)
	for item := range s.site.Home.Items.All() {
		kinds[item.Kind()] = true
		if item.Published() != 0 {
			years[s.date(item).Year()] = true
		}
	}
	return catalogData{
		Items: s.inFile(), Endings: s.stemmer.table, Folders: s.folderFilters(), Kinds: inOrder(kinds), Years: newest(years),
	}
}

// file returns a file of the index: a call of the function ayna with the file's name
// and the given arguments.
func (r *Renderer) file(name string, arguments func(context.Context) ([]any, error)) output.File {
	return output.File{
		Path: site.SearchFile(r.words, fileName(name)),
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

// The names of the files: the catalog, a segment's head, its terms, and items.
const catalogName = ""

func headName(segment int) string        { return strconv.Itoa(segment) }
func termsName(segment, file int) string { return fmt.Sprintf("%d/%d", segment, file) }
func itemsName(file int) string          { return fmt.Sprintf("items/%d", file) }

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

// catalogData is the content of the catalog, which lists the other files.
type catalogData struct {
	Segments []segmentData `json:"segments"` // oldest first
	Items    int           `json:"items"`    // in a file of them
	Endings  string        `json:"endings"`  // the table of the stemmer
	Folders  [][3]string   `json:"folders"`  // directory, title, key
	Kinds    []site.Kind   `json:"kinds"`    // in their order
	Years    []int         `json:"years"`    // newest first
}

type segmentData struct {
	Items   int    `json:"items"` // number of them
	Version string `json:"version"`
}

// folderFilters returns the folders to filter by, in the site's order.
func (s *siteItems) folderFilters() [][3]string {
	var folders []*site.Folder
	for _, f := range s.site.Folders {
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
	for _, f := range s.site.Folders {
		if chosen[f] {
			offered = append(offered, folderData(f))
		}
	}
	return offered
}

func folderData(f *site.Folder) [3]string {
	return [3]string{f.Dir, truncate(f.Title, maxFolderTitle), folderKey(f)}
}

// inOrder returns the kinds to filter by.
func inOrder(found map[site.Kind]bool) []site.Kind {
	return slices.DeleteFunc(slices.Clone(site.Kinds[:]), func(kind site.Kind) bool { return !found[kind] })
}

// newest returns the years to filter by.
func newest(found map[int]bool) []int {
	years := slices.Sorted(maps.Keys(found))
	slices.Reverse(years)
	return years[:min(len(years), maxYears)]
}
