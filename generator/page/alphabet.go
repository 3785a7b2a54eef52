package page

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// alphabet finds the letters under which a language sorts titles.
type alphabet struct {
	language language.Tag
	sorter   *collate.Collator
	initials map[rune]string // by first letter of a title
}

func newAlphabet(tag language.Tag) *alphabet {
	return &alphabet{tag, collate.New(tag, collate.Loose), make(map[rune]string)}
}

// initialOf returns the letter under which the alphabet sorts a title, "#" if it does not
// begin with a letter. An accented letter counts as the plain one unless the language
// sorts it apart, as Turkish does with ç and Swedish with å.
func (a *alphabet) initialOf(title string) string {
	first, _ := utf8.DecodeRuneInString(norm.NFC.String(title))
	initial, known := a.initials[first]
	if !known {
		initial = a.initial(first)
		a.initials[first] = initial
	}
	return initial
}

func (a *alphabet) initial(first rune) string {
	switch {
	case !unicode.IsLetter(first):
		return "#"
	case unicode.Is(unicode.Han, first):
		return "漢" // one group: each of thousands of signs would be a letter
	case unicode.Is(unicode.Hangul, first):
		return hangulInitial(first)
	}
	letter := cases.Lower(a.language).String(string(first))
	plain := string([]rune(norm.NFKD.String(letter))[0])
	if r, _ := utf8.DecodeRuneInString(plain); !unicode.IsLetter(r) { // it stands for a blank and an accent
		return "#"
	}
	if letter != plain && a.sorter.CompareString(letter, plain) != 0 {
		plain = letter
	}
	return string([]rune(upper(plain, a.language))[0])
}

// upper returns a text in the capital letters of a language.
func upper(text string, tag language.Tag) string { return cases.Upper(tag).String(text) }

// hangulInitial returns the first consonant of a syllable.
func hangulInitial(syllable rune) string {
	const first, vowelsAndEnds = '가', 21 * 28
	consonants := []rune("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
	if i := int(syllable-first) / vowelsAndEnds; syllable >= first && i < len(consonants) {
		return string(consonants[i])
	}
	return string(syllable)
}
