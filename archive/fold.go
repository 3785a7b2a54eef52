package archive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold writes text as the full-text index sees it: case and diacritics make no
// difference, and the four Turkish letters I, İ, ı and i are one.
func Fold(text string) string {
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

// matchExpression turns what a person typed into an FTS5 query: all words must
// occur, the last one may be the beginning of a word. It is empty if the text
// holds no word.
func matchExpression(text string) string {
	words := strings.FieldsFunc(Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\uFFFD'
	})
	if len(words) == 0 {
		return ""
	}
	const most = 32
	words = words[:min(len(words), most)]
	// A word holds letters and digits only, so the quotes cannot be closed.
	match := `"` + strings.Join(words, `" AND "`) + `"`
	if utf8.RuneCountInString(words[len(words)-1]) >= shortestBeginning {
		match += " *"
	}
	return match
}
