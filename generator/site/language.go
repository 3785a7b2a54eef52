package site

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"ayna/slug"
)

// ParseLanguage reads a tag of BCP 47, such as "tr" or "zh-Hant-TW".
func ParseLanguage(text string) (language.Tag, error) {
	tag, err := language.Parse(text)
	if base, _ := tag.Base(); err != nil || tag == language.Und || base.String() == "und" {
		return tag, fmt.Errorf("%q is not a language tag of BCP 47, such as tr, de or pt-BR; nearest: %s", text, nearestLanguage(text))
	}
	return tag, nil
}

// nearestLanguage returns tags that are spelled, or whose languages are called, like a text.
func nearestLanguage(text string) string {
	names := make(map[string]string) // tag by name
	for row := range strings.Lines(locales) {
		if tag, _, _ := strings.Cut(row, "\t"); len(tag) <= len("zh-Hant") && tag[0] != '#' {
			names[tag] = tag
		}
	}
	for name, tag := range englishNames {
		names[name] = tag
	}
	near := strings.Split(slug.Nearest(slices.Collect(maps.Keys(names)), text, "en"), ", ")
	for i, name := range near {
		near[i] = names[name]
	}
	return cmp.Or(strings.Join(slices.Compact(near), ", "), "en")
}

// englishNames are the languages that have a file of words.
var englishNames = map[string]string{
	"arabic": "ar", "german": "de", "greek": "el", "english": "en", "spanish": "es", "persian": "fa", "french": "fr", "hebrew": "he", "italian": "it",
	"japanese": "ja", "korean": "ko", "dutch": "nl", "polish": "pl", "portuguese": "pt", "russian": "ru", "turkish": "tr", "ukrainian": "uk", "chinese": "zh",
}

// rightToLeft are the scripts in use that are written so.
var rightToLeft = []string{"Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg"}

// Direction returns the value of the attribute dir for a language: "ltr" or "rtl".
func Direction(tag string) string {
	script, _ := language.Make(tag).Script()
	if slices.Contains(rightToLeft, script.String()) {
		return "rtl"
	}
	return "ltr"
}

// RightToLeft reports whether the site's language is written so.
func (s *Settings) RightToLeft() bool { return Direction(s.Language) == "rtl" }
