package search

import (
	"bytes"
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

// A beginning of three letters says so little that whole words go first.
const (
	mostWords    = 6
	shortestSure = 4
)

// want is a term that an item must have.
type want struct {
	term      string
	beginning bool // or one that begins with it
	sure      bool // which is as good
}

func (w want) filters() bool { return w.term[0] == filterSign }

func (q Query) wants(folders [][3]string) []want {
	var wants []want
	if q.Folder != "" {
		key := ""
		if i := slices.IndexFunc(folders, func(f [3]string) bool { return f[0] == q.Folder }); i >= 0 {
			key = folders[i][2]
		}
		wants = append(wants, want{term: folderTerm + key})
	}
	if q.Kind != "" {
		wants = append(wants, want{term: kindTerm + string(q.Kind)})
	}
	if q.Year != 0 {
		wants = append(wants, want{term: yearTerm + strconv.Itoa(q.Year)})
	}
	filters := len(wants)
	terms := Terms(q.Text)
	for i, term := range terms {
		if slices.Contains(terms[:i], term) || len(wants) == filters+mostWords {
			continue
		}
		n := utf8.RuneCountInString(term)
		wants = append(wants, want{term, n >= minPrefix && n < maxLetters, n >= shortestSure})
	}
	return wants
}

// files returns which files of a segment may hold the wanted. Of the words with
// a beginning there are more in the second one only if they lie in no third.
func (w want) files(firsts []string) []int {
	i := 0
	for i+1 < len(firsts) && compareUTF16(firsts[i+1], w.term) <= 0 {
		i++
	}
	if w.beginning && i+1 < len(firsts) && strings.HasPrefix(firsts[i+1], w.term) {
		return []int{i, i + 1}
	}
	return []int{i}
}

// How good it is to find a term in an item: the less, the better.
const (
	inTitle   = 0
	elsewhere = 1
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
			found = vaguely
		}
		titles, others, _ := strings.Cut(lists, " ")
		note := func(list string, found byte) {
			eachPosition(list, func(position int) {
				if position < len(grades) {
					grades[position] = min(grades[position], found)
				}
			})
		}
		note(titles, found)
		note(others, found+elsewhere)
	}
}

// plan reads a segment's head, finds out which files are to be read, and
// returns the head's size.
func (x *Index) plan(part *stage, wants []want) (size int, err error) {
	var firsts, sizes string
	if err := x.part(headName(part.number), part.data.Version, &firsts, &sizes); err != nil {
		return 0, err
	}
	counted := make(map[int]bool)
	for _, w := range wants {
		m := means{want: w, files: w.files(strings.Split(firsts, "|"))}
		for _, file := range m.files {
			if !counted[file] {
				m.cost += digitValue(sizes[file]) * sizeUnit
			}
			counted[file] = true
		}
		part.cost += m.cost
		part.means = append(part.means, m)
	}
	return len(firsts) + len(sizes) + fileOverhead, nil
}

// grades says of each item of a segment how well it has all that is wanted, and
// how many bytes of files that took. Words are looked up where something passes
// the filters.
func (x *Index) grades(part stage) (worst []byte, loaded int, err error) {
	worst = make([]byte, part.data.Items)
	for i, m := range part.means {
		if i > 0 && part.means[i-1].filters() && !m.filters() && !slices.ContainsFunc(worst, func(grade byte) bool { return grade != nowhere }) {
			break
		}
		grades := bytes.Repeat([]byte{nowhere}, part.data.Items)
		for _, number := range m.files {
			var file string
			if err := x.part(termsName(part.number, number), part.data.Version, &file); err != nil {
				return nil, 0, err
			}
			m.grade(file, grades)
		}
		for i, grade := range grades {
			worst[i] = max(worst[i], grade)
		}
		loaded += m.cost
	}
	return worst, loaded, nil
}
