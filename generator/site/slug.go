package site

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
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

// digest returns the first n hexadecimal digits of the SHA-256 hash of s.
func digest(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:n]
}
