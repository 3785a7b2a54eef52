package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// mostLetters is how many letters of a word the index keeps: most Turkish endings
// come after them.
const mostLetters = 5

// Terms returns the words of a text as the index knows them, in their order.
//
// Case and diacritics make no difference, and I, İ, ı and i are one letter. What
// follows an apostrophe is an ending and dropped, but for names such as O'Neill.
// A word is cut to five letters, the fifth one as Turkish softens it before a
// vowel: "kitap" and "kitabı" are "kitab".
func Terms(text string) []string {
	var terms []string
	var word []rune
	ending := false // the rest of the word is one
	end := func() {
		if len(word) == mostLetters {
			word[mostLetters-1] = soft(word[mostLetters-1])
		}
		if len(word) > 0 {
			terms = append(terms, string(word))
		}
		word, ending = word[:0], false
	}
	var room [32]rune
	for _, r := range text {
		if isApostrophe(r) {
			ending = ending || len(word) > 1 || len(word) == 1 && unicode.IsNumber(word[0])
			continue
		}
		for _, r := range fold(room[:0], r) {
			switch {
			case !unicode.IsLetter(r) && !unicode.IsNumber(r):
				end()
			case !ending && len(word) < mostLetters:
				word = append(word, r)
			}
		}
	}
	end()
	return terms
}

func isApostrophe(r rune) bool {
	switch r {
	case '\'', '`', '´', '‘', '’', 'ʼ', '′', '＇':
		return true
	}
	return false
}

// fold appends a letter without its marks and in lower case; nothing for what
// is only a mark, or cannot be seen.
func fold(to []rune, r rune) []rune {
	switch r { // what most texts have goes the short way
	case 'ı', 'İ', 'î', 'Î':
		return append(to, 'i')
	case 'ş', 'Ş':
		return append(to, 's')
	case 'ğ', 'Ğ':
		return append(to, 'g')
	case 'ç', 'Ç':
		return append(to, 'c')
	case 'ö', 'Ö':
		return append(to, 'o')
	case 'ü', 'Ü', 'û', 'Û':
		return append(to, 'u')
	case 'â', 'Â':
		return append(to, 'a')
	}
	if r < utf8.RuneSelf {
		return append(to, unicode.ToLower(r))
	}
	for _, r := range norm.NFKD.String(string(r)) {
		switch {
		case unicode.In(r, unicode.M, unicode.Cf), r == 'ʼ':
		case r == 'ς':
			to = append(to, 'σ')
		default:
			to = append(to, unicode.ToLower(r))
		}
	}
	return to
}

func soft(r rune) rune {
	switch r {
	case 'p':
		return 'b'
	case 't':
		return 'd'
	case 'k':
		return 'g'
	}
	return r
}

// before orders terms as JavaScript does: by UTF-16 units.
func before(a, b string) int {
	for a != "" && b != "" {
		r, n := utf8.DecodeRuneInString(a)
		s, m := utf8.DecodeRuneInString(b)
		if r != s {
			return int(place(r) - place(s))
		}
		a, b = a[n:], b[m:]
	}
	return strings.Compare(a, b)
}

// place is where a letter stands among all UTF-16 sequences: those of two units
// begin with a unit from D800 to DBFF.
func place(r rune) rune {
	if r >= 0xE000 && r <= 0xFFFF {
		return r + unicode.MaxRune
	}
	return r
}
