package search_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"ayna/generator/search"
	"ayna/generator/site"
)

// inverted is what the words of a newspaper are in, without any index file: by
// term, items times the number of fields, plus the field.
type inverted struct {
	*paper
	terms  map[string][]int
	sorted []string    // the terms
	items  []site.Item // oldest first
}

// fields are title, spot and names, text.
const fields = 3

func (p *paper) invert() inverted {
	known := inverted{paper: p, terms: make(map[string][]int), items: slices.Collect(p.site.Home.Items.Backward())}
	for i, item := range known.items {
		names := ""
		for f := item.Folder(); f != nil; f = f.Parent {
			names += f.Title + " "
		}
		for field, text := range []string{p.titles[i], names + p.spots[i], p.texts[i]} {
			for _, term := range search.Terms(text) {
				known.terms[term] = append(known.terms[term], fields*i+field)
			}
		}
	}
	known.sorted = slices.Sorted(maps.Keys(known.terms))
	return known
}

// find returns the addresses of all hits of a query of plain words in their order, if
// stages ended after so many items.
func (known inverted) find(q search.Query, stages []int) []string {
	words := search.Words(q.Text)
	if len(words) == 0 && q.Folder == "" && q.Kind == "" && q.Year == 0 {
		return nil
	}
	worst := make([]byte, len(known.items))
	for i, word := range words {
		grades := bytes.Repeat([]byte{nowhere}, len(worst))
		note := func(term string, first int) {
			for _, place := range known.terms[term] {
				grades[place/fields] = min(grades[place/fields], byte(first+place%fields))
			}
		}
		note(search.Stem(word), 0)
		if i == len(words)-1 && utf8.RuneCountInString(word) >= 3 && !slices.Contains(search.Terms(strings.Join(words[:i], " ")), search.Stem(word)) {
			first, _ := slices.BinarySearch(known.sorted, word)
			for _, term := range known.sorted[first:] {
				if !strings.HasPrefix(term, word) {
					break
				}
				if term != search.Stem(word) {
					note(term, fields)
				}
			}
		}
		for i := range worst {
			worst[i] = max(worst[i], grades[i])
		}
	}
	for i, item := range known.items {
		if q.Kind != "" && item.Kind() != q.Kind || q.Year != 0 && item.PublishedTime().Year() != q.Year ||
			q.Folder != "" && item.Folder().Dir != q.Folder && !strings.HasPrefix(item.Folder().Dir, q.Folder+"/") {
			worst[i] = nowhere
		}
	}
	var found []string
	for _, i := range ordered(worst, stages) {
		found = append(found, known.items[i].Address())
	}
	return found
}

const nowhere = 255

// ordered returns the numbers of items that are somewhere: of each stage of the newest,
// the best first, and then the newest.
func ordered(worst []byte, stages []int) (numbers []int) {
	searched := 0
	for _, end := range append(slices.Clone(stages), len(worst)) {
		var stage []int
		for i := len(worst) - 1 - searched; i >= len(worst)-end; i-- {
			if worst[i] != nowhere {
				stage = append(stage, i)
			}
		}
		slices.SortStableFunc(stage, func(a, b int) int { return int(worst[a]) - int(worst[b]) })
		numbers = append(numbers, stage...)
		searched = end
	}
	return numbers
}
