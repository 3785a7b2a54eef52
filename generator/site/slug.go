package site

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/gosimple/slug"
	"golang.org/x/text/unicode/norm"
)

// maxSlug bounds a slug in bytes: with an id, a suffix and an extension a file
// name stays under the 120 bytes that every file system takes.
const maxSlug = 72

// Slug turns text into a part of an address: lower-case ASCII letters, digits
// and single hyphens, Turkish letters transliterated (İstanbul'da ÇOK ısı →
// istanbulda-cok-isi). It is empty if nothing of the text is left.
func Slug(text, language string) string {
	if len(text) <= maxSlug && slugged.MatchString(text) { // which spares reading the table
		return text
	}
	// Precomposed letters first: the transliteration table does not know
	// combining marks.
	s := slug.MakeLang(norm.NFC.String(text), language)
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' }), "-")
	if len(s) > maxSlug {
		s = s[:maxSlug]
		if i := strings.LastIndexByte(s, '-'); i > maxSlug/2 {
			s = s[:i]
		}
	}
	return strings.TrimSuffix(s, "-")
}

// slugged matches what is a slug already.
var slugged = regexp.MustCompile(`^[0-9a-z]+(?:-[0-9a-z]+)*$`)

var plainID = regexp.MustCompile(`^[0-9a-z]{1,32}$`)

// idPart returns id as it may stand in a file name: itself if it is of digits
// and small letters, else a digest of it.
func idPart(id string) string {
	if plainID.MatchString(id) {
		return id
	}
	return digest(id, 16)
}

// digest returns the first n hexadecimal digits of the SHA-256 sum of s.
func digest(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:n]
}
