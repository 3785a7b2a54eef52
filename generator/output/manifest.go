package output

import (
	"encoding/hex"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The names under which a tree keeps what was written to it. The visible
// manifest is for people and sha256sum -c; the hidden one also holds the keys,
// and stands only in a tree that is whole.
const (
	visibleManifest = "manifest.sha256"
	hiddenManifest  = ".ayna-manifest"
	// dirtyManifest is what the hidden manifest was called in a published tree
	// that an earlier version of ayna, which wrote in place, had begun to
	// change. It tells which files are ours; none is trusted.
	dirtyManifest = ".ayna-manifest.dirty"
	// ours begins every name in a published tree that is neither the site's nor
	// its owner's.
	ours = ".ayna-"
)

const manifestHeader = "ayna manifest 1"

// line is what a hidden manifest says of a file.
type line struct {
	path string
	entry
}

// appendHidden appends a line of the hidden manifest.
func appendHidden[P string | []byte](b []byte, path P, e *entry) []byte {
	b = hex.AppendEncode(b, e.key[:])
	b = append(b, ' ')
	b = hex.AppendEncode(b, e.sum[:])
	b = append(b, ' ')
	b = strconv.AppendInt(b, e.size, 10)
	b = append(b, ' ')
	b = append(b, path...)
	return append(b, '\n')
}

// appendVisible appends a line as sha256sum reads it.
func appendVisible[P string | []byte](b []byte, path P, e *entry) []byte {
	b = hex.AppendEncode(b, e.sum[:])
	b = append(b, "  "...)
	b = append(b, path...)
	return append(b, '\n')
}

// validPath reports whether a file may have that path: inside the tree, not one
// of the names that are ours or the owner's (dot files), and fit for a line of
// either manifest.
func validPath[P string | []byte](path P) bool {
	begins := true // a name begins here, and must be neither empty nor have a dot there
	for i := range len(path) {
		switch c := path[i]; {
		case c >= utf8.RuneSelf:
			return validUnicode(string(path))
		case c < ' ' || c == 0x7f || c == '\\' || begins && (c == '/' || c == '.'):
			return false
		default:
			begins = c == '/'
		}
	}
	return !begins
}

// validUnicode is validPath of any path.
func validUnicode(path string) bool {
	return fs.ValidPath(path) && !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.") &&
		!strings.ContainsFunc(path, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}

// isPage reports whether a file is a page that people read.
func isPage[P string | []byte](path P) bool {
	const suffix = ".html"
	return len(path) >= len(suffix) && string(path[len(path)-len(suffix):]) == suffix
}
