// Package analysis divides a text of any language into words for a search, and folds them:
// what a reader may type in several ways becomes one word. The search page does the same in
// assets/search-index.js, with the table of this package.
//
// Case and diacritics make no difference, and I, İ, ı and i are one letter. Letters that
// Unicode does not decompose are in [Letters].
package analysis

import (
	"errors"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxWords is the largest number of different words in a search.
const MaxWords = 32

// ErrWords is returned for a search with more words than [MaxWords].
var ErrWords = errors.New("too many different words")

// Letters is the table of folded letters, besides those that lose their marks by Unicode's
// rules: in each part between two blanks, a letter in lower case and what it becomes.
// Letters that keep their marks become themselves.
var Letters = strings.Join([]string{
	"ıi ßss æae œoe øo đd ðd þth łl ħh ŧt ŋn ĸk ſs əa ςσ",
	"йй її ўў", // letters of their own, which Unicode decomposes
	"ىي ةه کك یي ېي ەه ھه ہه ۀه ٱا", // of Arabic and Persian
	digits('٠'), digits('۰'), digits('०'), digits('০'), digits('๐'),
	katakana(),
}, " ")

// digits returns the parts of the table for ten digits.
func digits(zero rune) string {
	var all []string
	for i := range rune(10) {
		all = append(all, string(zero+i)+string('0'+i))
	}
	return strings.Join(all, " ")
}

// katakana returns the parts of the table that make katakana hiragana.
func katakana() string {
	const first, last, distance = 'ァ', 'ヶ', 'ァ' - 'ぁ'
	var all []string
	for r := first; r <= last; r++ {
		all = append(all, string(r)+string(r-distance))
	}
	return strings.Join(all, " ")
}

var letters = sync.OnceValue(func() map[rune]string {
	table := make(map[rune]string)
	for part := range strings.FieldsSeq(Letters) {
		all := []rune(part)
		table[all[0]] = string(all[1:])
	}
	return table
})

// lowLetters has the folded letters below U+3100: a look-up is several times as fast as folding.
var lowLetters = sync.OnceValue(func() *[0x3100]string {
	var table [0x3100]string
	for r := range table {
		table[r] = computed(rune(r))
	}
	return &table
})

// letter returns a folded letter: "" for a mark or an invisible character, which are
// dropped. The text must be in Unicode's form NFC, or letters like й lose their marks.
func letter(r rune) string {
	switch {
	case r < 0x3100:
		return lowLetters()[r]
	case r >= 0x4E00 && r < 0xA000, r >= 0xAC00 && r < 0xD7A4: // Han and Hangul
		return string(r)
	}
	return computed(r)
}

// computed folds a letter without the table lowLetters.
func computed(r rune) string {
	if to, ok := letters()[unicode.ToLower(r)]; ok {
		return to
	}
	form := norm.NFKD
	if unicode.In(r, unicode.Hangul, unicode.Hiragana, unicode.Katakana) {
		form = norm.NFKC // が is no か
	}
	var b strings.Builder
	for _, r := range form.String(string(r)) {
		if isDropped(r) {
			continue
		}
		r = unicode.ToLower(r)
		if to, ok := letters()[r]; ok {
			b.WriteString(to)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isDropped reports whether a character does not count: marks of scripts that are written
// without them as well, and invisible characters.
func isDropped(r rune) bool {
	return unicode.In(r, unicode.Cf) || r == 'ʼ' || r == 'ـ' ||
		unicode.Is(unicode.M, r) && unicode.In(r, unicode.Inherited, unicode.Arabic, unicode.Hebrew, unicode.Cyrillic)
}

// isInWord reports whether a folded character is part of a word.
func isInWord(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }

// IsUnspaced reports whether a letter is of a script that sets no blanks between words.
func IsUnspaced(r rune) bool {
	return r >= 0x0E00 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer) || r == 'ー') && isInWord(r)
}

// normal returns a text in Unicode's form NFC, with kana of full width.
func normal(text string) string {
	if !mayChange(text) {
		return text
	}
	text = norm.NFC.String(text)
	if !strings.ContainsFunc(text, isHalfwidth) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		n := strings.IndexFunc(text, isHalfwidth)
		if n < 0 {
			n = len(text)
		}
		b.WriteString(text[:n])
		text = text[n:]
		if n = strings.IndexFunc(text, func(r rune) bool { return !isHalfwidth(r) }); n < 0 {
			n = len(text)
		}
		b.WriteString(norm.NFKC.String(text[:n]))
		text = text[n:]
	}
	return b.String()
}

// mayChange reports whether a text may have to be normalized: whether it has characters
// beyond U+02FF, except U+2000 to U+2FFF, which fold to the same without it.
func mayChange(text string) bool {
	const combining, punctuation = 0xCC, 0xE2 // first bytes of UTF-8
	for i := range len(text) {
		if text[i] >= combining && text[i] != punctuation {
			return true
		}
	}
	return false
}

func isHalfwidth(r rune) bool { return r >= 0xFF61 && r <= 0xFF9F }
