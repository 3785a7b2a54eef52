package site

import (
	"regexp"
	"strings"

	"ayna/slug"
)

// IsItemAddress reports whether an address is valid for the item with an id, whatever the
// site's language. Invalid ones come from an edited archive or import file.
func IsItemAddress(address, id string) bool {
	stem, ok := strings.CutSuffix(address, htmlExtension)
	if !ok {
		return false
	}
	dir, name := cutLast(stem, '/')
	if name != stem && !isFolderDir(dir) || len(name) > maxName || !isPlain(name) {
		return false
	}
	part := idPart(id)
	if isItemName(name, part) || reservedName.MatchString(part) && isItemName(name, digest(id, 16)) {
		return true
	}
	// Names appends a digest to a name that was taken.
	taken, suffix := cutLast(name, '-')
	return taken != "" && isDigest(suffix) && (isItemName(taken, part) || isItemName(taken, digest(id, 16)))
}

// isItemName reports whether a file name is an id that is not reserved, or a slug and an id.
func isItemName(name, id string) bool {
	title, ok := strings.CutSuffix(name, id)
	if title == "" {
		return ok && !reservedName.MatchString(name)
	}
	title, hyphen := strings.CutSuffix(title, "-")
	return ok && hyphen && title != "" && len(title) <= slug.Max && title[0] != '-' && isPlain(title) && !strings.Contains(title, "--")
}

// cutLast cuts a name at its last separator; without one, before is empty.
func cutLast(name string, separator byte) (before, after string) {
	i := strings.LastIndexByte(name, separator)
	return name[:max(i, 0)], name[i+1:]
}

// isDigest reports whether a text may be a digest that [Names] added.
func isDigest(text string) bool {
	return len(text) >= 6 && len(text) <= longestDigest && strings.Trim(text, "0123456789abcdef") == ""
}

// maxName limits a name without its extension: a slug, an id of up to 32 characters, and the
// longest digest that [Names] adds.
const maxName = slug.Max + 1 + 32 + 1 + longestDigest

// IsDirectory reports whether this package can have made the address of a directory.
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

// isFolderDir reports whether [FolderDir] can have made a directory, whatever the site's
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

// isPlain reports whether a name consists of lower-case ASCII letters, digits and
// hyphens, with at most one hyphen at its start and none at its end. A regular
// expression would be too slow for a million items.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return name != "" && name[len(name)-1] != '-' && !strings.HasPrefix(name, "--")
}

// ReservesPage reports whether an address is reserved for the page of a month, a year or feeds.
// An item may have got it in another language.
func (w *Words) ReservesPage(address string) bool {
	dir, name := cutLast(address, '/')
	switch {
	case dir == w.SubscribeDir:
		return feedsFileName.MatchString(name)
	case strings.HasSuffix(dir, "/"+w.ArchiveDir) && (strings.HasPrefix(dir, w.WritersDir+"/") || strings.HasPrefix(dir, w.TagsDir+"/")):
		return yearFileName.MatchString(name) || monthFileName.MatchString(name)
	case dir == w.ArchiveDir, strings.HasSuffix(dir, "/"+w.ArchiveDir):
		return monthFileName.MatchString(name)
	}
	return false
}

var (
	feedsFileName = regexp.MustCompile(`^(?:[a-z]+-)?[0-9]+\.html$`)
	yearFileName  = regexp.MustCompile(`^[0-9]{4}(?:-p[0-9]+)?\.html$`)
	monthFileName = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}(?:-[0-9]+)?\.html$`)
)
