package search

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// mostLetters is how many letters of a word the index keeps: most Turkish endings
// come after them.
const mostLetters = 5

// words reads the words of texts as the index knows them, letter by letter. It is
// used again and again, so that nothing is allocated for a text.
//
// Case and diacritics make no difference, and I, İ, ı and i are one letter. What
// follows an apostrophe is an ending and dropped, but for names such as O'Neill.
// A word is cut to five letters, the fifth one as Turkish softens it before a
// vowel: "kitap" and "kitabı" are "kitab".
type words struct {
	found func(term []byte) // is called with each word's term, which holds until it returns

	ending  bool // the rest of the word is one
	letters int  // of the word
	first   rune // of these
	term    [mostLetters * utf8.UTFMax]byte
	size    int // of the term
}

func (w *words) read(text string) {
	var room [32]rune
	for i := 0; i < len(text); i++ {
		if c := plain[text[i]]; c != 0 { // most texts go the short way
			w.add(rune(c))
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isApostrophe(r):
			w.ending = w.ending || w.letters > 1 || w.letters == 1 && unicode.IsNumber(w.first)
		case r < utf8.RuneSelf:
			w.end()
		default:
			for _, r := range fold(room[:0], r) {
				if isLetter(r) {
					w.add(r)
				} else {
					w.end()
				}
			}
		}
		i += size - 1
	}
	w.end()
}

// plain are the letters and digits of ASCII, in lower case; 0 is none of them.
var plain = func() (table [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		if isLetter(rune(c)) {
			table[c] = byte(unicode.ToLower(rune(c)))
		}
	}
	return table
}()

// add adds a letter or a digit to the word.
func (w *words) add(r rune) {
	if w.ending || w.letters == mostLetters {
		return
	}
	if w.letters == 0 {
		w.first, w.size = r, 0
	}
	if w.letters++; w.letters == mostLetters {
		r = soft(r)
	}
	w.size += utf8.EncodeRune(w.term[w.size:], r)
}

func (w *words) end() {
	if w.letters > 0 {
		w.found(w.term[:w.size])
	}
	w.letters, w.ending = 0, false
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isApostrophe(r rune) bool {
	switch r {
	case '\'', '`', '´', '‘', '’', 'ʼ', '′', '＇':
		return true
	}
	return false
}

// fold appends a letter beyond ASCII without its marks and in lower case; nothing
// for what is only a mark, or cannot be seen.
func fold(to []rune, r rune) []rune {
	switch r { // so does what most texts have of these
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

// before orders terms, which are valid UTF-8, as JavaScript does: by UTF-16 units.
func before(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return place(a[i]) - place(b[i])
		}
	}
	return len(a) - len(b)
}

// place is where a byte of UTF-8 stands among all UTF-16 sequences: those of two
// units, of the bytes F0 to F4, begin with a unit from D800 to DBFF, and so come
// before E000 to FFFF, of the bytes EE and EF.
func place(b byte) int {
	if b == 0xEE || b == 0xEF {
		return int(b) + 0x10
	}
	return int(b)
}
