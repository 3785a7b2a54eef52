package search_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayna/archive/analysis"
	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/testrun"
	"ayna/testrun/chromium"
)

// fields are title, spot and names, text. The grade of a word is its field if it is there as
// it is wanted, that and fields if only another form is, and twice that if it only begins so. Of
// several words the field comes before the form.
const (
	fields  = 3
	nowhere = 255
)

// asking is a query in its parts.
type asking struct {
	words   []string // the last one may be a beginning
	phrases []string
	not     []string
}

func (a asking) query() query {
	text := ""
	for _, phrase := range a.phrases {
		text += ` "` + phrase + `"`
	}
	for _, word := range a.not {
		text += " -" + word
	}
	return query{Q: strings.Trim(text+" "+strings.Join(a.words, " "), " ")}
}

// library is all words of a newspaper, looked through without an index.
type library struct {
	*paper
	forms []string         // sorted
	texts [][fields]string // by item, the oldest first
	words [][fields][]string
	items []site.Item
}

func (p *paper) library() *library {
	l := &library{paper: p, items: slices.Collect(p.site.Home.Items.Backward())}
	all := make(map[string]bool)
	for i, item := range l.items {
		names := []string{item.ID()}
		for f := item.Folder(); f != nil; f = f.Parent {
			names = append(names, f.Title)
		}
		texts := [fields]string{p.titles[i], strings.Join(append(names, p.spots[i]), "\n"), p.texts[i]}
		var words [fields][]string
		for field, text := range texts {
			words[field] = analysis.Words(text)
			for _, word := range words[field] {
				all[word] = true
			}
		}
		l.texts, l.words = append(l.texts, texts), append(l.words, words)
	}
	l.forms = slices.Sorted(maps.Keys(all))
	return l
}

func (l *library) stem(word string) string {
	if !isInDictionary(word) {
		return word
	}
	return search.Stem(l.site.Language, word, word)
}

// field returns the best field of an item with a word, nowhere if it has none.
func (l *library) field(item int, is func(word string) bool) int {
	for field, words := range l.words[item] {
		if slices.ContainsFunc(words, is) {
			return field
		}
	}
	return nowhere
}

// grade returns the grade of a wanted word in an item.
func (l *library) grade(item int, wanted string, last bool) int {
	group := func(word string) int {
		return l.field(item, func(other string) bool { return l.stem(other) == l.stem(word) })
	}
	begun := func() int {
		return l.field(item, func(other string) bool { return last && len(wanted) >= 3 && strings.HasPrefix(l.stem(other), wanted) })
	}
	as := func(field, first int) int {
		if field == nowhere {
			return nowhere
		}
		return first + field
	}
	same := func(word string) int {
		best := group(word)
		if best != nowhere && l.field(item, func(other string) bool { return other == word }) == nowhere {
			best += fields
		}
		return best
	}
	at, known := slices.BinarySearch(l.forms, wanted)
	switch {
	case known || !isInDictionary(wanted):
		return min(same(wanted), as(begun(), 2*fields))
	case at < len(l.forms) && strings.HasPrefix(l.forms[at], wanted) && len(wanted) >= 3:
		return as(min(group(l.forms[at]), begun()), 2*fields)
	}
	for n := len(wanted) - 1; n >= 3 && n >= len(wanted)-5; n-- {
		if _, known := slices.BinarySearch(l.forms, wanted[:n]); known {
			return same(wanted[:n])
		}
	}
	return nowhere
}

// holdsPhrase reports whether a line of a text has some words beside each other.
func holdsPhrase(text string, phrase []string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		words := analysis.Words(line)
		for i := 0; i+len(phrase) <= len(words); i++ {
			if slices.Equal(words[i:i+len(phrase)], phrase) {
				return true
			}
		}
	}
	return false
}

