// Package markup parses the HTML of a text into a tree ([Parse]), changes it, and returns it
// as HTML ([Render]) or plain text, for sources other than the Read API.
package markup

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// MaxText is the size in bytes of a piece of HTML that is parsed. A tree takes a multiple of it
// in memory.
const MaxText = 1 << 20

var errLong = errors.New("too long to be parsed")

// Parse returns an element that holds a piece of HTML. The error is about one that is longer
// than MaxText, or nested too deep.
func Parse(text string) (*html.Node, error) {
	if len(text) > MaxText {
		return nil, errLong
	}
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(text), body)
	for _, n := range nodes {
		body.AppendChild(n)
	}
	return body, err
}

// Render returns the HTML in an element.
func Render(body *html.Node) (string, error) {
	var b strings.Builder
	for n := range body.ChildNodes() {
		if err := html.Render(&b, n); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// blankLines are outside of preformatted text, which it finds too.
var blankLines = regexp.MustCompile(`(?s)<pre\b.*?</pre>|[ \t\r]*\n\s*`)

// TrimBlankLines removes blank lines from rendered HTML, and blanks at the ends of lines.
func TrimBlankLines(rendered string) string {
	return strings.TrimSpace(blankLines.ReplaceAllStringFunc(rendered, func(found string) string {
		if strings.HasPrefix(found, "<pre") {
			return found
		}
		return "\n"
	}))
}

// Plain returns the text of a piece of HTML, with single blanks; of one that is longer than
// MaxText, the text of its beginning.
func Plain(text string) string {
	if len(text) > MaxText {
		text = strings.ToValidUTF8(text[:MaxText], "")
	}
	if !strings.ContainsAny(text, "<&") {
		return strings.Join(strings.Fields(text), " ")
	}
	body, err := Parse(text)
	if err != nil {
		return text
	}
	return Text(body)
}

// Escape returns plain text as a field of a record has it: readers of records take markup
// out of it, so text that looks like markup is escaped.
func Escape(text string) string {
	if Plain(text) != text {
		return html.EscapeString(text)
	}
	return text
}

// Text returns the text in an element, with single blanks.
func Text(n *html.Node) string {
	var b strings.Builder
	writeText(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// writeText writes the text in an element, with blanks between blocks.
func writeText(b *strings.Builder, n *html.Node) {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
		isBlock := c.Type == html.ElementNode && !slices.Contains(inline, c.DataAtom)
		if isBlock {
			b.WriteByte(' ')
		}
		if writeText(b, c); isBlock {
			b.WriteByte(' ')
		}
	}
}

// inline elements stand within a word or a line.
var inline = []atom.Atom{
	0, atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Cite, atom.Code, atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd,
	atom.Mark, atom.Q, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.U, atom.Var, atom.Wbr,
}

// Attribute returns the value of an attribute, "" if the element lacks it.
func Attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

// SetAttribute sets an attribute. It adds no empty one.
func SetAttribute(n *html.Node, key, value string) {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key && a.Namespace == "" })
	if i >= 0 {
		n.Attr[i].Val = value
	} else if value != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
	}
}

// HasClass reports whether an element has a class.
func HasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(Attribute(n, "class")), class)
}

// Remove removes a node from its parent.
func Remove(n *html.Node) { n.Parent.RemoveChild(n) }

// Unwrap puts what an element holds in its place.
func Unwrap(n *html.Node) {
	for n.FirstChild != nil {
		c := n.FirstChild
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	Remove(n)
}

// Rename makes an element another one, without its attributes.
func Rename(n *html.Node, to atom.Atom) { n.Data, n.DataAtom, n.Attr = to.String(), to, nil }

// IsPresentation reports whether an attribute is about looks or scripts and not content.
func IsPresentation(a html.Attribute) bool {
	switch a.Key {
	case "class", "style", "for", "action", "srcset", "sizes", "loading", "decoding", "fetchpriority":
		return true
	}
	return strings.HasPrefix(a.Key, "data-") || strings.HasPrefix(a.Key, "aria-") || strings.HasPrefix(a.Key, "on")
}
