package search

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ayna/generator/site"
)

// Query is what is looked for. Its zero fields ask for nothing.
type Query struct {
	Text   string    // its first six words have to be found; "in quotes" beside each other, and -words not
	Folder string    // directory; items of its sub-folders are found too
	Kind   site.Kind //
	Year   int       // of publication
}

const (
	mostWords = 6
	mostPairs = 3
)

// want is a term that an item must have, or must not.
type want struct {
	term   string
	begins string // or one that begins with it, if not empty
	not    bool
	pair   bool
}

func (w want) filters() bool { return w.term[0] == filterSign && !w.pair }

var queryParts = regexp.MustCompile("(-?)([\"“”„«»])([^\"“”„«»]*)[\"“”„«»]?|(-?)([^ \t\r\n\u00a0\"“”„«»]+)")

// parse returns what a query wants, and its phrases as lists of words.
func (q Query) parse(folders [][3]string) (wants []want, phrases [][]string) {
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
	var list, pairs []want
	last, begins := -1, ""
	for _, part := range queryParts.FindAllStringSubmatch(q.Text, -1) {
		quoted := part[2] != ""
		not := part[1]+part[4] != ""
		words := Words(part[3] + part[5])
		last = -1
		for _, word := range words {
			term := Stem(word)
			if len(list) == mostWords || slices.ContainsFunc(list, func(w want) bool { return w.term == term && w.not == not }) {
				continue
			}
			list = append(list, want{term: term, not: not})
			if !not && !quoted && word == words[len(words)-1] && utf8.RuneCountInString(word) >= minPrefix {
				last, begins = len(list)-1, word
			}
		}
		if !quoted || not || len(words) < 2 {
			continue
		}
		phrases = append(phrases, words)
		for i := 1; i < len(words) && len(pairs) < mostPairs; i++ {
			term := pairName(pairOf(hashOf([]byte(words[i-1])), hashOf([]byte(words[i]))))
			if !slices.ContainsFunc(pairs, func(w want) bool { return w.term == term }) {
				pairs = append(pairs, want{term: term, pair: true})
			}
		}
	}
	if last >= 0 {
		list[last].begins = begins
	}
	if len(wants) == 0 && !slices.ContainsFunc(list, func(w want) bool { return !w.not }) {
		return nil, phrases
	}
	return slices.Concat(wants, list, pairs), phrases
}

// files returns which files of a segment may hold the wanted. Of the words with
// a beginning there are more in the second one only if they lie in no third.
func (w want) files(firsts []string) []int {
	file := func(term string) int {
		i := 0
		for i+1 < len(firsts) && compareUTF16(firsts[i+1], term) <= 0 {
			i++
		}
		return i
	}
	found := []int{file(w.term)}
	if w.begins != "" {
		i := file(w.begins)
		found = append(found, i)
		if i+1 < len(firsts) && strings.HasPrefix(firsts[i+1], w.begins) {
			found = append(found, i+1)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// nowhere is the grade of an item that lacks something wanted. The less, the better:
// the field that has it, and that plus fields if it only begins as wanted.
const nowhere = 255

// grade notes in grades, by position, where a file of terms has the wanted.
func (w want) grade(file string, grades []byte) {
	for entry := range strings.SplitSeq(file, "|") {
		lists := strings.Split(entry, " ")
		first := 0
		if lists[0] != w.term {
			if w.begins == "" || !strings.HasPrefix(lists[0], w.begins) {
				continue
			}
			first = fields
		}
		for field, list := range lists[1:] {
			eachPosition(list, func(position int) {
				if position < len(grades) {
					grades[position] = min(grades[position], byte(first+field))
				}
			})
		}
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
				m.cost += int(digitValues[sizes[file]]) * sizeUnit
			}
			counted[file] = true
		}
		part.cost += m.cost
		part.means = append(part.means, m)
	}
	return len(firsts) + len(sizes) + headOverhead, nil
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
			switch {
			case !m.not:
				worst[i] = max(worst[i], grade)
			case grade != nowhere:
				worst[i] = nowhere
			}
		}
		loaded += m.cost
	}
	return worst, loaded, nil
}
