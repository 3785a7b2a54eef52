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
// Begin with [Renderer.Files], in this file. segment.go makes the files of a segment,
// contents.go has what it is made of. term.go finds the words of texts, stem.go their stems,
// collector.go collects and postings.go encodes the items of a term, divide.go divides the
// terms into files, and items.go makes what the results show.
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

// Options choose what is indexed.
type Options struct {
	Texts bool                   // the texts too, beside titles, spots and names
	Has   func(output.File) bool // whether the shard that is rendered has a file; nil for all
}

// Renderer makes an index.
type Renderer struct {
	*siteItems
	words  site.Words
	layout segmentLayout
	has    func(output.File) bool
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
	return &Renderer{items, reader.Site.Words, layout, o.Has}
}

// Files yields the files of the index. It makes a segment when it comes to its files: how
// many there are follows from the texts.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		data := r.catalog()
		for number, part := range r.layout.spans(r.len()) {
			version, err := r.version(ctx, part)
			if err != nil {
				yield(output.File{}, fmt.Errorf("list the search index: %w", err))
				return
			}
			data.Segments = append(data.Segments, segmentData{part.last - part.first, version})
			if r.has != nil && !r.has(output.File{Batch: r.batch(number)}) {
				continue
			}
			if !r.segmentFiles(ctx, number, part, version, yield) {
				return
			}
		}
		yield(r.file(catalogName, "", func() ([]any, error) { return []any{data}, nil }), nil)
	}
}

func (s *siteItems) catalog() catalogData {
	kinds, years := make(map[site.Kind]bool), make(map[int]bool)
	for item := range s.site.All.All() {
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
func (r *Renderer) file(name, batch string, arguments func() ([]any, error)) output.File {
	return output.File{
		Path: site.SearchFile(r.words, fileName(name)), Batch: batch,
		Write: func(_ context.Context, w io.Writer) error {
			var encoded []byte
			rest, err := arguments()
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
