package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"golang.org/x/text/language"

	"ayna/archive/analysis"
)

// stemmer returns the stem of a word, in which its forms are found: folded is the word,
// spelling is how it is written.
type stemmer func(folded, spelling string) string

// snowball are Snowball's algorithms, by language.
var snowball = map[string]func(*snowballstem.Env) bool{
	"ar": arabic.Stem, "da": danish.Stem, "de": german.Stem, "en": english.Stem, "es": spanish.Stem, "fi": finnish.Stem,
	"fr": french.Stem, "ga": irish.Stem, "hu": hungarian.Stem, "it": italian.Stem, "nb": norwegian.Stem, "nl": dutch.Stem,
	"nn": norwegian.Stem, "no": norwegian.Stem, "pt": portuguese.Stem, "ro": romanian.Stem, "ru": russian.Stem,
	"sv": swedish.Stem, "ta": tamil.Stem,
}

// digraphs are pairs of letters that stand for one with a mark where a keyboard lacks it,
// by language: each pair, and the folded letter. They are tried for unknown words.
var digraphs = map[string]string{"de": "aea oeo ueu", "da": "aaa", "nb": "aaa", "nn": "aaa", "no": "aaa"}

// articles are what is written as one with the word after it, by language: the article first,
// then it with what is before it. A word without it has leastStem letters at least.
var articles = map[string]string{"ar": "ال وال فال بال كال لل"}

const leastStem = 3

// withoutArticle returns a word without the article before it.
func withoutArticle(base, word string) string {
	for article := range strings.FieldsSeq(articles[base]) {
		if rest, ok := strings.CutPrefix(word, article); ok && utf8.RuneCountInString(rest) >= leastStem {
			return rest
		}
	}
	return word
}

// baseOf returns the language of a BCP 47 tag, "und" for an invalid one.
func baseOf(tag string) string {
	base, _ := language.Make(tag).Base()
	return base.String()
}

// newStemmer returns the stemmer of a language, which for another language returns the
// words themselves.
func newStemmer(tag string) stemmer {
	base := baseOf(tag)
	if base == "tr" {
		return func(folded, _ string) string { return turkishStem(folded) }
	}
	algorithm := snowball[base]
	return func(folded, spelling string) string {
		if algorithm == nil || strings.ContainsFunc(spelling, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M) }) ||
			strings.Count(folded, "")-1 == analysis.MaxLetters { // its end is unknown
			return folded
		}
		word := withoutArticle(base, strings.ToLower(spelling))
		if rest, ends := strings.CutSuffix(word, "eln"); ends && base == "de" {
			word = rest + "el" // Formeln, Regeln: the algorithm keeps their n
		} else if base == "en" && (word == "adding" || word == "added") {
			word = "add" // the algorithm makes "ad" of it
		}
		env := snowballstem.NewEnv(word)
		algorithm(env)
		if words := analysis.Words(env.Current()); len(words) == 1 {
			return words[0]
		}
		return folded
	}
}

// ending is what may be cut off a Turkish word if enough letters remain.
type ending struct {
	text   string
	remain int
}

// maxEndings is the number of endings that are cut off one after the other.
const maxEndings = 6

// turkishEndings has, after each digit, the endings that leave at least so many letters.
const turkishEndings = "3 lar ler da de ta te dan den tan ten yi yu ya ye ydi ydu " +
	"4 i u si su in un nin nun a e la le yla yle dir dur ki sina sine suna sini sunu sinda sinde sunda sindan sinden sundan " +
	"ina ine una une ini unu inda inde unda unde indan inden undan unden larim lerim"

// shortTurkish are stems of which less remains: no other common word is one of these and an
// ending, but for those in longTurkish.
var shortTurkish = strings.Fields("ev su hak kan yol goz gun yil kiz")

var longTurkish = strings.Fields("kanun suna suni sunu gozde yole")

// turkish are the endings by their last letter, the longest first.
var turkish = func() (byLast ['z' - 'a' + 1][]ending) {
	remain := 0
	for text := range strings.FieldsSeq(turkishEndings) {
		if text[0] <= '9' {
			remain = int(text[0] - '0')
			continue
		}
		same := &byLast[text[len(text)-1]-'a']
		*same = append(*same, ending{text, remain})
		slices.SortStableFunc(*same, func(a, b ending) int { return len(b.text) - len(a.text) })
	}
	return byLast
}()

// turkishStem returns the stem of a folded word. Words with other letters than a to z are
// their own stems. The last letter of a stem is p, t or k where Turkish softens it before a
// vowel: "kitap" and "kitabı" have the stem "kitab".
func turkishStem(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) || slices.Contains(longTurkish, word) {
		return word
	}
cutting:
	for range maxEndings {
		for _, e := range turkish[word[len(word)-1]-'a'] {
			rest, ends := strings.CutSuffix(word, e.text)
			if ends && (len(rest) >= e.remain || slices.Contains(shortTurkish, rest)) {
				word = rest
				continue cutting
			}
		}
		break
	}
	if word == "hakk" {
		return "hak"
	}
	if last := len(word) - 1; last >= 3 {
		switch word[last] {
		case 'p':
			return word[:last] + "b"
		case 't':
			return word[:last] + "d"
		case 'k':
			word = word[:last] + "g"
		}
	}
	if len(word) >= 6 && (strings.HasSuffix(word, "mag") || strings.HasSuffix(word, "meg")) {
		return word[:len(word)-2] // "eklemek" as "ekleme"
	}
	return word
}
