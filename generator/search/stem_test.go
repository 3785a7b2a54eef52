package search_test

import (
	"strings"
	"testing"

	"ayna/archive/analysis"
	"ayna/generator/search"
)

// TestPairs: forms of a word have one stem, and other words another, but for those that are known
// to be wrong.
func TestPairs(t *testing.T) {
	for _, line := range linesOf(t, "pairs.txt") {
		parts := strings.Fields(line)
		language, same := parts[0], parts[1] == "="
		if len(parts) == 5 {
			same = !same
			parts = parts[:4]
		}
		var stems []string
		for _, word := range parts[2:] {
			reader := analysis.Reader{Emit: func(w analysis.Word) {
				if w.Text != nil && !w.Tail {
					stem := string(w.Text)
					if !w.Unspaced {
						stem = search.Stem(language, stem, w.Spelling)
					}
					stems = append(stems, stem)
				}
			}}
			reader.Read(word)
		}
		if len(stems) != 2 || (stems[0] == stems[1]) != same {
			t.Errorf("%s: %q", line, stems)
		}
	}
}

// FuzzStem: no word of whatever letters makes a stemmer fail, and all stems are words
// that the index can write.
func FuzzStem(f *testing.F) {
	for _, word := range []string{"evlerinde", "Häuser", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "الكتاب", "é", "ი", "\u0301a", "İİİ"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, language := range []string{"tr", "en", "de", "fr", "ar", "ru", "fi", "hu", "ta", "ro", "ga", "xx-klingon", ""} {
			reader := analysis.Reader{Emit: func(w analysis.Word) {
				if w.Text == nil || w.Unspaced {
					return
				}
				stem := search.Stem(language, string(w.Text), w.Spelling)
				if stem == "" || strings.ContainsAny(stem, " |=!*;:~#$ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
					t.Errorf("%s: %q has the stem %q", language, w.Text, stem)
				}
			}}
			reader.Read(text)
		}
	})
}
