package archive_test

import (
	"testing"

	"ayna/archive"
)

// Case, marks and the dots of i make no difference, of whatever form the letters are.
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
}
