package site

import (
	"regexp"
	"slices"
	"strings"
)

// IsItemAddress reports whether [ItemAddress] and [Names] could have given an
// address to the item with an id, in any language. Addresses that come from
// elsewhere (an imported file, an archive that was edited) count only then.
func IsItemAddress(address, id string) bool {
	stem, ok := strings.CutSuffix(address, htmlExtension)
	if !ok {
		return false
	}
	dir, name := "", stem
	if slash := strings.LastIndexByte(stem, '/'); slash >= 0 {
		if dir, name = stem[:slash], stem[slash+1:]; !isFolderDir(dir) {
			return false
		}
	}
	if len(name) > maxName || !isPlain(name) {
		return false
	}
	part := idPart(id)
	if isItemName(name, part) || fileName.MatchString(part) && isItemName(name, digest(id, 16)) {
		return true
	}
	// Names appends a digest to a name that was taken.
	taken, suffix, ok := cutLast(name)
	return ok && isDigest(suffix) && (isItemName(taken, part) || isItemName(taken, digest(id, 16)))
}

// isItemName reports whether a file name is an id, or a slug and an id.
func isItemName(name, id string) bool {
	slug, ok := strings.CutSuffix(name, id)
	if slug == "" {
		return ok && !fileName.MatchString(name)
	}
	slug, hyphen := strings.CutSuffix(slug, "-")
	return ok && hyphen && slug != "" && len(slug) <= maxSlug && slug[0] != '-' && isPlain(slug) && !strings.Contains(slug, "--")
}

// cutLast splits a name at its last hyphen.
func cutLast(name string) (before, after string, ok bool) {
	if i := strings.LastIndexByte(name, '-'); i >= 0 {
		return name[:i], name[i+1:], true
	}
	return name, "", false
}

// isDigest reports whether a text is as [digest] makes them for [Names].
func isDigest(text string) bool {
	return len(text) >= 6 && len(text) <= 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// maxName bounds a name without its extension: a slug, an id, and the longest
// digest that [Names] appends.
const maxName = maxSlug + 1 + 32 + 1 + 64

// IsDirectory reports whether a directory is made of names that the functions of
// this package give.
func IsDirectory(dir string) bool {
	if strings.Count(dir, "/") >= maxSegments {
		return false
	}
	for name := range strings.SplitSeq(dir, "/") {
		if len(name) > maxName || !isPlain(name) {
			return false
		}
	}
	return true
}

// isFolderDir reports whether [FolderDir] could have given a directory, in any
// language.
func isFolderDir(dir string) bool {
	if !IsDirectory(dir) {
		return false
	}
	for name := range strings.SplitSeq(dir, "/") {
		if name == "page" || len(name) <= 4 && deviceName.MatchString(name) {
			return false
		}
	}
	top, _, _ := strings.Cut(dir, "/")
	return top != MediaDir && top != AssetsDir
}

// isPlain reports whether a name is of lower-case ASCII letters, digits and
// hyphens, and does not end in a hyphen. It is [plainSegment], which takes too
// long for a million items.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return name != "" && name[len(name)-1] != '-' && !strings.HasPrefix(name, "--")
}

// Needs reports whether the site has another page at the address of an item that
// was published in another language: that of a month, or of a list of feeds.
func (w *Words) Needs(address string) bool {
	dir, name := "", address
	if slash := strings.LastIndexByte(address, '/'); slash >= 0 {
		dir, name = address[:slash], address[slash+1:]
	}
	switch {
	case dir == w.SubscribeDir:
		return sheetName.MatchString(name)
	case dir == w.ArchiveDir, strings.HasSuffix(dir, "/"+w.ArchiveDir):
		return volumeFileName.MatchString(name)
	}
	return false
}

var (
	sheetName      = regexp.MustCompile(`^(?:[a-z]+-)?[0-9]+\.html$`)
	volumeFileName = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}(?:-[0-9]+)?\.html$`)
)

// GivenTo reports whether records of a kind get the address of a page: only
// items do.
func GivenTo(kind Kind) bool { return slices.Contains(Kinds, kind) }
