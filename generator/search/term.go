package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxLetters is the number of letters of a word that the index distinguishes.
const maxLetters = 24

// wordReader splits texts into words, letter by letter. It is reused, so that a text
// needs no allocation.
//
// Case and diacritics make no difference, and I, İ, ı and i are one letter. What
// follows an apostrophe is an ending and dropped, except in names such as O'Neill.
type wordReader struct {
	emit func(word []byte) // receives each word, valid until it returns; nil after each line

	ending  bool // the rest of the word is an ending
	letters int  // of the word
	first   rune // of these
	word    [maxLetters * utf8.UTFMax]byte
	size    int // of the word
}

func (w *wordReader) read(text string) {
	var room [32]rune
	for i := 0; i < len(text); i++ {
		if c := foldedASCII[text[i]]; c != 0 { // what texts have most comes first
			w.add(rune(c))
			continue
		}
		if text[i] == ' ' {
			w.end()
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size - 1
		if c := foldedLatin(r); c != 0 {
			w.add(c)
			continue
		}
		switch {
		case isApostrophe(r):
			w.ending = w.ending || w.letters > 1 || w.letters == 1 && unicode.IsNumber(w.first)
		case r < utf8.RuneSelf:
			w.end()
			if r == '\n' {
				w.emit(nil)
			}
		default:
			for _, r := range fold(room[:0], r) {
				if isLetter(r) {
					w.add(r)
				} else {
					w.end()
				}
			}
		}
	}
	w.end()
	w.emit(nil)
}

// foldedASCII has the letters and digits of ASCII in lower case, 0 for other bytes.
var foldedASCII = func() (table [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		if isLetter(rune(c)) {
			table[c] = byte(unicode.ToLower(rune(c)))
		}
	}
	return table
}()

// add adds a letter or a digit to the word.
func (w *wordReader) add(r rune) {
	if w.ending || w.letters == maxLetters {
		return
	}
	if w.letters == 0 {
		w.first, w.size = r, 0
	}
	w.letters++
	if r < utf8.RuneSelf {
		w.word[w.size] = byte(r)
		w.size++
		return
	}
	w.size += utf8.EncodeRune(w.word[w.size:], r)
}

func (w *wordReader) end() {
	if w.letters > 0 {
		w.emit(w.word[:w.size])
	}
	w.letters, w.ending = 0, false
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func isApostrophe(r rune) bool { return strings.ContainsRune("'`´‘’ʼ′＇", r) }

// accented are the folded forms of the letters that Turkish texts have most.
var accented = [...]rune{
	'ı' - latin: 'i', 'İ' - latin: 'i', 'î' - latin: 'i', 'Î' - latin: 'i', 'ş' - latin: 's', 'Ş' - latin: 's', 'ğ' - latin: 'g', 'Ğ' - latin: 'g',
	'ç' - latin: 'c', 'Ç' - latin: 'c', 'ö' - latin: 'o', 'Ö' - latin: 'o', 'ü' - latin: 'u', 'Ü' - latin: 'u', 'û' - latin: 'u', 'Û' - latin: 'u',
	'â' - latin: 'a', 'Â' - latin: 'a',
}

// latin is the first letter of the table accented.
const latin = 0xC0

// foldedLatin returns the folded form of a letter of the table accented, 0 for others.
func foldedLatin(r rune) rune {
	if i := int(r) - latin; i >= 0 && i < len(accented) {
		return accented[i]
	}
	return 0
}

// fold appends a letter beyond ASCII and the table accented without its marks and in lower
// case. It appends nothing for a mark or an invisible character.
func fold(to []rune, r rune) []rune {
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

// compareUTF16 orders terms, which are valid UTF-8, as JavaScript does: by UTF-16 units.
func compareUTF16(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return utf16Rank(a[i]) - utf16Rank(b[i])
		}
	}
	return len(a) - len(b)
}

// utf16Rank returns the rank of a byte of UTF-8 in the order of UTF-16. Pairs of units,
// which begin with the bytes F0 to F4, start with D800 to DBFF and so come before
// E000 to FFFF, which begin with EE and EF.
func utf16Rank(b byte) int {
	if b == 0xEE || b == 0xEF {
		return int(b) + 0x10
	}
	return int(b)
}
