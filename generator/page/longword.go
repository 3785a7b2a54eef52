package page

import (
	"strings"
	"unicode"
)

// fit returns the class of a heading for its longest word, which the style sheet sets so small
// that the word stands in one line on a phone: browsers without a dictionary of the language
// break words without a hyphen. It returns "" where each word has room at any size, and for
// words that no legible size fits.
func fit(heading string) string {
	longest := 0
	for word := range strings.SplitSeq(heading, " ") {
		if len(word) > roomy { // in bytes, so at least as many as letters
			longest = max(longest, longestWord(word))
		}
	}
	switch {
	case longest <= roomy:
		return ""
	case longest <= 20:
		return "letters20"
	case longest <= 26:
		return "letters26"
	case longest <= 34:
		return "letters34"
	}
	return ""
}

// roomy is how many letters of a word stand in a line of every heading.
const roomy = 17

// longestWord returns the letters of the longest piece of a text that a browser does not break.
// It breaks at spaces, behind hyphens and at soft ones, and anywhere among letters of scripts
// without spaces.
func longestWord(text string) int {
	longest, letters := 0, 0
	for _, r := range text {
		switch {
		case r == '\u00a0' || r == '\u2007' || r == '\u2011' || r == '\u202f' || r == '\u2060':
			letters++
		case unicode.IsSpace(r) || r == '\u00ad' || r == '\u200b' || unicode.In(r, unspaced...):
			letters = 0
		case unicode.Is(unicode.Pd, r):
			longest, letters = max(longest, letters+1), 0
		case !unicode.Is(unicode.Mn, r):
			letters++
		}
		longest = max(longest, letters)
	}
	return longest
}

// unspaced are scripts whose words have no spaces between them.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}
