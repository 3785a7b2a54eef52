// Package slug makes parts of addresses from titles: a text and its language go in, lower-case
// ASCII letters, digits and hyphens come out. Begin with [Of].
package slug

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	gosimple "github.com/gosimple/slug"
	"golang.org/x/text/unicode/norm"
)

// Max limits a slug in bytes. With an id, a suffix and an extension a file name
// is shorter than 120 bytes, which every file system supports.
const Max = 72

// Of converts text to lower-case ASCII letters, digits and single hyphens:
// "İstanbul'da ÇOK ısı" becomes "istanbulda-cok-isi". It may be empty.
func Of(text, language string) string {
	if len(text) <= Max && Valid.MatchString(text) { // usual, and faster
		return text
	}
	// The transliteration table lacks combining marks, so compose letters first.
	text = norm.NFC.String(text)
	base, _, _ := strings.Cut(language, "-")
	if base != "tr" && base != "en" { // whose addresses are published
		text = latinLetters(text, base)
	}
	s := gosimple.MakeLang(text, base)
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' }), "-")
	if len(s) > Max {
		s = s[:Max]
		if i := strings.LastIndexByte(s, '-'); i > Max/2 {
			s = s[:i]
		}
	}
	return strings.TrimSuffix(s, "-")
}

// Valid matches slugs.
var Valid = regexp.MustCompile(`^[0-9a-z]+(?:-[0-9a-z]+)*$`)

// Nearest returns up to three names, those first that share most pairs of letters with
// one, or "none".
func Nearest(names []string, name, language string) string {
	name = Of(name, language)
	shared := make(map[string]int)
	for _, other := range names {
		slug := Of(other, language)
		shared[other] = 0
		for i := 2; i <= len(name); i++ {
			if strings.Contains(slug, name[i-2:i]) {
				shared[other]++
			}
		}
	}
	found := slices.SortedFunc(maps.Keys(shared), func(a, b string) int {
		return cmp.Or(shared[b]-shared[a], strings.Compare(a, b))
	})
	return cmp.Or(strings.Join(found[:min(3, len(found))], ", "), "none")
}
