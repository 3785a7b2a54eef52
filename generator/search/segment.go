package search

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// format is the version of the files of a segment. Raise it when their bytes change for
// any site, so that no browser mixes files of two formats.
const format = 10

// chunkFiles is the number of files of items that are read at once.
const chunkFiles = 32

// segmentFiles yields the files of a segment: its items, its head, its days and its terms. Each
// text is read once, for its file and for the terms. It returns the segment's words, and false
// if yield does.
func (r *Renderer) segmentFiles(ctx context.Context, number int, part span, version string, yield func(output.File, error) bool) (words, bool) {
	c := newCollector(part.last-part.first, r.stemmer)
	var collecting sync.WaitGroup
	defer collecting.Wait()
	add := func(name string, arguments func() ([]any, error)) bool {
		return yield(r.file(name, r.batch(number), arguments), nil)
	}
	for first := part.first; first < part.last; first += chunkFiles * r.inFile() {
		read, err := r.read(ctx, span{first, min(first+chunkFiles*r.inFile(), part.last)})
		if err != nil {
			yield(output.File{}, fmt.Errorf("read texts for the search index: %w", err))
			return nil, false
		}
		collecting.Wait()
		collecting.Go(func() {
			for i, item := range read.items {
				c.begin(first - part.first + i)
				r.addItem(c, item, &read.teasers[i], read.texts[i])
			}
		})
		for i := 0; i < len(read.items); i += r.inFile() {
			if !add(itemsName((first+i)/r.inFile()), func() ([]any, error) {
				packed, err := packRows(r.rows(read, i))
				return []any{packed}, err
			}) {
				return nil, false
			}
		}
	}
	collecting.Wait()
	s := divide(c)
	if !add(headName(number), func() ([]any, error) {
		return []any{version, strings.Join(s.firsts, "|"), s.sizes}, nil
	}) || !add(daysName(number), func() ([]any, error) { return []any{version, r.daysOf(part)}, nil }) {
		return nil, false
	}
	for i := range s.files {
		if !add(termsName(number, i), func() ([]any, error) { return []any{version, s.file(i)}, nil }) {
			return nil, false
		}
	}
	return s.words, true
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

// version returns the version of a segment: a digest of everything that its files are made
// of, which is named here and nowhere else. The texts are in it by the digests of their
// records.
func (s *siteItems) version(ctx context.Context, part span) (string, error) {
	digest := sha256.New()
	fmt.Fprintln(digest, format, s.inFile(), s.language)
	var content []byte
	add := func(texts ...string) {
		for _, text := range texts {
			content = append(strconv.AppendInt(content, int64(len(text)), 10), ' ')
			content = append(content, text...)
		}
	}
	for first := part.first; first < part.last; first += chunkFiles * s.inFile() {
		items := s.span(span{first, min(first+chunkFiles*s.inFile(), part.last)})
		teasers, err := s.teasers(ctx, items)
		if err != nil {
			return "", err
		}
		texts := make([]string, len(items))
		if s.texts != nil {
			if texts, err = s.digests(ctx, items); err != nil {
				return "", err
			}
		}
		for i, item := range items {
			shown := s.shown(&teasers[i])
			content = fmt.Append(content[:0], shown.date, shown.kind)
			add(item.ID(), shown.address, shown.title, shown.folder, shown.picture, shown.names, shown.spot)
			for f := range item.InAndAbove() {
				add(f.Dir)
			}
			for _, w := range item.Writers() {
				add(w.Dir)
			}
			add(texts[i])
			digest.Write(content)
		}
	}
	return hex.EncodeToString(digest.Sum(nil)[:6]), nil
}
