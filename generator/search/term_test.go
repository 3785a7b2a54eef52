package search_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"ayna/generator/search"
)

// termCases are texts and their folded words, divided by blanks. The browser is asked
// for their stems.
func termCases(t testing.TB) [][2]string {
	t.Helper()
	data, err := os.ReadFile("testdata/terms.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][2]string
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestTerms(t *testing.T) {
	for _, c := range termCases(t) {
		if got := strings.Join(search.Words(c[0]), " "); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, c := range termCases(f) {
		f.Add(c[0])
	}
	f.Add("\xff\xfeİ\xff'\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, term := range search.Words(text) {
			if n := utf8.RuneCountInString(term); n < 1 || n > 24 || !utf8.ValidString(term) {
				t.Errorf("%q has the term %q", text, term)
			}
			if strings.ContainsAny(term, " |=!*'\"<>\\") {
				t.Errorf("%q has the term %q, which the index cannot write", text, term)
			}
			if again := search.Words(term); len(again) != 1 || again[0] != term {
				t.Errorf("%q has the term %q, whose words are %q", text, term, again)
			}
		}
	})
}