// scan returns the addresses of the hits of a query, the best first, and of these the newest.
func (l *library) scan(a asking) []string {
	worst := make([]int, len(l.items))
	several := len(strings.Fields(strings.Join(slices.Concat(a.words, a.phrases), " "))) > 1
	of := func(grade int) int {
		if several && grade < 2*fields {
			return grade%fields*2 + grade/fields
		}
		return grade
	}
	for i := range worst {
		for n, wanted := range a.words {
			worst[i] = max(worst[i], of(l.grade(i, wanted, n == len(a.words)-1)))
		}
		for _, phrase := range a.phrases {
			words := strings.Fields(phrase)
			for _, word := range words {
				exact := l.field(i, func(other string) bool { return other == word })
				if exact != nowhere { // the field is that of the group
					exact = l.field(i, func(other string) bool { return l.stem(other) == l.stem(word) })
				}
				worst[i] = max(worst[i], of(exact))
			}
			if !slices.ContainsFunc(l.texts[i][:], func(text string) bool { return holdsPhrase(text, words) }) {
				worst[i] = nowhere
			}
		}
		for _, word := range a.not {
			if l.field(i, func(other string) bool { return l.stem(other) == l.stem(word) }) != nowhere {
				worst[i] = nowhere
			}
		}
	}
	numbers := slices.Collect(func(yield func(int) bool) {
		for i := len(worst) - 1; i >= 0; i-- {
			if worst[i] != nowhere && !yield(i) {
				return
			}
		}
	})
	slices.SortStableFunc(numbers, func(a, b int) int { return worst[a] - worst[b] })
	found := []string{}
	for _, i := range numbers {
		found = append(found, l.items[i].Address())
	}
	return found
}

// TestBrowserRanks: random queries of all forms find in random newspapers what a look through
// all texts finds, in the same order, and load 300 KB at most.
func TestBrowserRanks(t *testing.T) {
	browser := chromium.Browser(t)
	n := testrun.Counts{Slow: 8, Long: 1000}.Now()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 9))
			vocabulary := frequencies(inflected(r, 20+r.IntN(300)))
			p := print(t, 30+r.IntN(300), func(r *rand.Rand, _ int) (title, spot, text string) {
				return vocabulary.text(r, 1+r.IntN(5)), vocabulary.text(r, r.IntN(12)), vocabulary.text(r, r.IntN(40)) + "\n" + vocabulary.text(r, r.IntN(20))
			})
			var all []asking
			var queries []query
			for len(all) < n {
				var a asking
				for range r.IntN(3) {
					a.words = append(a.words, vocabulary.text(r, 1))
				}
				if r.IntN(2) == 0 {
					a.phrases = append(a.phrases, phraseOf(r, p))
				}
				if r.IntN(3) == 0 {
					a.not = append(a.not, vocabulary.text(r, 1))
				}
				if len(a.words) > 0 && r.IntN(3) == 0 { // a beginning, or a longer word
					last := &a.words[len(a.words)-1]
					if *last = (*last)[:1+r.IntN(len(*last))]; r.IntN(3) == 0 {
						*last += "xqz"
					}
				}
				if len(a.words)+len(a.phrases) > 0 && !repeats(a) {
					all, queries = append(all, a), append(queries, a.query())
				}
			}
			_, answers := p.asked(t, browser, queries, 10_000)
			l := p.library()
			hits := 0
			for i, a := range all {
				if want := l.scan(a); !slices.Equal(answers[i].Hits, want) {
					t.Errorf("%q:\n got %v\nwant %v", queries[i].Q, answers[i].Hits, want)
				}
				hits += len(answers[i].Hits)
				if answers[i].Loaded > pageSize {
					t.Errorf("%q loads %d bytes", queries[i].Q, answers[i].Loaded)
				}
			}
			if hits == 0 {
				t.Error("nothing was found at all")
			}
		})
	}
}

// pageSize is how many bytes a page of results loads at most.
const pageSize = 300 << 10

// repeats reports whether a query has a word twice, or more than count.
func repeats(a asking) bool {
	words := strings.Fields(strings.Join(slices.Concat(a.phrases, a.words), " "))
	slices.Sort(words)
	return len(slices.Compact(slices.Clone(words))) < len(words) || len(words)+len(a.not) > 6
}

// phraseOf returns some neighbouring words of an item, or in a third of cases not quite.
func phraseOf(r *rand.Rand, p *paper) string {
	for {
		i := r.IntN(len(p.texts))
		words := strings.Fields([]string{p.titles[i], p.spots[i], strings.Split(p.texts[i], "\n")[0]}[r.IntN(3)])
		if len(words) < 2 {
			continue
		}
		first := r.IntN(len(words) - 1)
		words = slices.Clone(words[first:min(len(words), first+2+r.IntN(2))])
		if r.IntN(3) == 0 {
			slices.Reverse(words)
		}
		return strings.Join(words, " ")
	}
}

// inflected returns words of which many are forms of each other, or begin as others do.
func inflected(r *rand.Rand, n int) (words []string) {
	endings := []string{"", "", "lar", "larda", "i", "in", "den", "ci", "cilar", "u"}
	for range n {
		stem := ""
		for range 1 + r.IntN(3) {
			stem += letters(r, "bdgklmprst", 1) + letters(r, "aeiou", 1)
		}
		for range 1 + r.IntN(3) {
			words = append(words, stem+endings[r.IntN(len(endings))])
		}
	}
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return words
}
