package feed

import (
	"html"
	"strings"

	"ayna/generator/prose"
)

// wordJoiner is invisible and has no width.
const wordJoiner = "\u2060"

// plain makes a text safe for an element that some readers take for text and
// others for HTML, such as a title. Both show the same: a word joiner follows
// each "<" and "&" that would begin a tag or a character reference in HTML.
func plain(text string) string {
	text = prose.XML(text)
	if !strings.ContainsAny(text, "<&") {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		if beginsTag(text[i:]) || beginsReference(text[i:]) {
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
	const longest = 40 // more than any name has
	if len(text) < 2 || text[0] != '&' {
		return false
	}
	name := text[:min(len(text), longest)]
	if next := strings.IndexByte(name[1:], '&'); next >= 0 {
		name = name[:1+next]
	}
	return text[1] == '#' || html.UnescapeString(name) != name
}

// asHTML returns a text as HTML. It leaves quotation marks as they are, which
// readers that take the result for text would show escaped.
func asHTML(text string) string { return htmlEscaper.Replace(text) }

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
