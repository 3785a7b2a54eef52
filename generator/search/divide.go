package search

import (
	"iter"
	"slices"
	"sort"
	"strings"
)

// A file of terms has at most maxFile bytes, or one term. A term has three lists of
// together 20,000 positions: 10,100 bytes at most.
const (
	maxFile      = 8000
	sizeUnit     = 256 // bytes; the unit of sizes in the head of a segment
	fileOverhead = 48  // the most bytes of a file of terms around its terms
)

// minPrefix is the number of letters from which the last word also finds the words that
// begin with it. For shorter words that would take half of the index.
const minPrefix = 3

// maxScanned is the most bytes of terms with the same prefix that a query reads. If there
// are more, the prefix is a term of its own: followed by a sign that sorts before all
// letters.
const (
	maxScanned = 6000
	prefixSign = "*"
)

// segment holds the terms of some items, divided into files.
type segment struct {
	unreadable int             // items whose text could not be read
	firsts     []string        // for each file with terms: a text after the last term of the file before, up to its own first term
	sizes      string          // a digit for each of these
	files      [][]encodedTerm // of each file
}

// encodedTerm is a term with its postings as text, "term title spot text".
type encodedTerm struct{ term, text string }

// file returns the entries of a file of terms, joined by "|".
func (s *segment) file(number int) string {
	texts := make([]string, len(s.files[number]))
	for i, l := range s.files[number] {
		texts[i] = l.text
	}
	return strings.Join(texts, "|")
}

// encodeTerms returns the encoded terms in their order; items is the number of items in
// the segment.
func (c *collector) encodeTerms(items int) []encodedTerm {
	all := make([]encodedTerm, 0, len(c.terms)+pairLists)
	for term, e := range c.terms {
		if e.list != nil { // else no item had room for it
			all = append(all, e.encode(term))
		}
	}
	slices.SortFunc(all, func(a, b encodedTerm) int { return compareUTF16(a.term, b.term) })
	var more []encodedTerm
	for letters := minPrefix; letters < maxLetters; letters++ {
		for prefix, run := range groupByPrefix(all, letters) {
			size := 0
			for _, l := range run {
				size += len(l.text) + 1
			}
			if size > maxScanned {
				more = append(more, c.merge(run, items).encode(prefix+prefixSign))
			}
		}
	}
	for list := range c.pairs {
		if e := &c.pairs[list]; e.list != nil {
			more = append(more, e.encode(pairName(uint32(list))))
		}
	}
	all = append(all, more...)
	slices.SortFunc(all, func(a, b encodedTerm) int { return compareUTF16(a.term, b.term) })
	return all
}

// groupByPrefix yields the terms that have the same first letters.
func groupByPrefix(all []encodedTerm, letters int) iter.Seq2[string, []encodedTerm] {
	return func(yield func(string, []encodedTerm) bool) {
		for start := 0; start < len(all); {
			prefix, ok := prefixOf(all[start].term, letters)
			end := start + 1
			for ok && end < len(all) && strings.HasPrefix(all[end].term, prefix) {
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

// merge returns the postings of a prefix: the items of all of its words.
func (c *collector) merge(run []encodedTerm, items int) *termPostings {
	best := make([]int, items)
	for _, l := range run {
		c.terms[l.term].each(func(position, field int) {
			if best[position] == 0 || best[position] > field+1 {
				best[position] = field + 1
			}
		})
	}
	var all termPostings
	for position, field := range best {
		if field > 0 {
			all.add(position, field-1)
		}
	}
	return &all
}

// headBytes is the most bytes of a segment's head for each file of terms.
const headBytes = 8

// divide divides terms into a number of files of about the same size; false if they or
// the head would be too large. Terms that a query reads together are in two files at most.
func divide(terms []encodedTerm, files int) (*segment, bool) {
	capacity := maxScanned + sort.Search(maxFile-maxScanned+1, func(more int) bool { return len(fileEnds(terms, maxScanned+more)) <= files })
	if capacity > maxFile {
		return nil, false
	}
	s := &segment{files: make([][]encodedTerm, files)}
	start := 0
	for number, end := range fileEnds(terms, capacity) {
		s.files[number] = terms[start:end]
		size := end - start - 1
		for _, l := range s.files[number] {
			size += len(l.text)
		}
		s.sizes += string(digits[(size+fileOverhead+sizeUnit-1)/sizeUnit])
		first := ""
		if start > 0 {
			first = separator(terms[start-1].term, terms[start].term)
		}
		s.firsts = append(s.firsts, first)
		start = end
	}
	return s, len(strings.Join(s.firsts, "|"))+len(s.sizes) <= headBytes*files
}

// fileEnds returns the ends of files of a capacity in bytes.
func fileEnds(terms []encodedTerm, capacity int) []int {
	var ends []int
	size := 0
	for i, l := range terms {
		if size > 0 && size+1+len(l.text) > capacity {
			ends = append(ends, i)
			size = 0
		}
		size += 1 + len(l.text)
	}
	if len(terms) > 0 {
		ends = append(ends, len(terms))
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
