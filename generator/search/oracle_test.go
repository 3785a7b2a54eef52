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
// term, items twice their number, and one more where the title does not have it.
type inverted struct {
	*paper
	terms  map[string][]int
	sorted []string    // the terms
	items  []site.Item // oldest first
}

func (p *paper) invert() inverted {
	known := inverted{paper: p, terms: make(map[string][]int), items: slices.Collect(p.site.Home.Items.Backward())}
	for i, item := range known.items {
		names := ""
		for f := item.Folder(); f != nil; f = f.Parent {
			names += f.Title + " "
		}
		for other, text := range []string{p.titles[i], names + p.spots[i]} {
			for _, term := range search.Terms(text) {
				known.terms[term] = append(known.terms[term], 2*i+other)
			}
		}
	}
	known.sorted = slices.Sorted(maps.Keys(known.terms))
	return known
}

// find returns the addresses of all hits in their order, if pages ended early
// after so many items.
func (known inverted) find(q search.Query, stops ...int) []string {
	words := search.Terms(q.Text)
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) == 0 && q.Folder == "" && q.Kind == "" && q.Year == 0 {
		return nil
	}
	const nowhere = 4
	worst := make([]byte, len(known.items))
	for _, word := range words {
		grades := bytes.Repeat([]byte{nowhere}, len(worst))
		letters := utf8.RuneCountInString(word)
		first, _ := slices.BinarySearch(known.sorted, word)
		for _, term := range known.sorted[first:] {
			if term != word && (letters < 3 || letters > 4 || !strings.HasPrefix(term, word)) {
				break
			}
			for _, place := range known.terms[term] {
				grade := byte(place % 2)
				if term != word && letters == 3 {
					grade += 2
				}
				grades[place/2] = min(grades[place/2], grade)
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
	return known.order(worst, stops)
}

// order returns the addresses of items of which it is known how good they are.
func (known inverted) order(worst []byte, stops []int) []string {
	var found []string
	var vague [2][]string
	spans := search.Spans(len(worst))
	last := len(worst)
	for taken := 1; len(spans) > 0; taken++ {
		first := last - spans[len(spans)-1]
		spans = spans[:len(spans)-1]
		for grade := range byte(4) {
			for i := last - 1; i >= first; i-- {
				switch {
				case worst[i] != grade:
				case grade >= 2:
					vague[grade-2] = append(vague[grade-2], known.items[i].Address())
				default:
					found = append(found, known.items[i].Address())
				}
			}
		}
		last = first
		if taken%search.Together == 0 || len(spans) == 0 || slices.Contains(stops, len(worst)-first) {
			found = slices.Concat(found, vague[0], vague[1])
			vague = [2][]string{}
		}
	}
	return found
}
