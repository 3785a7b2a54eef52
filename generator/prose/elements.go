package prose

import (
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
)

// A kind says what an element of the allow-list may hold.
type kind int

const (
	inline  kind = iota + 1 // part of a paragraph
	void                    // nothing
	words                   // inline elements only, such as a heading
	flow                    // paragraphs and other blocks
	cell                    // as flow, but a single paragraph needs no <p>
	list                    // items
	grid                    // the parts of a table
	literal                 // words, with their blanks
	passing                 // known in the source, a border of paragraphs, not written
)

type element struct {
	kind       kind
	attributes map[string]func(value string) bool
}

// elements is the allow-list: what may stand in a cleaned text. <a href> and
// <img src alt> are not attributes here, since addresses become references.
var elements = map[string]element{
	"strong": {kind: inline}, "b": {kind: inline}, "em": {kind: inline}, "i": {kind: inline},
	"u": {kind: inline}, "s": {kind: inline}, "del": {kind: inline}, "ins": {kind: inline},
	"mark": {kind: inline}, "small": {kind: inline}, "sub": {kind: inline}, "sup": {kind: inline},
	"cite": {kind: inline}, "q": {kind: inline}, "code": {kind: inline}, "a": {kind: inline},
	"abbr": {inline, map[string]func(string) bool{"title": isText}},
	"time": {inline, map[string]func(string) bool{"datetime": isText}},
	"br":   {kind: void}, "hr": {kind: void}, "img": {kind: void},
	"h1": {kind: words}, "h2": {kind: words}, "h3": {kind: words},
	"h4": {kind: words}, "h5": {kind: words}, "h6": {kind: words},
	"dt": {kind: words}, "summary": {kind: words}, "caption": {kind: words}, "figcaption": {kind: words},
	"blockquote": {kind: flow}, "details": {kind: flow},
	"li": {kind: cell}, "dd": {kind: cell},
	"figure": {cell, map[string]func(string) bool{"class": isPlayer}},
	"td":     {cell, cellAttributes}, "th": {cell, cellAttributes},
	"ul": {kind: list}, "ol": {list, map[string]func(string) bool{"start": isNumber}}, "dl": {kind: list},
	"table": {kind: grid}, "thead": {kind: grid}, "tbody": {kind: grid}, "tfoot": {kind: grid}, "tr": {kind: grid},
	"pre": {kind: literal},
	"p":   {kind: passing}, "div": {kind: passing},
}

var cellAttributes = map[string]func(string) bool{"colspan": isSpan, "rowspan": isSpan, "scope": isScope}

func isText(s string) bool   { return s != "" && len(s) <= 500 }
func isPlayer(s string) bool { return s == "player" }
func isScope(s string) bool {
	return s == "col" || s == "row" || s == "colgroup" || s == "rowgroup"
}

func isNumber(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && 0 <= n && n < 1e6
}

func isSpan(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && 1 < n && n < 100
}

// renamed says which element of the list is meant by one that is not on it.
var renamed = map[string]string{
	"address": "div", "article": "div", "aside": "div", "body": "div", "center": "div", "fieldset": "div",
	"footer": "div", "form": "div", "header": "div", "hgroup": "div", "html": "div", "legend": "div",
	"main": "div", "nav": "div", "search": "div", "section": "div",
	"menu": "ul", "dir": "ul", "listing": "pre", "xmp": "pre", "plaintext": "pre",
	"strike": "s", "acronym": "abbr", "dfn": "em", "var": "em", "kbd": "code", "samp": "code", "tt": "code",
}

// dropped are the elements whose content is no text of the article.
var dropped = map[string]bool{
	"script": true, "style": true, "noscript": true, "noembed": true, "noframes": true, "template": true,
	"svg": true, "math": true, "select": true, "title": true, "head": true, "canvas": true,
}

// formatting are the inline elements that a parser opens again in the next
// paragraph when they were left open, up to three of a name.
var formatting = map[string]bool{
	"a": true, "b": true, "code": true, "em": true, "i": true, "s": true, "small": true, "strong": true, "u": true,
}

// isBlock reports whether an element divides the words before it from those
// after it.
func isBlock(tag string) bool {
	if to, ok := renamed[tag]; ok {
		tag = to
	}
	e, ok := elements[tag]
	return ok && e.kind != inline && tag != "img"
}

// asciiLower lower-cases the names of HTML, which are ASCII: no language's
// rules take part.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func attribute(list []xhtml.Attribute, name string) string {
	for _, a := range list {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
