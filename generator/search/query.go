package search

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ayna/generator/site"
)

// Query is what is looked for. Its zero fields ask for nothing.
type Query struct {
	Text   string    // all of its words have to be found, up to the sixth
	Folder string    // directory; items of its sub-folders are found too
	Kind   site.Kind //
	Year   int       // of publication
}

const mostWords = 6

// Words of three letters and more are found as beginnings of others, which is
// how most endings are passed over; of shorter ones that would be half the
// index. A beginning of three letters says so little that whole words go first.
const (
	shortestBeginning = 3
	shortestSure      = 4
)

// want is a term that an item must have.
type want struct {
	term      string
	beginning bool // or one that begins with it
	sure      bool // which is as good
}

func (q Query) wants() []want {
	var wants []want
	terms := Terms(q.Text)
	for i, term := range terms {
		if slices.Contains(terms[:i], term) || len(wants) == mostWords {
			continue
		}
		n := utf8.RuneCountInString(term)
		wants = append(wants, want{term, n >= shortestBeginning && n < letters, n >= shortestSure})
	}
	if q.Folder != "" {
		wants = append(wants, want{term: folderTerm + q.Folder})
	}
	if q.Kind != "" {
		wants = append(wants, want{term: kindTerm + string(q.Kind)})
	}
	if q.Year != 0 {
		wants = append(wants, want{term: yearTerm + strconv.Itoa(q.Year)})
	}
	return wants
}

// files returns which files of a segment may hold the wanted, from the first
// up to the last, exclusive; firsts are the first terms of each.
func (w want) files(firsts []string) (first, last int) {
	after := func(term string) bool {
		return before(term, w.term) > 0 && !(w.beginning && strings.HasPrefix(term, w.term))
	}
	for last < len(firsts) && !after(firsts[last]) {
		if before(firsts[last], w.term) <= 0 {
			first = last
		}
		last++
	}
	return first, last
}

// How good it is to find a term in an item: the less, the better.
const (
	inTitle   = 0
	elsewhere = 1 // added where the title does not have it
	vaguely   = 2 // added for a beginning that is not sure
	nowhere   = 255
)

// grade notes in grades, by position, where a file of terms has the wanted.
func (w want) grade(file string, grades []byte) {
	for entry := range strings.SplitSeq(file, "|") {
		term, lists, _ := strings.Cut(entry, " ")
		if term != w.term && !(w.beginning && strings.HasPrefix(term, w.term)) {
			continue
		}
		found := byte(inTitle)
		if term != w.term && !w.sure {
			found += vaguely
		}
		title, other, _ := strings.Cut(lists, " ")
		note := func(list string, found byte) {
			each(list, func(position int) {
				if position < len(grades) {
					grades[position] = min(grades[position], found)
				}
			})
		}
		note(title, found)
		note(other, found+elsewhere)
	}
}
