package archive

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold writes text as the full-text index sees it: case and diacritics make no
// difference, and the four Turkish letters I, İ, ı and i are one.
func Fold(text string) string {
	table := foldedLetters()
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case int(r) < len(table):
			b.WriteString(table[r])
		case r >= firstDash && r <= lastDots:
			b.WriteRune(r)
		default:
			return foldAny(text)
		}
	}
	return b.String()
}

// The letters and signs of most texts: those before the first mark that is
// combined with another letter, and dashes, quotation marks and dots.
const (
	firstMark = '\u0300'
	firstDash = '\u2010'
	lastDots  = '\u2027'
)

// foldedLetters are the letters that fold alone as they do in any text.
var foldedLetters = sync.OnceValue(func() *[firstMark]string {
	var table [firstMark]string
	for r := range firstMark {
		table[r] = foldAny(string(r))
	}
	return &table
})

func foldAny(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range norm.NFD.String(text) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'ı' || r == 'İ':
			b.WriteByte('i')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// shortestBeginning is how many letters at least stand for all words that begin
// with them: the index knows its words by so many.
const shortestBeginning = 2

// words are the words of a text, folded. They hold letters and digits, and what
// stands for a letter that was damaged; of that alone the index makes no word.
func words(text string) []string {
	list := strings.FieldsFunc(Fold(text), func(r rune) bool { return !isInWord(r) && r != unicode.ReplacementChar })
	return slices.DeleteFunc(list, func(word string) bool { return !strings.ContainsFunc(word, isInWord) })
}

// isInWord goes by SQLite's unicode61, for which characters of private use are
// letters.
func isInWord(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.Co) }

// terms turns what a person typed into words that must all occur, each once;
// the last one may be the beginning of a word.
func terms(text string) (list []string, beginning bool) {
	list = words(text)
	if len(list) == 0 {
		return nil, false
	}
	last := list[len(list)-1]
	list = list[:len(list)-1]
	slices.Sort(list)
	list = slices.Compact(list)
	if _, whole := slices.BinarySearch(list, last); whole {
		return list, false
	}
	return append(list, last), utf8.RuneCountInString(last) >= shortestBeginning
}
