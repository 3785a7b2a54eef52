package site

import (
	"path"

	"ayna/attachment"
)

// contentTypes has the types of the files of a site, the same on every machine.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".md": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".json": "application/json",
	".xml": "text/xml; charset=utf-8", ".xsl": "application/xslt+xml; charset=utf-8",
	".svg": "image/svg+xml", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".jfif": "image/jpeg", ".png": "image/png",
	".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".ico": "image/x-icon",
	".woff2":  "font/woff2",
	".sha256": "text/plain; charset=utf-8", ".webmanifest": "application/manifest+json",
	".gz": "application/gzip", ".zst": "application/zstd",
}

const jsonType = "application/feed+json; charset=utf-8"

// ambiguousTypes has the types of files whose extension is ambiguous. RSS and Atom are not
// among them: readers look at the root element, and Chrome shows text/xml alone with its
// style sheet, but application/rss+xml as source code.
var ambiguousTypes = map[string]string{
	"feed.json": jsonType, "feed-own.json": jsonType,
	"opml.xml": "text/x-opml; charset=utf-8",
}

func init() {
	for extension, contentType := range attachment.Types() {
		if _, known := contentTypes[extension]; !known {
			contentTypes[extension] = contentType
		}
	}
}

// ContentType returns the type of a file by its name. Browsers do not show files of an
// unknown type as a page.
func ContentType(name string) string {
	base := path.Base(name)
	if t, ok := ambiguousTypes[base]; ok {
		return t
	}
	if t, ok := contentTypes[path.Ext(base)]; ok {
		return t
	}
	return "application/octet-stream"
}
