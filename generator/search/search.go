// Package search makes the index that the search page of a site loads.
//
// The index works wherever its files lie, a folder on a disk included: each of
// them is a script that calls a function with data, and a query loads the few
// it needs. Items are numbered from the oldest one, so files of old items do
// not change when new ones are published. No file is larger than what the page
// that reads them, assets/search.js, counts on: docs/search.md has the format,
// and how much a query loads at most.
package search

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// cut says how many items make a segment.
type cut struct{ full, step int }

// segments are of 20,000 items, which never change again; then one of as many
// times 5,000 as there are, and one of the newest, which alone is made again
// when an item is added.
var segments = cut{20_000, 5_000}

// span is a segment: items from the first up to the last, exclusive.
type span struct{ first, last int }

func (c cut) spans(items int) []span {
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

// files is how many files of terms a segment has: one for 40 items, and some
// more, since few items share few words. None may be larger than largestFile.
func (s span) files() int { return 4 + (s.last-s.first+39)/40 }

// Renderer makes the index of one arranged site. Its files may be written by
// any number of goroutines at once.
type Renderer struct {
	teasers func(context.Context, []site.Item) ([]story.Teaser, error)
	site    *site.Site
	base    string
	cut     cut
}

// New returns a renderer of the index of the reader's site. base is a digest of
// what every file depends on beside the items: configuration and code version.
func New(reader *story.Reader, base string) *Renderer {
	return renderer(reader.Site, reader.Teasers, base)
}

func renderer(s *site.Site, teasers func(context.Context, []site.Item) ([]story.Teaser, error), base string) *Renderer {
	return &Renderer{teasers: teasers, site: s, base: base, cut: segments}
}

// Files yields the files of the index. Which there are, and their keys, is known
// without reading the items' texts. The only error is that of ctx.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		spans := r.cut.spans(r.site.Home.Items.Len())
		versions := make([]string, len(spans))
		for number, span := range spans {
			if err := ctx.Err(); err != nil {
				yield(output.File{}, fmt.Errorf("list the search index: %w", err))
				return
			}
			content := r.content(span)
			versions[number] = fmt.Sprintf("%x", content[:6])
			for file := range r.terms(number, span, versions[number], r.key(content)) {
				if !yield(file, nil) {
					return
				}
			}
		}
		for file := range r.rows() {
			if !yield(file, nil) {
				return
			}
		}
		yield(r.catalog(spans, versions), nil)
	}
}

// item returns the item of a number; the oldest one has 0.
func (r *Renderer) item(number int) site.Item {
	items := r.site.Home.Items
	return items.At(items.Len() - 1 - number)
}

// items returns the items of a part, oldest first.
func (r *Renderer) items(part span) []site.Item {
	items := make([]site.Item, 0, part.last-part.first)
	for number := part.first; number < part.last; number++ {
		items = append(items, r.item(number))
	}
	return items
}

// format is the version of the files' format. Raise it when the same items get
// other bytes: browsers keep the files of a segment until its version changes.
const format = 1

// content digests what the index shows of a part. Published bytes hold it, so
// it depends on neither the program nor unrelated settings.
func (r *Renderer) content(part span) output.Key {
	d := output.NewDigest("search").Number(format).Text(r.site.Location.String())
	for number := part.first; number < part.last; number++ {
		item := r.item(number)
		h := names(start)
		for f := item.Folder(); f != nil; f = f.Parent {
			h.add(f.Dir)
			h.add(f.Title)
		}
		for t := range item.Tags() {
			h.add(t.Title)
		}
		d.Number(item.Teaser(), uint64(h))
	}
	return d.Key()
}

// key is the key of a file with that content. It includes the base, so another
// program or configuration renders the file again.
func (r *Renderer) key(content output.Key) output.Key {
	return output.NewDigest("search").Text(r.base, string(content[:])).Key()
}

// names is a digest of texts, FNV-1a: that of hash/fnv would copy each of them.
type names uint64

const (
	start names = 14695981039346656037
	prime names = 1099511628211
)

func (n *names) add(text string) {
	h := *n
	for i := range len(text) {
		h = (h ^ names(text[i])) * prime
	}
	*n = h * prime // by a zero that ends it
}

// file returns a file of the index that write fills with the arguments of its
// call.
func (r *Renderer) file(name string, key output.Key, arguments func(context.Context) ([]any, error)) output.File {
	return output.File{
		Path: site.SearchFile(r.site.Words, fileName(name)),
		Key:  output.NewDigest("search file").Text(name, string(key[:])).Key(),
		Write: func(ctx context.Context, w io.Writer) error {
			rest, err := arguments(ctx)
			if err != nil {
				return fmt.Errorf("search index, file %s: %w", fileName(name), err)
			}
			encoded, err := json.Marshal(append([]any{name}, rest...))
			if err != nil {
				return fmt.Errorf("search index, file %s: %w", fileName(name), err)
			}
			_, err = fmt.Fprintf(w, "%s%s%s", opening, encoded[1:len(encoded)-1], closing)
			return err
		},
	}
}

// Every file is a call of this function, with its name and then its data.
const (
	opening = "ayna("
	closing = ");\n"
)

// The names of the files: the catalog, a segment's head, its terms, and rows.
const catalogName = ""

func headName(segment int) string        { return strconv.Itoa(segment) }
func termsName(segment, file int) string { return fmt.Sprintf("%d/%d", segment, file) }
func rowsName(file int) string           { return fmt.Sprintf("rows/%d", file) }

// fileName returns where a file lies beside the search page. No saved search
// has a dot in the name of its directory.
func fileName(name string) string {
	if name == catalogName {
		return "index.js"
	}
	return "index." + name + ".js"
}
