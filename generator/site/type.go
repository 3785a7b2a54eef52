package site

import (
	"path"
	"strings"
)

// contentTypes has the types of the files of a site, the same on every machine.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".md": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".json": "application/json",
	".xml": "application/xml; charset=utf-8", ".xsl": "application/xslt+xml; charset=utf-8",
	".svg": "image/svg+xml", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".jfif": "image/jpeg", ".png": "image/png",
	".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".ico": "image/x-icon",
	".mp4": "video/mp4", ".webm": "video/webm", ".mp3": "audio/mpeg", ".woff2": "font/woff2", ".pdf": "application/pdf",
	".sha256": "text/plain; charset=utf-8", ".webmanifest": "application/manifest+json",
	".gz": "application/gzip", ".zst": "application/zstd", ".zip": "application/zip",
}

const (
	rssType  = "application/rss+xml; charset=utf-8"
	atomType = "application/atom+xml; charset=utf-8"
	jsonType = "application/feed+json; charset=utf-8"
)

// feedTypes has the types of files whose extension is ambiguous.
var feedTypes = map[string]string{
	"feed.xml": rssType, "feed-own.xml": rssType,
	"atom.xml": atomType, "atom-own.xml": atomType,
	"feed.json": jsonType, "feed-own.json": jsonType,
	"opml.xml": "text/x-opml; charset=utf-8",
}

// ContentType returns the type of a file by its name. Browsers do not show files of an
// unknown type as a page.
func ContentType(name string) string {
	base := path.Base(name)
	if t, ok := feedTypes[base]; ok {
		return t
	}
	if strings.HasSuffix(base, ".atom.xml") { // of a month's archive
		return atomType
	}
	if t, ok := contentTypes[path.Ext(base)]; ok {
		return t
	}
	return "application/octet-stream"
}
