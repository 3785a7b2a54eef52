package prose

import (
	"html/template"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
)

// XHTML returns the text as well-formed XML for an e-book, in elements where EPUB 3 allows
// them. Readers of books fold nothing and check the words of dates, so it has no details
// and no time.
func (b Body) XHTML(r Resolver) template.HTML {
	nodes, err := xhtml.ParseFragment(strings.NewReader(string(b.HTML(r))), newElement("body"))
	if err != nil { // too deep, which a cleaned text is not
		return template.HTML("<p>" + escaper.Replace(StripInvalidXML(b.Text())) + "</p>")
	}
	var out strings.Builder
	for _, n := range nodes {
		writeXML(&out, n)
	}
	return template.HTML(out.String())
}

// inBooks maps elements to those that replace them in books; "" keeps the content alone.
var inBooks = map[string]string{
	"details": "div", "summary": "p", "dl": "div", "dt": "p", "dd": "div", "tfoot": "tbody", "time": "", "span": "span",
}

// bookAttributes are the attributes that remain in books.
var bookAttributes = map[string][]string{
	"a": {"href"}, "img": {"src", "alt"}, "abbr": {"title"}, "ol": {"start"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan", "scope"},
	"figure": {"class"}, "div": {"class"}, "span": {"class", "id"},
}

func writeXML(b *strings.Builder, n *xhtml.Node) {
	if n.Type == xhtml.TextNode {
		escaper.WriteString(b, StripInvalidXML(n.Data))
		return
	}
	tag := bookElement(n)
	if tag == "table" {
		writeLaterCaptions(b, n)
	}
	if tag != "" {
		b.WriteString("<" + tag)
		for _, key := range bookAttributes[tag] {
			value := StripInvalidXML(attribute(n.Attr, key))
			if key == "href" {
				value = StrictURL(value)
			}
			if value != "" || key == "alt" {
				b.WriteString(" " + key + `="`)
				escaper.WriteString(b, value)
				b.WriteByte('"')
			}
		}
		if elements[tag].kind == void {
			b.WriteString("/>")
			return
		}
		b.WriteByte('>')
	}
	for c := range n.ChildNodes() {
		writeXML(b, c)
	}
	if tag != "" {
		b.WriteString("</" + tag + ">")
	}
}

// writeLaterCaptions writes all captions of a table but the first, which stays in it, as
// paragraphs.
func writeLaterCaptions(b *strings.Builder, table *xhtml.Node) {
	for _, c := range slices.Collect(table.ChildNodes()) {
		if c.Data == "caption" && c != table.FirstChild {
			table.RemoveChild(c)
			c.Data = "p"
			writeXML(b, c)
		}
	}
}

// bookElement returns the element that is written for one of a cleaned text; "" for its
// content alone. A figure has one caption, at its end; a table has one head, at
// its beginning.
func bookElement(n *xhtml.Node) string {
	if to, ok := inBooks[n.Data]; ok {
		return to
	}
	switch {
	case elements[n.Data].kind == 0 || n.Type != xhtml.ElementNode || n.Namespace != "":
		return ""
	case n.Data == "figcaption" && n.NextSibling != nil:
		return "p"
	case n.Data == "thead" && n.PrevSibling != nil && n.PrevSibling.Data != "caption":
		return "tbody"
	}
	return n.Data
}
