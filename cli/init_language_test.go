package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
		if slices.Contains([]string{"ja", "ko", "zh", "zh-Hant"}, want) { // their files have names of formats and commands
			titles = []string{regexp.MustCompile(`[A-Za-z]`).ReplaceAllString(strings.Join(titles, " "), "")}
		}
		for _, named := range []string{"en-US", "tr", "pt-BR"} {
			other := want
			if want[:2] == named[:2] {
				other = ""
			}
			if got := contradiction(titles, named); got != other {
				t.Errorf("%s, where the site says %s: %q", want, named, got)
			}
		}
		if got := contradiction(titles, "sv"); got != "" { // which is not known
			t.Errorf("%s, where the site says sv: %q", want, got)
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

// Related languages, few titles and mixed ones do not contradict a site.
func TestContradiction(t *testing.T) {
	for name, title := range map[string]string{
		"Azerbaijani":  "Sahildə bir gəmi yandı, şəhərdə ağır qış başladı və balıqçılar ilə tələbələr kömək etdi",
		"Romanian":     "Un şofer şi o fată aşteaptă la marginea oraşului, iar în port pescarii nu mai ies pe mare",
		"Danish":       "Der er for mange biler i byen, siger borgmester der vil have folk til at cykle",
		"Afrikaans":    "Die man het van die see gekom en voor die huis gestaan, een van ons het hom nie gesien nie",
		"Catalan":      "Els pescadors del port han tornat amb les barques plenes per les festes del poble",
		"Bulgarian":    "Рибарите от града се върнаха на брега и разказаха как е минала нощта във водата на залива",
		"Urdu":         "ماہی گیر صبح سمندر سے واپس آئے اور گھر چلے گئے پھر لوگ بازار کی طرف گئے",
		"English":      "The fishermen of the town came back to the harbour with a full boat and a story for the children",
		"a few titles": "",
	} {
		titles := slices.Repeat([]string{title}, 20)
		if title == "" {
			titles = []string{"Kıyıda bir gemi yandı", "Şehir ve deniz için ağır kış", "Balıkçılar ile öğrenciler"}
		}
		if got := contradiction(titles, "en-US"); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	half := slices.Repeat([]string{"Kıyıda bir gemi yandı, şehir ve balıkçılar için ağır bir kış ile", "The boat of the town came to the harbour with fish for all and a story"}, 20)
	if got := contradiction(half, "en-US"); got != "" {
		t.Errorf("in two languages: %q", got)
	}
}

func TestUsualTag(t *testing.T) {
	for text, want := range map[string]string{"tr-TR": "tr", "de_DE": "de", "de-AT": "de-AT", "en-US": "en-US", "en": "en", "pt-BR": "pt", "pt-PT": "pt-PT", "zh-CN": "zh", "zh-TW": "zh-TW", "sr-Latn-RS": "sr-Latn-RS", "": "", "x": "", "xx-klingon": ""} {
		if got := usualTag(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
