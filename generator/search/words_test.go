package search_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"ayna/archive/analysis"
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
	"de": {func(r *rand.Rand) string {
		return letters(r, "BCDFGHbcdfghklmnprstvwzaeiouäöüß", 4+r.IntN(16)) + []string{"", "en", "er", "es"}[r.IntN(4)]
	}, " "},
	"fr": {func(r *rand.Rand) string {
		return letters(r, "bcdlmnprstaeiouéèêàç", 2+r.IntN(4)) + []string{"", "é", "er", "ée", "ement"}[r.IntN(5)]
	}, ", "},
	"ja": {func(r *rand.Rand) string {
		return letters(r, "のにはをたがでてとしれさ日本語新聞社会東京都市長選挙海山川テレビ", 6+r.IntN(14))
	}, "、"},
	"ar": {func(r *rand.Rand) string {
		return []string{"", "ال", "و", "وال"}[r.IntN(4)] + letters(r, "ابتجدرسعفقكلمنهويأإآىة", 3+r.IntN(3))
	}, " "},
}

// print makes a newspaper of items with texts of a number of words.
func (p prose) print(t testing.TB, language string, items, words int) *paper {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	known := make([]string, 20_000)
	for i := range known {
		known[i] = p.word(r)
	}
	common := frequencies(known)
	printed := print(t, items, func(r *rand.Rand, _ int) (title, spot, text string) {
		all := make([]string, words)
		for i := range all {
			if all[i] = common.text(r, 1); i%20 == 0 {
				all[i] = p.word(r)
			}
		}
		return strings.Join(all[:6], p.separator), strings.Join(all[6:20], p.separator), strings.Join(all, p.separator)
	})
	printed.site.Language = language
	return printed
}

// inverted is what the words of a newspaper are in, without any index file.
type inverted struct {
	forms map[string]map[int]int // best field, by folded word and item
	stems map[string]map[string]bool
}

func (p *paper) invert() inverted {
	known := inverted{make(map[string]map[int]int), make(map[string]map[string]bool)}
	items := slices.Collect(p.site.Home.Items.Backward())
	for i, item := range items {
		names := item.ID()
		for f := item.Folder(); f != nil; f = f.Parent {
			names += "\n" + f.Title
		}
		for field, text := range []string{p.titles[i], names + "\n" + p.spots[i], p.texts[i]} {
			reader := analysis.Reader{Emit: func(word analysis.Word) {
				form := string(word.Text)
				if form == "" {
					return
				}
				if known.forms[form] == nil {
					known.forms[form], known.stems[form] = make(map[int]int), make(map[string]bool)
				}
				if _, better := known.forms[form][i]; !better {
					known.forms[form][i] = field
				}
				stem := form
				if !word.Unspaced {
					stem = search.Stem(p.site.Language, form, word.Spelling)
				}
				known.stems[form][stem] = true
			}}
			reader.Read(text)
		}
	}
	return known
}

// isInDictionary reports whether the dictionary has a word.
func isInDictionary(word string) bool {
	return !strings.ContainsFunc(word, unicode.IsNumber) && !strings.ContainsFunc(word, analysis.IsUnspaced)
}

// holds reports what an index lacks of a newspaper's words.
func (known inverted) holds(t *testing.T, x *index) {
	t.Helper()
	lost := 0
	for form, items := range known.forms {
		stems := slices.Sorted(maps.Keys(known.stems[form]))
		if got := x.stems[form]; isInDictionary(form) && !slices.Equal(got, stems) {
			t.Errorf("the dictionary leads from %q to %q, want %q", form, got, stems)
		}
		var got []int
		for _, stem := range stems {
			got = append(got, x.groups[stem].forms[form]...)
			for item, field := range items {
				if best, ok := x.groups[stem].items[item]; ok && best > field && len(stems) == 1 {
					t.Errorf("%q is in field %d of item %d, not in %d", form, field, item, best)
				}
			}
		}
		slices.Sort(got)
		if want := slices.Sorted(maps.Keys(items)); !slices.Equal(slices.Compact(got), want) {
			if lost++; lost < 10 {
				t.Errorf("%q (%q) is in %v, want %v", form, stems, got, want)
			}
		}
		if isInDictionary(form) && len(items) >= 3 {
			letters := []rune(form)
			slices.Reverse(letters)
			if !slices.Contains(x.reversed, string(letters)) {
				t.Errorf("%q is not in the reversed dictionary", form)
			}
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d words lack items", lost, len(known.forms))
	}
}

// TestEveryWord: each word of long texts has all its items, in its very form, and the
// dictionary leads to its stem.
func TestEveryWord(t *testing.T) {
	testrun.NotShort(t)
	for language, prose := range proses {
		for name, cut := range map[string][]int{"one segment": nil, "many segments": {20, 5}} {
			t.Run(language+" in "+name, func(t *testing.T) {
				t.Parallel()
				n := testrun.Counts{Plain: 40, Slow: 150, Long: 3000}.Now()
				p := prose.print(t, language, n, 300)
				r := search.NewOf(p.site, p.teasers, p.textsOf)
				if cut != nil {
					r.Cut(cut[0], cut[1:]...)
				}
				made := render(t, r)
				p.invert().holds(t, made.decode(t))
				for path, content := range made.files {
					if limit := limitOf(path); len(content) > limit {
						t.Errorf("%s has %d bytes, more than %d", path, len(content), limit)
					}
				}
			})
		}
	}
}

// limitOf is how many bytes a file of the index may have.
func limitOf(path string) int {
	switch name := strings.TrimPrefix(path, "arama/index."); {
	case path == "arama/index.js":
		return 26_000
	case strings.HasPrefix(name, "items/"):
		return 16_100
	case strings.HasPrefix(name, "words/"), strings.HasPrefix(name, "reversed/"):
		return 6_200
	case strings.HasSuffix(name, "/days.js"):
		return 61_000
	case strings.Contains(name, "/"):
		return 10_200
	default:
		return headLimit
	}
}

// headLimit is the most bytes of a head, but where nearly every word is new.
const headLimit = 40_000
