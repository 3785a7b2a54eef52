// Package prose turns the hostile HTML of the Read API into safe HTML, Markdown and
// plain text. No other package of the module makes a [html/template.HTML].
//
// [Clean] does the expensive part once per text. It returns a [Body]: a string for a
// cache, with placeholders for the addresses of links and pictures. [Body.HTML] and
// [Body.Markdown] ask a [Resolver] for the addresses at the place where the text is
// shown. [Plain] turns titles and captions into plain text. [RenderMarkdown] renders the
// site owner's own pages; never give it text of the source, because goldmark takes
// quadratic time on hostile input.
//
// Begin with Clean, in this file. A text passes four steps:
//
//  1. rewrite.go, the first gate, splits it into tags and texts (lexer.go) and writes it
//     again in elements of the allow-list (elements.go); players become cards (player.go),
//     and places to which links of the text lead are marked (anchor.go).
//  2. x/net/html parses it.
//  3. blocks.go, the second gate, builds a new tree of elements and attributes of the
//     allow-list alone, and brings lists, figures and tables into shape (shape.go).
//  4. [serialize] writes that tree, links and pictures as placeholders (body.go), for which
//     filler.go writes what a place has.
package prose

import (
	"strings"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits of what is parsed. They bound the time and memory that a text takes. A time
// limit would give other results from run to run.
const (
	maxText  = 1 << 20      // bytes
	maxDepth = 256          // elements inside each other
	maxNodes = 500_000      // elements and texts of a tree
	maxWords = 16 * maxText // bytes of a longer text that are read for its words
)

// cut ends the reason of a reduced text if not all of its words are kept.
const cut = ", cut"

// Options describe what a text belongs to.
type Options struct {
	// Title is the record's headline. Headings at the beginning of the text
	// that repeat it are left out.
	Title string
	// Base is the record's address at the source. Relative addresses are
	// resolved against it; without it they are dropped.
	Base string
	// Table is the label by which assistive software announces a table that
	// has no caption.
	Table string
}

// Clean makes a text of the Read API safe and well-formed. It never fails: a text
// beyond the limits becomes plain paragraphs, see [Body.Reduced].
func Clean(text string, opt Options) Body {
	if len(text) > maxWords {
		return plainBody(StripInvalidXML(clip(text, maxWords)), "too long"+cut)
	}
	text = StripInvalidXML(text)
	if len(text) > maxText {
		return plainBody(text, "too long")
	}
	source, ok := rewrite(text, parseBase(opt.Base))
	if !ok {
		return plainBody(text, "too many elements")
	}
	nodes, err := xhtml.ParseFragment(strings.NewReader(source), newElement("body"))
	if err != nil { // more than 512 open elements
		return plainBody(text, "too deep")
	}
	root, reason := normalizeBlocks(nodes, opt)
	if reason != "" {
		return plainBody(text, reason)
	}
	var b strings.Builder
	b.Grow(len(source))
	for n := range root.ChildNodes() {
		serialize(&b, n)
		b.WriteByte('\n')
	}
	return Body{html: b.String()}
}

// plainBody returns the words of a text as paragraphs, at most maxText bytes of them. A
// paragraph of a letter or two counts as eight bytes, since its marks take as much.
func plainBody(text, reason string) Body {
	var b strings.Builder
	room := maxText
	for p := range paragraphs(newLexer(text)) {
		if len(p) > room {
			b.WriteString("<p>" + escaper.Replace(balanceDirections(clip(p, room))) + "…</p>\n")
			return Body{html: b.String(), reduced: strings.TrimSuffix(reason, cut) + cut}
		}
		room = max(0, room-max(len(p), 8))
		b.WriteString("<p>" + escaper.Replace(balanceDirections(p)) + "</p>\n")
	}
	if strings.HasSuffix(reason, cut) {
		b.WriteString("<p>…</p>\n")
	}
	return Body{html: b.String(), reduced: reason}
}

// clip returns at most so many bytes of a text, and no part of a character.
func clip(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// escaper escapes text and the values of attributes in double quotes. It leaves
// apostrophes as they are, so that Turkish text is readable: "Ankara'da".
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")

// serialize writes a node of the new tree, links and pictures as references.
func serialize(b *strings.Builder, n *xhtml.Node) {
	e, known := elements[n.Data]
	switch {
	case n.Type == xhtml.TextNode:
		escaper.WriteString(b, n.Data)
	case n.Data == "span" && n.Type == xhtml.ElementNode: // see numberAnchors
		b.WriteString(refBegin + "A" + attribute(n.Attr, "id") + refEnd)
	case n.Type != xhtml.ElementNode || !known:
	case n.Data == "img":
		kind := "I"
		if attribute(n.Attr, "class") == small {
			kind = "S"
		}
		b.WriteString(refBegin + kind)
		escaper.WriteString(b, attribute(n.Attr, "src"))
		b.WriteString(refSplit)
		escaper.WriteString(b, attribute(n.Attr, "alt"))
		b.WriteString(refEnd)
	case n.Data == "a":
		href, kind := attribute(n.Attr, "href"), "L"
		if isFragment(href) {
			href, kind = href[1:], "H"
		}
		b.WriteString(refBegin + kind)
		escaper.WriteString(b, href)
		b.WriteString(refEnd)
		serializeChildren(b, n)
		b.WriteString(refBegin + "/" + refEnd)
	default:
		b.WriteString("<" + n.Data)
		for _, a := range n.Attr {
			b.WriteString(" " + a.Key + `="`)
			escaper.WriteString(b, a.Val)
			b.WriteByte('"')
		}
		if e.kind == void {
			b.WriteString("/>")
			return
		}
		b.WriteByte('>')
		if c := n.FirstChild; n.Data == "pre" && c != nil && strings.HasPrefix(c.Data, "\n") {
			b.WriteByte('\n') // a parser drops the first one
		}
		serializeChildren(b, n)
		b.WriteString("</" + n.Data + ">")
	}
}

func serializeChildren(b *strings.Builder, n *xhtml.Node) {
	for c := range n.ChildNodes() {
		serialize(b, c)
	}
}

func textNode(s string) *xhtml.Node { return &xhtml.Node{Type: xhtml.TextNode, Data: s} }

func newElement(tag string, attr ...xhtml.Attribute) *xhtml.Node {
	return &xhtml.Node{Type: xhtml.ElementNode, Data: tag, DataAtom: atom.Lookup([]byte(tag)), Attr: attr}
}
