package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gosimple/slug"
	"golang.org/x/text/unicode/norm"
)

// maxSlug limits a slug in bytes. With an id, a suffix and an extension a file name
// is shorter than 120 bytes, which every file system supports.
const maxSlug = 72

// Slug converts text to lower-case ASCII letters, digits and single hyphens:
// "İstanbul'da ÇOK ısı" becomes "istanbulda-cok-isi". It may be empty.
func Slug(text, language string) string {
	if len(text) <= maxSlug && slugged.MatchString(text) { // usual, and faster
		return text
	}
	// The transliteration table lacks combining marks, so compose letters first.
	text = norm.NFC.String(text)
	base, _, _ := strings.Cut(language, "-")
	if base != "tr" && base != "en" { // whose addresses are published
		text = latinLetters(text, base)
	}
	s := slug.MakeLang(text, base)
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' }), "-")
	if len(s) > maxSlug {
		s = s[:maxSlug]
		if i := strings.LastIndexByte(s, '-'); i > maxSlug/2 {
			s = s[:i]
		}
	}
	return strings.TrimSuffix(s, "-")
}

var (
	slugged = regexp.MustCompile(`^[0-9a-z]+(?:-[0-9a-z]+)*$`)
	plainID = regexp.MustCompile(`^[0-9a-z]{1,32}$`)
)

// idPart returns the form of an id in a file name: the id if it consists of digits
// and lower-case letters, else a digest.
func idPart(id string) string {
	if plainID.MatchString(id) {
		return id
	}
	return digest(id, 16)
}

// longestDigest is the number of hexadecimal digits of a SHA-256 hash.
const longestDigest = 2 * sha256.Size

// digest returns the first n hexadecimal digits of the SHA-256 hash of s.
func digest(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:n]
}

// Nearest returns up to three names, those first that share most pairs of letters with
// one, or "none".
func Nearest(names []string, name, language string) string {
	name = Slug(name, language)
	shared := make(map[string]int)
	for _, other := range names {
		slug := Slug(other, language)
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
