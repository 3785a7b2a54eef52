package prose

import (
	"html"
	"net/url"
	"strings"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits of what is parsed. Together they bound the time and memory of a text
// without a clock, whose answer could differ from run to run.
const (
	maxText  = 1 << 20      // bytes
	maxDepth = 256          // elements inside each other
	maxNodes = 500_000      // elements and texts of a tree
	maxWords = 16 * maxText // bytes of a longer text in which its words are looked for
)

// cut is how the reason of a fallback ends where not all words are kept.
const cut = ", cut"

// Options says what a text belongs to.
type Options struct {
	// Title is the record's headline. A heading that repeats it at the
	// beginning of the text is left out.
	Title string
	// Base is the record's own address at the source, against which relative
	// ones are resolved. Without it they are dropped.
	Base string
	// TopHeading is the level of the text's highest heading where it is
	// shown, 1 to 6; 0 means 2. The levels below follow without a gap.
	TopHeading int
	// Table is the word by which assistive software announces a table that
	// has no caption.
	Table string
}

// Clean makes a text of the Read API safe and straight. It never fails: what
// cannot be taken as HTML becomes plain paragraphs, see [Body.Fallback].
func Clean(text string, opt Options) Body {
	if len(text) > maxWords {
		return plainBody(XML(clip(text, maxWords)), "too long"+cut)
	}
	text = XML(text)
	if len(text) > maxText {
		return plainBody(text, "too long")
	}
	source, ok := rewrite(text, parseBase(opt.Base))
	if !ok {
		return plainBody(text, "too many elements")
	}
	nodes, err := xhtml.ParseFragment(strings.NewReader(policy().Sanitize(source)),
		&xhtml.Node{Type: xhtml.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil { // more than 512 open elements
		return plainBody(text, "too deep")
	}
	root, reason := straighten(nodes, opt)
	if reason != "" {
		return plainBody(text, reason)
	}
	return Body{html: render(root)}
}

func parseBase(address string) *url.URL {
	safe, ok := SafeURL(address)
	if !ok {
		return nil
	}
	base, err := url.Parse(safe)
	if err != nil {
		return nil
	}
	return base
}

// plainBody keeps the words of a text that is not parsed, up to the limit.
func plainBody(text, reason string) Body {
	var b strings.Builder
	room := maxText
	for p := range paragraphs(text) {
		if len(p) > room {
			b.WriteString("<p>" + escape(settle(clip(p, room))) + "…</p>\n")
			return Body{html: b.String(), fallback: strings.TrimSuffix(reason, cut) + cut}
		}
		room -= len(p)
		b.WriteString("<p>" + escape(settle(p)) + "</p>\n")
	}
	if strings.HasSuffix(reason, cut) {
		b.WriteString("<p>…</p>\n")
	}
	return Body{html: b.String(), fallback: reason}
}

// clip returns the beginning of a text, cut before a letter.
func clip(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func escape(s string) string { return apostrophes(html.EscapeString(s)) }

// apostrophes writes them as they are, which is safe since every attribute is
// written in double quotes, and saves Turkish text from "Ankara&#39;da".
func apostrophes(s string) string { return strings.ReplaceAll(s, "&#39;", "'") }

// render writes a straightened tree, its links and pictures as references.
func render(root *xhtml.Node) string {
	var b strings.Builder
	for n := root.FirstChild; n != nil; n = n.NextSibling {
		refer(n)
	}
	for n := root.FirstChild; n != nil; n = n.NextSibling {
		if err := xhtml.Render(&b, n); err != nil {
			// A strings.Builder does not fail, and the tree has no element
			// that x/net/html refuses; an empty text is safe all the same.
			return ""
		}
		b.WriteByte('\n')
	}
	return apostrophes(b.String())
}

// refer replaces the links and pictures inside of n by their references.
func refer(n *xhtml.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		refer(c)
		switch {
		case c.Type != xhtml.ElementNode:
		case c.Data == "img":
			n.InsertBefore(textNode(refBegin+"I"+attribute(c.Attr, "src")+refSplit+attribute(c.Attr, "alt")+refEnd), c)
			n.RemoveChild(c)
		case c.Data == "a":
			n.InsertBefore(textNode(refBegin+"L"+attribute(c.Attr, "href")+refEnd), c)
			for c.FirstChild != nil {
				moved := c.FirstChild
				c.RemoveChild(moved)
				n.InsertBefore(moved, c)
			}
			n.InsertBefore(textNode(refBegin+"/"+refEnd), c)
			n.RemoveChild(c)
		}
		c = next
	}
}

func textNode(s string) *xhtml.Node { return &xhtml.Node{Type: xhtml.TextNode, Data: s} }
