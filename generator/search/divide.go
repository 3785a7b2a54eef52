package search

import (
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
)

// A file of terms has at most maxFile bytes, or one term. A term has two lists of up to
// 20,000 positions: together 6,700 bytes.
const (
	maxFile      = 6000
	sizeUnit     = 256 // bytes; the unit of sizes in the head of a segment
	fileOverhead = 48  // the most bytes of a file of terms around its terms
)

// minPrefix is the number of letters from which a word also finds the words that begin
// with it. For shorter words that would take half of the index.
const minPrefix = 3

// maxScanned is the most bytes of terms with the same prefix that a query reads. If there
// are more, the prefix is a term of its own: followed by a sign that sorts before all
// letters.
const (
	maxScanned = 4000
	prefixSign = "*"
)

// segment holds the terms of some items, divided into files.
type segment struct {
	version string   // digest of its files and of the rows of its items
	firsts  []string // for each file with terms: a text after the last term of the file before, up to its own first term
	sizes   string   // a digit for each of these
	files   []string // terms as "term title other", joined by "|"
}

// encodedTerm is a term with its postings as text.
type encodedTerm struct{ term, text string }

// encodeTerms returns the encoded terms in their order; items is the number of items in
// the segment.
func encodeTerms(entries map[string]*termPostings, items int) []encodedTerm {
	all := make([]encodedTerm, 0, len(entries))
	for _, term := range slices.SortedFunc(maps.Keys(entries), compareUTF16) {
		if e := entries[term]; e.title.text != nil || e.other.text != nil { // else no item had room for it
			all = append(all, e.encode(term))
		}
	}
	var more []encodedTerm
	for letters := minPrefix; letters < maxLetters; letters++ {
		for prefix, run := range groupByPrefix(all, letters) {
			size := 0
			for _, l := range run {
				size += len(l.text) + 1
			}
			if size > maxScanned {
				more = append(more, mergePostings(entries, run, items).encode(prefix+prefixSign))
			}
		}
	}
	all = append(all, more...)
	slices.SortFunc(all, func(a, b encodedTerm) int { return compareUTF16(a.term, b.term) })
	return all
}

func (e *termPostings) encode(term string) encodedTerm {
	return encodedTerm{term, strings.TrimSuffix(term+" "+e.title.String()+" "+e.other.String(), " ")}
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

// mergePostings returns the postings of a prefix: the items of all of its words.
func mergePostings(entries map[string]*termPostings, run []encodedTerm, items int) *termPostings {
	const title, other = 1, 2
	found := make([]byte, items)
	for _, l := range run {
		e := entries[l.term]
		eachPosition(string(e.title.text), func(position int) { found[position] |= title })
		eachPosition(string(e.other.text), func(position int) { found[position] |= other })
	}
	var all termPostings
	for position, where := range found {
		switch {
		case where == 0:
		case where&title != 0:
			all.title.add(position)
		default:
			all.other.add(position)
		}
	}
	return &all
}

// divide divides terms into a number of files of about the same size; false if they
// would be too large. Terms that a query reads together are in two files at most.
func divide(terms []encodedTerm, files int) (*segment, bool) {
	capacity := maxScanned + sort.Search(maxFile-maxScanned+1, func(more int) bool { return len(fileEnds(terms, maxScanned+more)) <= files })
	if capacity > maxFile {
		return nil, false
	}
	s := &segment{files: make([]string, files)}
	start := 0
	for number, end := range fileEnds(terms, capacity) {
		texts := make([]string, 0, end-start)
		for _, l := range terms[start:end] {
			texts = append(texts, l.text)
		}
		file := strings.Join(texts, "|")
		s.files[number] = file
		s.sizes += string(digits[(len(file)+fileOverhead+sizeUnit-1)/sizeUnit])
		first := ""
		if start > 0 {
			first = separator(terms[start-1].term, terms[start].term)
		}
		s.firsts = append(s.firsts, first)
		start = end
	}
	return s, true
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
