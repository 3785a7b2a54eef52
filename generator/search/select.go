package search

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"ayna/generator/site"
)

// selection is some items of a published index. Their terms are read from its terms,
// since its files of items may have only the beginnings of texts.
type selection struct {
	tree     fs.FS
	dir      string
	data     catalogData // of the selection; its segments are those of the published index
	segments []span      // of these
	kept     []int       // numbers of the items in the published index
}

// Select returns a renderer of an index of some items of the index with texts in a
// published tree: those whose addresses keep accepts. It returns nil if the tree has no such
// index, or the index no such item.
func Select(tree fs.FS, words site.Words, keep func(address string) bool) (*Renderer, error) {
	s := &selection{tree: tree, dir: words.SearchDir}
	var published catalogData
	err := readFile(tree, s.dir, catalogName, &published)
	if errors.Is(err, fs.ErrNotExist) || err == nil && published.Items != itemsWithTexts {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	items := 0
	for _, segment := range published.Segments {
		if segment.Items < 1 {
			return nil, damaged(s.dir, catalogName)
		}
		s.segments = append(s.segments, span{items, items + segment.Items})
		items += segment.Items
	}
	s.data = catalogData{Segments: published.Segments, Items: published.Items, Endings: published.Endings}
	years, folders := make(map[int]bool), make(map[string]bool)
	for first := 0; first < items; first += itemsWithTexts {
		rows, err := readItems(tree, s.dir, first/itemsWithTexts)
		if err != nil {
			return nil, err
		}
		for i, row := range rows {
			if !keep(row.address) {
				continue
			}
			s.kept = append(s.kept, first+i)
			if row.date != 0 {
				years[row.date/10000] = true
			}
			for dir := path.Dir(row.address); dir != "." && !folders[dir]; dir = path.Dir(dir) {
				folders[dir] = true
			}
		}
	}
	for _, folder := range published.Folders {
		if folders[folder[0]] {
			s.data.Folders = append(s.data.Folders, folder)
		}
	}
	s.data.Years = newest(years)
	if len(s.kept) == 0 {
		return nil, nil
	}
	return &Renderer{items: s, words: words, layout: layout}, nil
}

func (s *selection) len() int    { return len(s.kept) }
func (s *selection) inFile() int { return s.data.Items }

func (s *selection) catalog() catalogData {
	data := s.data
	data.Segments = nil
	return data
}

// version returns the digest of the items' numbers and of the versions of their segments.
func (s *selection) version(_ context.Context, part span) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, format, s.data.Endings, s.kept[part.first:part.last])
	for number, published := range s.segments {
		if from, to := s.within(part, published); from < to {
			fmt.Fprintln(h, s.data.Segments[number].Version)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// within returns which items of a span lie in a published segment.
func (s *selection) within(part, published span) (from, to int) {
	from, _ = slices.BinarySearch(s.kept[part.first:part.last], published.first)
	to, _ = slices.BinarySearch(s.kept[part.first:part.last], published.last)
	return from, to
}

// collect takes over as many terms of each item as the collector has room for: filters
// always, then those in the title.
func (s *selection) collect(ctx context.Context, part span, c *collector) (unreadable int, err error) {
	room := make([][fields]int, part.last-part.first)
	err = s.terms(ctx, part, func(term string, item, field int) {
		if term[0] != filterSign {
			room[item][field]++
		}
	})
	if err != nil {
		return 0, err
	}
	for i := range room {
		left := c.maxTerms
		for field, terms := range room[i] {
			room[i][field] = min(terms, left)
			left -= room[i][field]
		}
	}
	return 0, s.terms(ctx, part, func(term string, item, field int) {
		if term[0] != filterSign {
			if room[item][field]--; room[item][field] < 0 {
				return
			}
		}
		c.postingsOf([]byte(term)).add(item, field)
	})
}

// terms calls found with each term of the items of a span; those of one term are rising
// places in the span.
func (s *selection) terms(ctx context.Context, part span, found func(term string, item, field int)) error {
	for number, published := range s.segments {
		from, to := s.within(part, published)
		if from == to {
			continue
		}
		items := make([]int, published.last-published.first) // places in the span, plus one; 0 for other items
		for i := from; i < to; i++ {
			items[s.kept[part.first+i]-published.first] = i + 1
		}
		for file := range published.files() {
			if err := ctx.Err(); err != nil {
				return err
			}
			name := termsName(number, file)
			entries, err := readTerms(s.tree, s.dir, name, s.data.Segments[number].Version)
			if err != nil {
				return err
			}
			for _, e := range entries {
				for _, at := range e.positions() {
					if at < 0 || at >= len(items)*fields {
						return damaged(s.dir, name)
					}
					if item := items[at/fields] - 1; item >= 0 {
						found(e.term, item, at%fields)
					}
				}
			}
		}
	}
	return nil
}

// rows returns the items of a span as the published index shows them.
func (s *selection) rows(_ context.Context, part span) (rows []row, unreadable int, err error) {
	file := -1
	var all []row
	for _, item := range s.kept[part.first:part.last] {
		if file != item/itemsWithTexts {
			file = item / itemsWithTexts
			if all, err = readItems(s.tree, s.dir, file); err != nil {
				return nil, 0, err
			}
		}
		if item%itemsWithTexts >= len(all) {
			return nil, 0, damaged(s.dir, itemsName(file))
		}
		rows = append(rows, all[item%itemsWithTexts])
	}
	return rows, 0, nil
}
