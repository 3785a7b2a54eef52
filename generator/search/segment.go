package search

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"ayna/generator/cache"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// format is the version of the files of a segment. Raise it when their bytes change for
// any site, so that no browser mixes files of two formats.
const format = 14

// chunkFiles is the number of files of items that are read at once.
const chunkFiles = 32

// segmentFiles yields the files of a segment: its items, its head, its days and its terms. It
// returns the segment's words, and false if yield does.
func (r *Renderer) segmentFiles(ctx context.Context, s *segmentInfo, yield func(output.File, error) bool) (words, bool) {
	if kept, ok := r.stored(s.key); ok {
		made := cache.NewShared(kept.files+1, func(ctx context.Context) (*segment, error) { return r.make(ctx, s.part, nil) })
		return kept.words, r.keptItems(s.number, s.part, yield) && r.termFiles(s, kept.files, made.Get, yield)
	}
	made, err := r.make(ctx, s.part, func(first int, read chunk) bool { return r.itemFiles(s.number, first, read, yield) })
	if err != nil || made == nil {
		if err != nil {
			yield(output.File{}, fmt.Errorf("read texts for the search index: %w", err))
		}
		return nil, false
	}
	r.store(s.key, keptSegment{len(made.files), made.words})
	return made.words, r.termFiles(s, len(made.files), func(context.Context) (*segment, error) { return made, nil }, yield)
}

// make makes the terms of a segment. It gives the items to each, unless that is nil, in the
// order of their numbers, so that each text is read once for both; nil if each returns false.
func (r *Renderer) make(ctx context.Context, part span, each func(first int, read chunk) bool) (*segment, error) {
	c := newCollector(part.last-part.first, r.stemmer)
	var collecting sync.WaitGroup
	defer collecting.Wait()
	for first := part.first; first < part.last; first += chunkFiles * r.inFile() {
		read, err := r.read(ctx, span{first, min(first+chunkFiles*r.inFile(), part.last)})
		if err != nil {
			return nil, err
		}
		collecting.Wait()
		collecting.Go(func() {
			for i, item := range read.items {
				c.begin(first - part.first + i)
				r.addItem(c, item, &read.teasers[i], read.texts[i])
			}
		})
		if each != nil && !each(first, read) {
			return nil, nil
		}
	}
	collecting.Wait()
	return divide(c), nil
}

// itemFiles yields the files of items that are read; first is the number of the first one.
func (r *Renderer) itemFiles(segment, first int, read chunk, yield func(output.File, error) bool) bool {
	for i := 0; i < len(read.items); i += r.inFile() {
		if !yield(r.itemFile(segment, first+i, read.items[i:min(i+r.inFile(), len(read.items))], func(context.Context) (chunk, int, error) { return read, i, nil }), nil) {
			return false
		}
	}
	return true
}

// keptItems yields the files of a segment's items, which are read when a file is rendered.
func (r *Renderer) keptItems(segment int, part span, yield func(output.File, error) bool) bool {
	for first := part.first; first < part.last; first += r.inFile() {
		part := span{first, min(first+r.inFile(), part.last)}
		if !yield(r.itemFile(segment, first, r.span(part), func(ctx context.Context) (chunk, int, error) {
			read, err := r.read(ctx, part)
			return read, 0, err
		}), nil) {
			return false
		}
	}
	return true
}

// itemFile returns a file of items. read returns them among others, and the place of the first.
func (r *Renderer) itemFile(segment, first int, items []site.Item, read func(context.Context) (chunk, int, error)) output.File {
	file := r.file(itemsName(first/r.inFile()), r.batch(segment), func(ctx context.Context) ([]any, error) {
		read, i, err := read(ctx)
		if err != nil {
			return nil, err
		}
		packed, err := packRows(r.rows(read, i))
		return []any{packed}, err
	})
	file.Key = func() site.Digest { return r.keyOf(file.Path, items) }
	return file
}

// termFiles yields the head, the days, and a number of files of terms of a segment.
func (r *Renderer) termFiles(s *segmentInfo, files int, made func(context.Context) (*segment, error), yield func(output.File, error) bool) bool {
	add := func(name string, arguments func(*segment) []any) bool {
		file := r.file(name, r.batch(s.number), func(ctx context.Context) ([]any, error) {
			segment, err := made(ctx)
			if err == nil && len(segment.files) != files {
				err = fmt.Errorf("%d files of terms, not %d", len(segment.files), files)
			}
			if err != nil {
				return nil, err
			}
			return arguments(segment), nil
		})
		file.Key = func() site.Digest {
			var m site.Mixer
			m.Digest(s.key)
			m.Text(file.Path)
			return m.Sum()
		}
		return yield(file, nil)
	}
	if !add(headName(s.number), func(made *segment) []any { return []any{s.version, strings.Join(made.firsts, "|"), made.sizes} }) ||
		!add(daysName(s.number), func(*segment) []any { return []any{s.version, r.daysOf(s.part)} }) {
		return false
	}
	for i := range files {
		if !add(termsName(s.number, i), func(made *segment) []any { return []any{s.version, made.file(i)} }) {
			return false
		}
	}
	return true
}

// batch returns the batch of a segment's files.
func (r *Renderer) batch(number int) string {
	return site.SearchFile(r.words, fileName(headName(number)))
}

// chunk is a run of items with their texts.
type chunk struct {
	items   []site.Item
	teasers []story.Teaser
	texts   []string // "" for those that cannot be read
}

func (s *siteItems) read(ctx context.Context, part span) (c chunk, err error) {
	c.items = s.span(part)
	if c.teasers, err = s.teasers(ctx, c.items); err != nil {
		return chunk{}, err
	}
	if c.texts = make([]string, len(c.items)); s.texts != nil {
		c.texts, err = s.texts(ctx, c.items)
	}
	return c, err
}

// rows returns the items of a file, from the first one of a chunk.
func (s *siteItems) rows(c chunk, first int) (rows []row) {
	for i := first; i < min(first+s.inFile(), len(c.items)); i++ {
		shown := s.shown(&c.teasers[i])
		rows = append(rows, row{shown, strings.TrimSpace(shown.spot + "\n" + c.texts[i]), true})
	}
	return rows
}

// segmentInfo is what is known of a segment before it is made.
type segmentInfo struct {
	number  int
	part    span
	key     site.Digest // of everything that its files are made of
	version string      // of that, for addresses
}

func (r *Renderer) info(number int, part span) *segmentInfo {
	key := r.keyOf("", r.span(part))
	return &segmentInfo{number, part, key, hex.EncodeToString(key[:6])}
}

// keyOf returns a digest of everything that files of items are made of, which is named here
// and nowhere else.
func (s *siteItems) keyOf(name string, items []site.Item) site.Digest {
	var m site.Mixer
	m.Text(name, s.language, s.made)
	m.Number(format, int64(s.inFile()))
	for _, item := range items {
		m.Number(int64(s.dateOf(item)))
		m.Short(item.Named())
		if s.texts != nil {
			m.Short(item.Text())
		}
	}
	return m.Sum()
}
