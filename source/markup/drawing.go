package markup

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/note"
)

// replaceDrawing puts the words of a drawing in its place. Its title names the link around it.
// A drawing with words, or one that is named and in no link, is no ornament: it is noted.
func (t *text) replaceDrawing(svg *html.Node) {
	span := element(atom.Span)
	title := Attribute(svg, "aria-label")
	for n := range svg.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "title" && n.Namespace == "svg":
			title = cmp.Or(title, Text(n))
		}
	}
	writeDrawing(span, svg, false)
	isPicture := hasWords(Text(span)) || Attribute(svg, "role") == "img" && title != "" && Attribute(svg, "aria-hidden") != "true"
	for outer := range svg.Ancestors() {
		if outer.DataAtom == atom.A {
			SetAttribute(outer, "title", cmp.Or(Attribute(outer, "title"), title))
		}
		isPicture = isPicture && outer.DataAtom != atom.A && outer.DataAtom != atom.Button
	}
	t.notes[note.Drawings] = t.notes[note.Drawings] || isPicture
	if span.FirstChild != nil {
		svg.Parent.InsertBefore(span, svg)
	}
	Remove(svg)
}

// writeDrawing appends the words of a drawing to an element.
func writeDrawing(to, n *html.Node, inText bool) {
	isText := n.Type == html.ElementNode && (n.Data == "text" || n.Data == "foreignObject")
	inText = inText || isText
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode && inText && !isHidden(n) {
			to.AppendChild(textNode(c.Data))
		} else {
			writeDrawing(to, c, inText)
		}
	}
	if isText && to.LastChild != nil {
		to.AppendChild(textNode(" "))
	}
}

// raised are the elements of a formula's parts after the first.
var raised = map[string][]atom.Atom{
	"msup": {atom.Sup}, "msub": {atom.Sub}, "msubsup": {atom.Sub, atom.Sup},
	"mover": {atom.Sup}, "munder": {atom.Sub}, "munderover": {atom.Sub, atom.Sup},
}

// replaceFormula puts a formula in words in its place. What repeats it for the eye goes.
func replaceFormula(math *html.Node) {
	span := element(atom.Span)
	writeFormula(span, math, 0)
	if !strings.ContainsFunc(Text(span), func(r rune) bool { return r > ' ' }) {
		span.AppendChild(textNode(Attribute(math, "alttext")))
	}
	if outer := math.Parent; outer.Parent != nil {
		if again := outer.NextSibling; again != nil && Attribute(again, "aria-hidden") == "true" {
			Remove(again)
		}
	}
	math.Parent.InsertBefore(span, math)
	Remove(math)
}

// writeFormula appends the parts of a formula to an element, powers and indexes as such.
func writeFormula(to, n *html.Node, depth int) {
	if n.Type == html.TextNode {
		to.AppendChild(textNode(n.Data))
		return
	}
	if depth > 100 || strings.HasPrefix(n.Data, "annotation") {
		return
	}
	var parts []*html.Node
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode || c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			parts = append(parts, c)
		}
	}
	raised := raised[n.Data]
	switch n.Data {
	case "msqrt", "mroot":
		to.AppendChild(textNode("√"))
	case "mfrac":
		if len(parts) == 2 {
			parts = slices.Insert(parts, 1, textNode("/"))
		}
	}
	for i, part := range parts {
		inner := to
		if 0 < i && i <= len(raised) {
			inner = element(raised[i-1])
			to.AppendChild(inner)
		}
		isGroup := (n.Data == "mfrac" || n.Data == "msqrt") && part.FirstChild != nil && part.FirstChild.NextSibling != nil
		if isGroup {
			inner.AppendChild(textNode("("))
		}
		writeFormula(inner, part, depth+1)
		if isGroup {
			inner.AppendChild(textNode(")"))
		}
	}
	if n.Data == "mtd" || n.Data == "mtr" {
		to.AppendChild(textNode(" "))
	}
}
