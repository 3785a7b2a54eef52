package site

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
)

var plainID = regexp.MustCompile(`^[0-9a-z]{1,32}$`)

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
