package analysis

import (
	"unicode"
	"unicode/utf8"
)

// MaxLetters is the number of letters of a word that count.
const MaxLetters = 24

// Word is a word of a text, or two neighbouring letters of a script without blanks. The
// last letter of a run of such letters is a word, too, so that each letter begins one.
type Word struct {
	Text     []byte // folded, valid until the next word
	Spelling string // as it is written, "" for letters of a script without blanks
	Unspaced bool
	Tail     bool // the last letter of a run of more
}

// Reader divides texts into words, letter by letter. It is reused, so that a text needs no
// allocation. What follows an apostrophe is an ending and dropped, except in names such as
// O'Neill. Digits in groups of three are one number.
type Reader struct {
	Emit func(Word) // receives each word, and after each line one without text

	ending  bool // the rest of the word is an ending
	from    int  // where its spelling begins
	to      int  // and ends
	letters int  // of the word
	digits  int  // of its last group, -1 if it has other letters
	first   rune // of the word
	word    [MaxLetters * utf8.UTFMax]byte
	size    int // of the word

	run    [2 * utf8.UTFMax]byte // the last letters of a run without blanks
	before int                   // bytes of the letter before, 0 at the start of a run
	more   bool                  // the run has more letters
}

// Read emits the words of a text.
func (w *Reader) Read(text string) {
	text = normal(text)
	for i := 0; i < len(text); {
		if c := foldedASCII[text[i]]; c != 0 { // what texts have most comes first
			w.add(rune(c), i, i+1)
			i++
			continue
		}
		if text[i] == ' ' {
			w.end(text)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		start := i
		i += size
		if r < rune(len(latin)) && latin[r] != 0 {
			w.add(latin[r], start, i)
			continue
		}
		if w.digits > 0 && w.digits <= 3 && !w.ending && isGrouping(r) && beginsWithThree(text[i:]) && (w.letters <= 3 || w.digits == 3) {
			w.digits = 0
			continue
		}
		switch {
		case isApostrophe(r):
			w.ending = w.ending || w.letters > 1 || w.letters == 1 && unicode.IsNumber(w.first)
		case r < utf8.RuneSelf:
			w.end(text)
			if r == '\n' {
				w.Emit(Word{})
			}
		case r == utf8.RuneError && size == 1:
			w.end(text)
		default:
			for _, r := range letter(r) {
				switch {
				case !isInWord(r):
					w.end(text)
				case IsUnspaced(r):
					w.addUnspaced(r, text)
				default:
					w.add(r, start, i)
				}
			}
		}
	}
	w.end(text)
	w.Emit(Word{})
}

// foldedASCII has the letters and digits of ASCII in lower case, 0 for other bytes.
var foldedASCII = func() (table [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		if unicode.In(rune(c), unicode.L, unicode.N) {
			table[c] = byte(unicode.ToLower(rune(c)))
		}
	}
	return table
}()

// latin has the folded form of letters beyond ASCII that become one other letter.
var latin = func() (table [0x180]rune) {
	for r := rune(utf8.RuneSelf); r < rune(len(table)); r++ {
		if all := []rune(computed(r)); len(all) == 1 && isInWord(all[0]) {
			table[r] = all[0]
		}
	}
	return table
}()

func isApostrophe(r rune) bool {
	switch r {
	case '\'', '`', '´', '‘', '’', 'ʼ', '′', '＇':
		return true
	}
	return false
}

// isGrouping reports whether a character divides the thousands of a number somewhere.
func isGrouping(r rune) bool {
	switch r {
	case '.', ',', '\'', '’', '٬', '\u00a0', '\u2009', '\u202f':
		return true
	}
	return false
}

// beginsWithThree reports whether a text begins with exactly three digits.
func beginsWithThree(text string) bool {
	n := 0
	for _, r := range text {
		if n == 3 || !unicode.IsDigit(r) {
			return n == 3 && !unicode.IsDigit(r)
		}
		n++
	}
	return n == 3
}

// add adds a letter or a digit to the word.
func (w *Reader) add(r rune, from, to int) {
	if w.before > 0 {
		w.endRun()
	}
	if w.ending || w.letters == MaxLetters {
		return
	}
	if w.letters == 0 {
		w.first, w.size, w.from, w.digits = r, 0, from, 0
	}
	w.letters++
	w.to = to
	if w.digits >= 0 {
		if r >= '0' && r <= '9' {
			w.digits++
		} else {
			w.digits = -1
		}
	}
	if r < utf8.RuneSelf {
		w.word[w.size] = byte(r)
		w.size++
		return
	}
	w.size += utf8.EncodeRune(w.word[w.size:], r)
}

// addUnspaced adds a letter of a script without blanks.
func (w *Reader) addUnspaced(r rune, text string) {
	if w.before == 0 {
		w.end(text)
	}
	size := utf8.EncodeRune(w.run[w.before:], r)
	if w.before > 0 {
		w.Emit(Word{Text: w.run[:w.before+size], Unspaced: true})
		copy(w.run[:], w.run[w.before:w.before+size])
		w.more = true
	}
	w.before = size
}

func (w *Reader) endRun() {
	w.Emit(Word{Text: w.run[:w.before], Unspaced: true, Tail: w.more})
	w.before, w.more = 0, false
}

func (w *Reader) end(text string) {
	if w.before > 0 {
		w.endRun()
	}
	if w.letters > 0 {
		w.Emit(Word{Text: w.word[:w.size], Spelling: text[w.from:w.to]})
	}
	w.letters, w.digits, w.ending = 0, 0, false
}

// Words returns the folded words of a text, in their order.
func Words(text string) (all []string) {
	w := Reader{Emit: func(word Word) {
		if word.Text != nil {
			all = append(all, string(word.Text))
		}
	}}
	w.Read(text)
	return all
}

// Runs returns the folded runs of letters of scripts without blanks in a text, in their order.
func Runs(text string) (all []string) {
	var run []byte
	w := Reader{Emit: func(word Word) {
		switch first, size := utf8.DecodeRune(word.Text); {
		case word.Tail:
			all, run = append(all, string(run)), run[:0]
		case !word.Unspaced:
		case size == len(word.Text): // a run of one letter
			all = append(all, string(first))
		case len(run) == 0:
			run = append(run, word.Text...)
		default:
			run = append(run, word.Text[size:]...)
		}
	}}
	w.Read(text)
	return all
}
