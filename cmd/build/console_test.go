package main

import "testing"

// TestPrintableP10: what a source wrote moves no cursor, sets no title, writes
// nothing from right to left, and stays in its line.
func TestPrintableP10(t *testing.T) {
	for text, want := range map[string]string{
		"İstanbul'da\tkar\n":   "İstanbul'da\tkar\n",
		"\x1b[2Ja\x1b]0;b\x07": "�[2Ja�]0;b�",
		"\u009b31ma\rb\bc\x7f": "�31ma�b�c�",
		"a\u202eb\u2066\x00":   "a�b��",
		"\u200b\ufeff\u2028":   "���",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
