package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"ayna/archive/analysis"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// segmentLayout divides items into segments of the full sizes, each the largest that fits
// and is not larger than all before it, so that an edit makes at most half of a small index
// again, and 5,000 items of a large one; then one of a multiple of each step, and one of the
// newest items: only this one changes when an item is added. Sizes fall, and are multiples of
// the number of items in a file.
type segmentLayout struct{ full, steps []int }

var layout = segmentLayout{[]int{5_000, 1_000}, []int{200}}

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
	Texts    bool   // the texts too, beside titles, spots and names
	Pictures string // version of the smaller sizes of pictures
	Store    Store  // nil keeps nothing
}

// Renderer makes an index.
type Renderer struct {
	*siteItems
	words   site.Words
	layout  segmentLayout
	options Options
	whole   func() bool // everything could be read so far
}

// New returns a renderer of the index of the reader's site.
func New(reader *story.Reader, o Options) *Renderer {
	items := &siteItems{
		site: reader.Site, stemmer: newStemmer(reader.Site.Language), language: baseOf(reader.Site.Language),
		teasers: reader.Teasers, texts: reader.Texts, made: o.Pictures,
	}
	if items.made += fmt.Sprint(" ", reader.TextVersion()); !o.Texts {
		items.texts, items.made = nil, o.Pictures
	}
	return &Renderer{items, reader.Site.Words, layout, o, reader.Whole}
}

// Files yields the files of the index. It makes a segment when it comes to its files, since
// their number follows from the texts, unless the store has that.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		data := r.catalog()
		versions := sha256.New()
		var all merger
		for number, part := range r.layout.spans(r.len()) {
			if ctx.Err() != nil {
				yield(output.File{}, fmt.Errorf("list the search index: %w", context.Cause(ctx)))
				return
			}
			s := r.info(number, part)
			fmt.Fprintln(versions, s.version)
			first, last := r.datesOf(part)
			data.Segments = append(data.Segments, segmentData{part.last - part.first, s.version, first, last})
			found, ok := r.segmentFiles(ctx, s, yield)
			if !ok {
				return
			}
			all.add(found)
		}
		data.Words = hex.EncodeToString(versions.Sum(nil)[:6])
		if !r.dictionaryFiles(all.all(), data.Words, yield) {
			return
		}
		yield(r.file(catalogName, "", func(context.Context) ([]any, error) { return []any{data}, nil }), nil)
	}
}

// dictionaryFiles yields the files of the dictionary. It returns false if yield does.
func (r *Renderer) dictionaryFiles(all words, version string, yield func(output.File, error) bool) bool {
	d := all.dictionary()
	batch := site.SearchFile(r.words, fileName(catalogName))
	add := func(name string, arguments ...any) bool {
		return yield(r.file(name, batch, func(context.Context) ([]any, error) { return arguments, nil }), nil)
	}
	blocks := func(name string, all blocks) bool {
		for i, text := range all.texts {
			if !add(fmt.Sprintf("%s/%d", name, i), all.version(i), text) {
				return false
			}
		}
		return true
	}
	return add(wordsName, version, d.forward.index(), d.reversed.index()) && blocks(wordsName, d.forward) && blocks(reversedName, d.reversed)
}

func (s *siteItems) catalog() *catalogData {
	kinds := make(map[site.Kind]bool)
	for item := range s.site.All.All() {
		kinds[item.Kind()] = true
	}
	return &catalogData{
		Items: s.inFile(), Letters: analysis.Letters, Digraphs: digraphs[s.language], Articles: articles[s.language],
		Folders: s.folderFilters(), Writers: s.writerFilters(), Kinds: inOrder(kinds),
	}
}

