package analysis_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"ayna/archive/analysis"
)

// cases are texts and their folded words, divided by blanks. The search page in Chromium is
// asked for them, too.
func cases(t testing.TB) [][2]string {
	t.Helper()
	data, err := os.ReadFile("testdata/words.json")
	if err != nil {
		t.Fatal(err)
	}
	var all [][2]string
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWords(t *testing.T) {
	for _, c := range cases(t) {
		if got := strings.Join(analysis.Words(c[0]), " "); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

func TestRuns(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "deniz 2026": "", "東": "東", "東京": "東京", "東京都の選挙、2026年 ｶﾞｽ": "東京都の選挙 年 がす", "Tokyoは東\n京": "は東 京", "ภาษาไทย is ไทย": "ภาษาไทย ไทย",
	} {
		if got := strings.Join(analysis.Runs(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, c := range cases(f) {
		f.Add(c[0])
	}
	f.Add("\xff\xfeİ\xff'\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range analysis.Words(text) {
			if n := utf8.RuneCountInString(word); n < 1 || n > analysis.MaxLetters || !utf8.ValidString(word) {
				t.Errorf("%q has the word %q", text, word)
			}
			if strings.ContainsAny(word, " |=!*;:~#$'\"<>\\ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
				t.Errorf("%q has the word %q, which the index cannot write", text, word)
			}
			if again := analysis.Words(word); len(again) == 0 || again[0] != word {
				t.Errorf("%q has the word %q, whose words are %q", text, word, again)
			}
		}
	})
}
