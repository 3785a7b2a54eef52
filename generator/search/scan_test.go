package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayna/generator/search"
	"ayna/testrun"
)

// asking is a query in its parts.
type asking struct {
	words   []string // the last one may be a beginning
	phrases []string
	not     []string
}

func (a asking) query() search.Query {
	text := ""
	for _, phrase := range a.phrases {
		text += ` "` + phrase + `"`
	}
	for _, word := range a.not {
		text += " -" + word
	}
	return search.Query{Text: strings.Trim(text+" "+strings.Join(a.words, " "), " ")}
}

// scan looks through all texts of a newspaper for a query, word by word, and returns the
// addresses of its hits, if stages ended after so many items.
func (p *paper) scan(a asking, stages []int) (found []string) {
	items := slices.Collect(p.site.Home.Items.Backward())
	worst := make([]byte, len(items))
	for i := range items {
		names := []string{}
		for f := items[i].Folder(); f != nil; f = f.Parent {
			names = append(names, f.Title)
		}
		texts := [fields]string{p.titles[i], strings.Join(append(names, p.spots[i]), "\n"), p.texts[i]}
		grade := func(is func(word string) bool) byte {
			for field, text := range texts {
				if slices.ContainsFunc(search.Words(text), is) {
					return byte(field)
				}
			}
			return nowhere
		}
		same := func(wanted string) byte {
			return grade(func(word string) bool { return search.Stem(word) == search.Stem(wanted) })
		}
		for n, wanted := range a.words {
			best := same(wanted)
			if n == len(a.words)-1 && len([]rune(wanted)) >= 3 && best == nowhere {
				if best = grade(func(word string) bool { return strings.HasPrefix(search.Stem(word), wanted) }); best != nowhere {
					best += fields
				}
			}
			worst[i] = max(worst[i], best)
		}
		for _, phrase := range a.phrases {
			for word := range strings.FieldsSeq(phrase) {
				worst[i] = max(worst[i], same(word))
			}
			if !slices.ContainsFunc(texts[:], func(text string) bool { return search.HoldsPhrase(text, strings.Fields(phrase)) }) {
				worst[i] = nowhere
			}
		}
		for _, word := range a.not {
			if same(word) != nowhere {
				worst[i] = nowhere
			}
		}
	}
	for _, i := range ordered(worst, stages) {
		found = append(found, items[i].Address())
	}
	return found
}

// TestScan: random queries of all forms find in random newspapers what a look through all
// texts finds, in the same order, and load 300 KB at most.
func TestScan(t *testing.T) {
	testrun.NotShort(t)
	queries := testrun.Counts{Plain: 60, Slow: 200, Long: 2000}.Now()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 9))
			vocabulary := frequencies(inflected(r, 20+r.IntN(300)))
			n := 30 + r.IntN(600)
			p := print(t, n, func(r *rand.Rand, _ int) (title, spot, text string) {
				return vocabulary.text(r, 1+r.IntN(5)), vocabulary.text(r, r.IntN(12)), vocabulary.text(r, r.IntN(40)) + "\n" + vocabulary.text(r, r.IntN(20))
			})
			renderer := search.NewOf(p.site, p.teasers, p.textsOf)
			if cut := [][]int{nil, {20, 5}, {5}, {100, 50, 10}}[seed]; cut != nil {
				renderer.Cut(cut[0], cut[1:]...)
			}
			made := render(t, renderer)
			hits := 0
			for range queries {
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
				if len(a.words) > 0 && r.IntN(3) == 0 { // a beginning
					last := &a.words[len(a.words)-1]
					*last = (*last)[:1+r.IntN(len(*last))]
				}
				if len(a.words)+len(a.phrases) == 0 || repeats(a) {
					continue
				}
				x, counted := made.index(t)
				s := x.Search(a.query())
				var got []string
				for !s.Done() {
					page, bytes := press(t, s, counted)
					got = append(got, addresses(page)...)
					if bytes > search.PageSize {
						t.Errorf("%q loads %d bytes", a.query().Text, bytes)
					}
				}
				if want := p.scan(a, s.Stages); !slices.Equal(got, want) {
					t.Fatalf("%q:\n got %v\nwant %v", a.query().Text, got, want)
				}
				hits += len(got)
			}
			if hits == 0 {
				t.Error("nothing was found at all")
			}
		})
	}
}

// repeats reports whether a query has two forms of a word: only the first one counts.
func repeats(a asking) bool {
	terms := search.Terms(strings.Join(slices.Concat(a.phrases, a.words), " "))
	slices.Sort(terms)
	return len(slices.Compact(slices.Clone(terms))) < len(terms) || len(terms)+len(a.not) > 6
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
			stem += string("bdgklmprst"[r.IntN(10)]) + string("aeiou"[r.IntN(5)])
		}
		for range 1 + r.IntN(3) {
			words = append(words, stem+endings[r.IntN(len(endings))])
		}
	}
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return words
}
