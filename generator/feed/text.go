package feed

import (
	"html"
	"strings"

	"ayna/prose"
)

// wordJoiner is invisible and has no width.
const wordJoiner = "\u2060"

// inert returns a text for an element that some readers treat as text and others
// as HTML, such as a title. Both show the same: a word joiner follows each "<" and
// "&" that would begin a tag or a character reference in HTML.
func inert(text string) string {
	text = prose.StripInvalidXML(text)
	if !strings.ContainsAny(text, "<&") {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		if beginsTag(text[i:]) ||
			beginsReference(text[i:]) {
			b.WriteString(wordJoiner)
		}
	}
	return b.String()
}

// beginsTag reports whether HTML reads the beginning of a text as a tag or a
// comment (HTML Standard, 13.2.5.6, tag open state).
func beginsTag(text string) bool {
	if len(text) < 2 || text[0] != '<' {
		return false
	}
	c := text[1]
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '/' || c == '!' || c == '?'
}

// beginsReference reports whether HTML reads the beginning of a text as a
// character reference. Some names need no semicolon.
func beginsReference(text string) bool {
	const longest = 40 // bytes; no name of a reference is longer
	if len(text) < 2 || text[0] != '&' {
		return false
	}
	name := text[:min(len(text), longest)]
	if next := strings.IndexByte(name[1:], '&'); next >= 0 {
		name = name[:1+next]
	}
	return text[1] == '#' || html.UnescapeString(name) != name
}

// asHTML returns a text as HTML. It does not escape quotation marks, which
// readers that treat the result as text would show escaped.
func asHTML(text string) string { return htmlEscaper.Replace(text) }

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// IDPrefix returns the prefix of the ids of all feeds and entries: "tag:", the
// authority and the date (RFC 4151).
func (o *Options) IDPrefix() string { return "tag:" + o.Authority + "," + o.Date }

// tagURI returns the id of an entry or a feed. That of an entry must not depend on a title,
// an address or a folder, which may change. That of a feed holds its directory.
func (r *Renderer) tagURI(specific string) string { return r.options.IDPrefix() + ":" + specific }