// file returns a file of the index: a call of the function ayna with the file's name
// and the given arguments.
func (r *Renderer) file(name, batch string, arguments func(context.Context) ([]any, error)) output.File {
	return output.File{
		Path: site.SearchFile(r.words, fileName(name)), Batch: batch,
		Write: func(ctx context.Context, w io.Writer) error {
			var encoded []byte
			rest, err := arguments(ctx)
			if err == nil {
				encoded, err = json.Marshal(append([]any{name}, rest...))
			}
			if err != nil {
				return fmt.Errorf("search index, file %s: %w", fileName(name), err)
			}
			// The brackets of the list become those of the call.
			encoded[0], encoded[len(encoded)-1] = '(', ')'
			for _, part := range [][]byte{[]byte("ayna"), encoded, []byte(";\n")} {
				if _, err := w.Write(part); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// The names of the files: the catalog, the dictionary, a segment's head, its terms and days,
// and items.
const (
	catalogName  = ""
	wordsName    = "words"
	reversedName = "reversed"
)

func headName(segment int) string        { return strconv.Itoa(segment) }
func termsName(segment, file int) string { return fmt.Sprintf("%d/%d", segment, file) }
func daysName(segment int) string        { return fmt.Sprintf("%d/days", segment) }
func itemsName(file int) string          { return fmt.Sprintf("items/%d", file) }

// fileName returns the name of a file in the directory of the search page. Its dot
// distinguishes it from the directories of saved searches.
func fileName(name string) string {
	if name == catalogName {
		return "index.js"
	}
	return "index." + name + ".js"
}

// Limits of the filters in the catalog: the folders and the writers with the most items.
const (
	maxFolders = 10_000 // bytes
	maxWriters = 6_000  // bytes
)

// catalogData is the content of the catalog, which lists the other files.
type catalogData struct {
	Segments []segmentData `json:"segments"` // oldest first
	Words    string        `json:"words"`    // version of the dictionary
	Items    int           `json:"items"`    // in a file of them
	Letters  string        `json:"letters"`  // the table of folded letters
	Digraphs string        `json:"digraphs"` // of the language
	Articles string        `json:"articles"` // likewise
	Folders  [][3]string   `json:"folders"`  // directory, title, key
	Writers  [][3]string   `json:"writers"`  // directory, name, key
	Kinds    []site.Kind   `json:"kinds"`    // in their order
}

type segmentData struct {
	Items   int    `json:"items"` // number of them
	Version string `json:"version"`
	First   int    `json:"first"` // day, as 20260914; 0 if the day of an item is unknown
	Last    int    `json:"last"`
}

// folderFilters returns the folders to filter by, in the site's order.
func (s *siteItems) folderFilters() [][3]string {
	var folders []*site.List
	for _, f := range s.site.Folders {
		if isFilter(f) {
			folders = append(folders, &f.List)
		}
	}
	return filters(folders, maxFolders)
}

// writerFilters returns the writers to filter by, in the site's order.
func (s *siteItems) writerFilters() [][3]string {
	var writers []*site.List
	for _, w := range s.site.Writers {
		if w.Items.Len() > 0 {
			writers = append(writers, &w.List)
		}
	}
	return filters(writers, maxWriters)
}

// filters returns as many lists as have room in a number of bytes, those with most items, in
// their order.
func filters(lists []*site.List, room int) (offered [][3]string) {
	// A folder has at least as many items as those in it, and a shorter name.
	bySize := slices.SortedFunc(slices.Values(lists), func(a, b *site.List) int {
		return cmp.Or(cmp.Compare(b.Items.Len(), a.Items.Len()), strings.Compare(a.Dir, b.Dir))
	})
	size, chosen := 0, make(map[*site.List]bool)
	for _, list := range bySize {
		data := filterData(list)
		if size += jsonSize(strings.Join(data[:], `","`)) + len(`[""],`); size > room {
			break
		}
		chosen[list] = true
	}
	for _, list := range lists {
		if chosen[list] {
			offered = append(offered, filterData(list))
		}
	}
	return offered
}

func filterData(list *site.List) [3]string {
	return [3]string{list.Dir, truncate(list.Title, maxFolderTitle), keyOf(list)}
}

// inOrder returns the kinds to filter by.
func inOrder(found map[site.Kind]bool) []site.Kind {
	return slices.DeleteFunc(slices.Clone(site.Kinds[:]), func(kind site.Kind) bool { return !found[kind] })
}
