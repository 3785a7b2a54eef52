package search

import (
	"context"
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
	kinds, years, folders := make(map[site.Kind]bool), make(map[int]bool), make(map[string]bool)
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
			if row.kind >= 0 && row.kind < len(site.Kinds) {
				kinds[site.Kinds[row.kind]] = true
			}
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
	s.data.Kinds, s.data.Years = inOrder(kinds), newest(years)
	if len(s.kept) == 0 {
		return nil, nil
	}
	return newRenderer(s, words, nil), nil
}

func (s *selection) len() int    { return len(s.kept) }
func (s *selection) inFile() int { return s.data.Items }

func (s *selection) catalog() catalogData {
	data := s.data
	data.Segments = nil
	return data
}

// versions returns digests of the items' numbers and of the versions of their segments.
func (s *selection) versions(_ context.Context, part span) (versions []string, err error) {
	for first := part.first; first < part.last; first += s.inFile() {
		file := span{first, min(first+s.inFile(), part.last)}
		content := fmt.Appendln(nil, format, s.data.Endings, s.kept[file.first:file.last])
		for number, published := range s.segments {
			if from, to := s.within(file, published); from < to {
				content = fmt.Appendln(content, s.data.Segments[number].Version)
			}
		}
		versions = append(versions, digest(content))
	}
	return versions, nil
}

// within returns which items of a span lie in a published segment.
func (s *selection) within(part, published span) (from, to int) {
	from, _ = slices.BinarySearch(s.kept[part.first:part.last], published.first)
	to, _ = slices.BinarySearch(s.kept[part.first:part.last], published.last)
	return from, to
}

// selected is the contents of a segment of a selection.
type selected struct {
	*selection
	part span
}

func (s *selection) contents(part span, _ []int) contents { return selected{s, part} }

// collect takes over as many terms of each item as there is room for: filters always, then
// those in the title.
func (s selected) collect(ctx context.Context, most int) (*collector, int, error) {
	c := newCollector(s.part, most, nil)
	room := make([][fields]int, c.items)
	err := s.terms(ctx, func(term string, item, field int) {
		if term[0] != filterSign {
			room[item][field]++
		}
	})
	if err != nil {
		return nil, 0, err
	}
	for i := range room {
		left := most
		for field, terms := range room[i] {
			room[i][field] = min(terms, left)
			left -= room[i][field]
		}
	}
	err = s.terms(ctx, func(term string, item, field int) {
		if term[0] != filterSign {
			if room[item][field]--; room[item][field] < 0 {
				return
			}
		}
		c.term([]byte(term)).add(item, field)
	})
	return c, 0, err
}

// terms calls found with each term of the items; those of one term and field are rising
// places in the segment.
func (s selected) terms(ctx context.Context, found func(term string, item, field int)) error {
	for number, published := range s.segments {
		from, to := s.within(s.part, published)
		if from == to {
			continue
		}
		items := make([]int, published.last-published.first) // places in the segment, plus one; 0 for other items
		for i := from; i < to; i++ {
			items[s.kept[s.part.first+i]-published.first] = i + 1
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
			sound := true
			for _, e := range entries {
				for field, list := range e.lists {
					eachPosition(list, func(position int) {
						if position < 0 || position >= len(items) {
							sound = false
						} else if item := items[position] - 1; item >= 0 {
							found(e.term, item, field)
						}
					})
				}
			}
			if !sound {
				return damaged(s.dir, name)
			}
		}
	}
	return nil
}

// rows returns the items of a file as the published index shows them.
func (s selected) rows(_ context.Context, file int) (rows []row, unreadable int, err error) {
	items := fileSpan(s, file)
	read := -1
	var all []row
	for _, item := range s.kept[items.first:items.last] {
		if read != item/itemsWithTexts {
			read = item / itemsWithTexts
			if all, err = readItems(s.tree, s.dir, read); err != nil {
				return nil, 0, err
			}
		}
		if item%itemsWithTexts >= len(all) {
			return nil, 0, damaged(s.dir, itemsName(read))
		}
		rows = append(rows, all[item%itemsWithTexts])
	}
	return rows, 0, nil
}
