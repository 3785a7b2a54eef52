package wordpress

import (
	"encoding/xml"
	"fmt"
	"html"
	"regexp"
	"strings"

	"ayna/source/markup"
)

// A construct is a text of a feed (RFC 4287, section 3.1).
type construct struct {
	Type string `xml:"type,attr,omitempty"`
	Text string `xml:",chardata"`
}

// UnmarshalXML reads a text. The elements of one that is XHTML become HTML.
func (c *construct) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	for _, a := range start.Attr {
		if a.Name.Local == "type" && a.Name.Space == "" {
			c.Type = a.Value
		}
	}
	var b strings.Builder
	for depth := 0; depth >= 0; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			if depth > maxElementDepth {
				return fmt.Errorf("elements within %d others", maxElementDepth)
			}
			if c.Type == "xhtml" && !isOutermost(t.Name, depth) {
				b.WriteString(openingTag(t))
			}
		case xml.EndElement:
			if c.Type == "xhtml" && !isOutermost(t.Name, depth) && !isVoid(t.Name.Local) {
				b.WriteString("</" + t.Name.Local + ">")
			}
			depth--
		case xml.CharData:
			if c.Type == "xhtml" {
				b.WriteString(html.EscapeString(string(t)))
			} else if depth == 0 {
				b.Write(t)
			}
		}
	}
	if c.Text = b.String(); c.Type == "xhtml" {
		c.Type = "html"
	}
	return nil
}

// maxElementDepth is how deep elements of a text may stand within others.
const maxElementDepth = 10_000

// isOutermost reports whether an element is the div around an XHTML text, which is no part of it.
func isOutermost(name xml.Name, depth int) bool { return depth == 1 && name.Local == "div" }

// isVoid reports whether an element of HTML has no end tag.
var isVoid = regexp.MustCompile(`^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$`).MatchString

// openingTag returns a tag as HTML has it.
func openingTag(t xml.StartElement) string {
	var b strings.Builder
	b.WriteString("<" + t.Name.Local)
	for _, a := range t.Attr {
		if a.Name.Space == "" && a.Name.Local != "xmlns" {
			fmt.Fprintf(&b, " %s=\"%s\"", a.Name.Local, html.EscapeString(a.Value))
		}
	}
	return b.String() + ">"
}

// rendered returns a text as the REST API has it.
func (c *construct) rendered() rendered {
	switch {
	case c == nil:
		return rendered{}
	case c.Type == "html":
		return rendered{Text: c.Text, shape: regular}
	}
	return rendered{Text: markup.Escape(c.Text), shape: regular}
}
