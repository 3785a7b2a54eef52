package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGuessLanguage guesses the language of each file of words by its sentences.
func TestGuessLanguage(t *testing.T) {
	files, err := filepath.Glob("../generator/site/words/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	quoted := regexp.MustCompile(`"([^"\n]{12,})"`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			titles = append(titles, m[1])
		}
		want := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if got := guessLanguage(titles); got != want {
			t.Errorf("%s: %q", want, got)
		}
	}
	for name, titles := range map[string][]string{
		"no titles": nil, "no letters": {"2026", "3–2"}, "few words": {"NATO"}, "two languages": {"the cat and the dog of the year", "der Hund und die Katze für das Jahr"},
	} {
		if got := guessLanguage(titles); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestUsualTag(t *testing.T) {
	for text, want := range map[string]string{"tr-TR": "tr", "de_DE": "de", "de-AT": "de-AT", "en-US": "en-US", "en": "en", "pt-BR": "pt", "pt-PT": "pt-PT", "zh-CN": "zh", "zh-TW": "zh-TW", "sr-Latn-RS": "sr-Latn-RS", "": "", "x": "", "xx-klingon": ""} {
		if got := usualTag(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
