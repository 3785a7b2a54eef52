package search_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayna/generator/search"
	"ayna/testrun"
)

// prose are texts as long as real ones, with a vocabulary that never ends: words by Zipf's
// law, and a new one in every twenty.
type prose struct {
	word      func(*rand.Rand) string
	separator string
}

func letters(r *rand.Rand, alphabet string, n int) string {
	all := []rune(alphabet)
	word := make([]rune, n)
	for i := range word {
		word[i] = all[r.IntN(len(all))]
	}
	return string(word)
}

var proses = map[string]prose{
	"tr": {func(r *rand.Rand) string {
		return letters(r, "bcçdfgğhklmnprsştvyzaeıioöuü", 3+r.IntN(4)) + letters(r, "aeimnrlk", r.IntN(7))
	}, " "},
	"de": {func(r *rand.Rand) string { return letters(r, "bcdfghklmnprstvwzaeiouäöü", 4+r.IntN(16)) }, " "},
	// Without blanks, what lies between two signs is one word.
	"ja": {func(r *rand.Rand) string {
		return letters(r, "のにはをたがでてとしれさ日本語新聞社会東京都市長選挙海山川", 6+r.IntN(14))
	}, "、"},
}

// print makes a newspaper of items with texts of a number of words.
func (p prose) print(t testing.TB, items, words int) *paper {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	known := make([]string, 20_000)
	for i := range known {
		known[i] = p.word(r)
	}
	common := frequencies(known)
	return print(t, items, func(r *rand.Rand, _ int) (title, spot, text string) {
		all := make([]string, words)
		for i := range all {
			if all[i] = common.text(r, 1); i%20 == 0 {
				all[i] = p.word(r)
			}
		}
		return strings.Join(all[:6], p.separator), strings.Join(all[6:20], p.separator), strings.Join(all, p.separator)
	})
}

// TestEveryWord: each word of long texts finds all items that have it, and no page of
// results loads more than 300 KB.
func TestEveryWord(t *testing.T) {
	for language, prose := range proses {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			n := testrun.Counts{Short: 60, Plain: 300, Slow: 300, Long: 3000}.Now()
			p := prose.print(t, n, 1000)
			made := p.render(t)
			x, counted := made.index(t)
			known := p.invert()
			indexed := make(map[string]bool)
			for path, content := range made.files {
				if segment, _, of := strings.Cut(strings.TrimPrefix(path, "arama/index."), "/"); of && segment != "items" {
					for entry := range strings.SplitSeq(strings.Split(content, `"`)[5], "|") {
						term, _, _ := strings.Cut(entry, " ")
						indexed[term] = true
					}
				}
			}
			words, lost := slices.Sorted(maps.Keys(wordsOf(p))), 0
			for i, word := range words {
				if !indexed[search.Stem(word)] {
					lost++
				}
				if i%(len(words)/50) > 0 {
					continue
				}
				s := x.Search(search.Query{Text: `"` + word + `"`})
				if _, bytes := press(t, s, counted); bytes > search.PageSize {
					t.Errorf("%s loads %d bytes", word, bytes)
				}
				items := make(map[int]bool)
				for _, place := range known.terms[search.Stem(word)] {
					items[place/fields] = true
				}
				if s.Count() == 0 || s.Searched == n && s.Count() != len(items) {
					t.Errorf("%s finds %d items of %d", word, s.Count(), len(items))
				}
			}
			if lost > 0 {
				t.Errorf("%d of %d words are in no entry", lost, len(words))
			}
			bytes, terms, text := 0, 0, 0
			for path, content := range made.files {
				bytes += len(content)
				if !strings.Contains(path, "/index.items/") {
					terms += len(content)
				}
				if limit := limitOf(path); len(content) > limit {
					t.Errorf("%s has %d bytes, more than %d", path, len(content), limit)
				}
			}
			for _, content := range p.texts {
				text += len(content)
			}
			t.Logf("%d items with %d bytes of text: %d files, %d bytes, %d of them terms; %d words asked", n, text, len(made.files), bytes, terms, len(words))
		})
	}
}

// wordsOf returns the different words of the texts.
func wordsOf(p *paper) map[string]bool {
	words := make(map[string]bool)
	for _, text := range p.texts {
		for _, word := range search.Words(text) {
			words[word] = true
		}
	}
	return words
}
