package search

import (
	"iter"
	"slices"
	"strings"

	"ayna/archive/analysis"
)

// A file of terms has at most maxFile bytes, or one term. A term has three lists of
// together 20,000 positions.
const (
	maxFile      = 8000
	sizeUnit     = 256 // bytes; the unit of sizes in the head of a segment
	fileOverhead = 48  // the most bytes of a file of terms around its terms
)

// minPrefix is the number of letters from which the last word also finds the words that
// begin with it. For shorter words that would take half of the index.
const minPrefix = 3

// maxScanned is the most bytes of terms with the same prefix that a query reads. If there
// are more, the prefix is a term of its own: followed by prefixSign.
const maxScanned = 6000

// segment holds the terms of some items, divided into files.
type segment struct {
	firsts []string  // for each file: a text after the last entry of the file before, up to its own first one
	sizes  string    // a digit for each of these
	files  [][]entry // of each file
	words  words     // all of them
}

// file returns the entries of a file of terms, joined by "|". The first one names its group
// even if it is a form.
func (s *segment) file(number int) string {
	var text []byte
	for i, e := range s.files[number] {
		if i > 0 {
			text = append(text, '|')
		}
		switch {
		case e.form == nil:
			text = e.appendTo(text)
		case i == 0:
			text = append(append(text, e.text...), e.form.entry...)
		default:
			text = append(text, e.form.entry...)
		}
	}
	return string(text)
}

// sorted returns the terms in their order, with those that stand for a prefix.
func (c *collector) sorted() []*term {
	all := make([]*term, 0, len(c.terms))
	for _, t := range c.terms {
		t.measure()
		all = append(all, t)
	}
	c.terms = nil
	order := func(a, b *term) int { return compareUTF16(a.text, b.text) }
	slices.SortFunc(all, order)
	var more []*term
	unspaced := all[firstUnspaced(all):]
	for letters := 1; letters < analysis.MaxLetters; letters++ {
		some := all
		if letters < minPrefix {
			some = unspaced
		}
		for prefix, run := range groupByPrefix(some, letters) {
			size := 0
			for _, t := range run {
				size += t.size + 1 + t.sizeOfForms()
			}
			if size > maxScanned {
				more = append(more, c.merge(prefix+prefixSign, run))
			}
		}
	}
	all = append(all, more...)
	slices.SortFunc(all, order)
	return all
}

// firstUnspaced returns where the terms of scripts without blanks begin, and of those that
// come after Thai, the first of them.
func firstUnspaced(all []*term) int {
	first, _ := slices.BinarySearchFunc(all, "ก", func(t *term, text string) int { return compareUTF16(t.text, text) })
	return first
}

// groupByPrefix yields the terms that have the same first letters.
func groupByPrefix(all []*term, letters int) iter.Seq2[string, []*term] {
	return func(yield func(string, []*term) bool) {
		for start := 0; start < len(all); {
			prefix, ok := prefixOf(all[start].text, letters)
			end := start + 1
			for ok && end < len(all) && strings.HasPrefix(all[end].text, prefix) {
				end++
			}
			if ok && !yield(prefix, all[start:end]) {
				return
			}
			start = end
		}
	}
}

// prefixOf returns the first letters of a word; false if it has fewer, or if the
// term is a filter.
func prefixOf(term string, letters int) (string, bool) {
	if term[0] == filterSign {
		return "", false
	}
	for i := range term {
		if letters == 0 {
			return term[:i], true
		}
		letters--
	}
	return term, letters == 0
}

// merge returns a term with the items of several.
func (c *collector) merge(text string, run []*term) *term {
	best := make([]byte, c.items) // fields, plus one
	for _, t := range run {
		t.each(func(position, field int) {
			if best[position] == 0 || best[position] > byte(field+1) {
				best[position] = byte(field + 1)
			}
		})
	}
	merged := &term{text: text}
	for position, field := range best {
		if field > 0 {
			merged.add(position, int(field)-1)
		}
	}
	merged.compact(c.items)
	merged.measure()
	return merged
}

// divide divides the collected terms into files. Terms that a query reads together are in
// two files at most.
func divide(c *collector) *segment {
	c.finish()
	terms := c.sorted()
	all := entries(terms)
	s := &segment{words: wordsOf(terms)}
	start := 0
	for _, end := range fileEnds(all) {
		s.files = append(s.files, all[start:end])
		size := end - start - 1 + len(all[start].text)
		for _, e := range all[start:end] {
			size += e.length()
		}
		s.sizes += string(digits[min((size+fileOverhead+sizeUnit-1)/sizeUnit, len(digits)-1)])
		first := ""
		if start > 0 {
			first = separator(all[start-1].key(), all[start].key())
		}
		s.firsts = append(s.firsts, first)
		start = end
	}
	return s
}

// fileEnds returns the ends of files of maxFile bytes.
func fileEnds(all []entry) []int {
	var ends []int
	size := 0
	for i, e := range all {
		bytes := 1 + e.length()
		if size > 0 && size+bytes > maxFile {
			ends = append(ends, i)
			size = 0
		}
		size += bytes
	}
	if len(all) > 0 {
		ends = append(ends, len(all))
	}
	return ends
}

// separator returns the shortest prefix of b that comes after a; a comes
// before b.
func separator(a, b string) string {
	for i := range b {
		if compareUTF16(b[:i], a) > 0 {
			return b[:i]
		}
	}
	return b
}
