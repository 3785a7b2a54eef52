package archive_test

import (
	"testing"
	"unicode/utf8"

	"ayna/archive"
)

// A letter folds the same alone and in a text with any other sign: what is
// looked up in a table, and what is not.
func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"IĞDIR ığdır İĞDİR": "igdir igdir igdir",
		"Çeşme’de “kâğıt”…": "cesme’de “kagit”…",
		"Ångström — Å 3":    "angstrom — a 3",
		"e\u0301i\u0307":    "ei",
		"ẞ Ω ﬁ Ⅷ":           "ß ω ﬁ ⅷ",
		"a\xffb":            "a\uFFFDb",
	} {
		if got := archive.Fold(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	const slow = "\u3042" // which is in no table
	for r := range rune(0x3000) {
		if !utf8.ValidRune(r) {
			continue
		}
		if alone, beside := archive.Fold("x"+string(r)+"y"), archive.Fold("x"+string(r)+"y"+slow); alone+slow != beside {
			t.Errorf("%U: %q alone, %q beside another sign", r, alone, beside)
		}
	}
}
