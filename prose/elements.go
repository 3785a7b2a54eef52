package prose

import (
	"maps"
	"strconv"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	xhtml "golang.org/x/net/html"
)

// A kind is what an element of the allow-list may hold.
type kind int

const (
	inline  kind = iota + 1 // part of a paragraph
	void                    // nothing
	words                   // inline elements only, such as a heading
	flow                    // paragraphs and other blocks
	cell                    // like flow, but a single paragraph needs no <p>
	list                    // items
	grid                    // the parts of a table
	literal                 // text with its white space
	passing                 // not written, but paragraphs end at its tags
)

type element struct {
	kind       kind
	attributes map[string]func(value string) bool
}

// elements is the allow-list of cleaned texts. It lacks the attributes of <a> and
// <img>, since links and pictures become references.
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
func isPlayer(s string) bool { return beginsCard(`<figure class="` + s + `">`) }
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

// renamed maps elements that are not on the list to those that replace them.
var renamed = map[string]string{
	"address": "div", "article": "div", "aside": "div", "body": "div", "center": "div", "fieldset": "div",
	"footer": "div", "form": "div", "header": "div", "hgroup": "div", "html": "div", "legend": "div",
	"main": "div", "nav": "div", "search": "div", "section": "div",
	"menu": "ul", "dir": "ul", "listing": "pre", "xmp": "pre", "plaintext": "pre",
	"strike": "s", "acronym": "abbr", "dfn": "em", "var": "em", "kbd": "code", "samp": "code", "tt": "code",
}

// rename returns the element that is written for one of the source.
func rename(tag string) string {
	if to, ok := renamed[tag]; ok {
		return to
	}
	return tag
}

// dropped are the elements that go with all their content.
var dropped = map[string]bool{
	"script": true, "style": true,
	"noscript": true, "noembed": true, "noframes": true, "template": true,
	"svg": true, "math": true, "select": true, "title": true, "head": true, "canvas": true,
}

// names are the names of all elements of HTML, and of those of SVG and MathML that
// the parser knows.
var names = func() map[string]bool {
	all := make(map[string]bool)
	for name := range elements {
		all[name] = true
	}
	for name := range renamed {
		all[name] = true
	}
	maps.Copy(all, dropped)
	maps.Copy(all, players)
	for name := range strings.FieldsSeq(`
		annotation annotation-xml applet area base basefont bdi bdo bgsound big blink button col colgroup command
		data datalist desc dialog font foreignobject frame frameset image input isindex keygen label link malignmark map
		marquee menuitem meta meter mglyph mi mn mo ms mtext nobr optgroup option output param picture portal progress
		rb rp rt rtc ruby slot source spacer span textarea track wbr`) {
		all[name] = true
	}
	return all
}()

// formatting are the inline elements that the parser opens again in the next
// paragraph if they were left open, up to three of a name.
var formatting = map[string]bool{
	"a": true, "b": true, "code": true, "em": true, "i": true, "s": true, "small": true, "strong": true, "u": true,
}

// pagePolicy is the allow-list for the owner's own pages, as goldmark renders them.
// They may also have relative addresses, mail addresses, anchors and task lists.
var pagePolicy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.RequireParseableURLs(true)
	for tag, e := range elements {
		p.AllowElements(tag)
		for name := range e.attributes {
			p.AllowAttrs(name).OnElements(tag)
		}
	}
	p.AllowAttrs("href", "title").OnElements("a")
	p.AllowAttrs("src", "alt", "title").OnElements("img")
	p.AllowAttrs("id").OnElements("h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("class").Matching(bluemonday.SpaceSeparatedTokens).OnElements("code")
	p.AllowAttrs("align").Matching(bluemonday.CellAlign).OnElements("td", "th")
	p.AllowAttrs("type", "checked", "disabled").OnElements("input")
	return p
})

// isBlock reports whether an element separates the words before it from those
// after it.
func isBlock(tag string) bool {
	tag = rename(tag)
	e, ok := elements[tag]
	return ok && e.kind != inline && tag != "img"
}

// asciiLower lower-cases the names of HTML, which are ASCII. strings.ToLower would
// also turn the Kelvin sign into a "k".
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
