package prose

import (
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
)

// impliedLists maps items to the list that one without a list gets.
var impliedLists = map[string]string{"li": "ul", "dt": "dl", "dd": "dl"}

// wrapItems puts an item outside of a list, with the items and white space that
// follow it, into a new list in its place. It returns the node after that list.
func wrapItems(item *xhtml.Node, implied string) (next *xhtml.Node) {
	parent := item.Parent
	box := newElement(implied)
	parent.InsertBefore(box, item)
	for n := item; n != nil && (impliedLists[n.Data] == implied || isBlankText(n)); n = next {
		next = n.NextSibling
		parent.RemoveChild(n)
		box.AppendChild(n)
	}
	return box.NextSibling
}

// wrapStrays moves nodes between the items of a list into the item before them, or
// into a new item.
func wrapStrays(box *xhtml.Node) {
	host := "li"
	if box.Data == "dl" {
		host = "dd"
	}
	var item *xhtml.Node
	for n := box.FirstChild; n != nil; {
		next := n.NextSibling
		switch {
		case n.Type == xhtml.ElementNode && (n.Data == host || host == "dd" && n.Data == "dt"):
			item = n
		case isBlankText(n):
		default:
			if item == nil || item.Data != host {
				item = newElement(host)
				box.InsertBefore(item, n)
			}
			box.RemoveChild(n)
			item.AppendChild(n)
		}
		n = next
	}
}

func isBlankText(n *xhtml.Node) bool {
	return n.Type == xhtml.TextNode && strings.TrimSpace(n.Data) == ""
}

// isPicture reports whether a paragraph holds only a picture, perhaps in a link. A small
// one is part of a line.
func isPicture(p *xhtml.Node) bool {
	n := p.FirstChild
	if n == nil || n.NextSibling != nil || n.Type != xhtml.ElementNode {
		return false
	}
	return n.Data == "img" && attribute(n.Attr, "class") != small || n.Data == "a" && isPicture(n)
}

// paragraphsIn returns the paragraphs directly inside of an element.
func paragraphsIn(n *xhtml.Node) []*xhtml.Node {
	var list []*xhtml.Node
	for c := range n.ChildNodes() {
		if c.Data == "p" && c.Type == xhtml.ElementNode {
			list = append(list, c)
		}
	}
	return list
}

// unwrap replaces an element by its content.
func unwrap(n *xhtml.Node) {
	for n.FirstChild != nil {
		c := n.FirstChild
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	n.Parent.RemoveChild(n)
}

// wrapTable puts a table into a box, announced by the table's caption or the given
// label.
func wrapTable(table *xhtml.Node, label string) {
	if c := table.FirstChild; c.Data == "caption" {
		label = textOf(c)
	}
	box := tableBox(label)
	table.Parent.InsertBefore(box, table)
	table.Parent.RemoveChild(table)
	box.AppendChild(table)
}

// tableBox returns a box that scrolls on narrow screens, is reachable by keyboard,
// and is announced by a label.
func tableBox(label string) *xhtml.Node {
	box := newElement("div", xhtml.Attribute{Key: "class", Val: "table"})
	if label = collapse(StripInvalidXML(label)); label != "" {
		box.Attr = append(box.Attr, xhtml.Attribute{Key: "role", Val: "region"},
			xhtml.Attribute{Key: "tabindex", Val: "0"}, xhtml.Attribute{Key: "aria-label", Val: Shorten(label, 120)})
	}
	return box
}

// textOf returns the words of a tree.
func textOf(n *xhtml.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		switch {
		case c.Type == xhtml.TextNode:
			b.WriteString(c.Data)
		case c.Data == "br":
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// dropTitle removes headings at the beginning that repeat the headline.
func dropTitle(root *xhtml.Node, title string) {
	if title = Plain(title); title == "" {
		return
	}
	for h := root.FirstChild; h != nil && level(h) > 0 && Plain(textOf(h)) == title; h = root.FirstChild {
		root.RemoveChild(h)
	}
}

// fitHeadings gives each heading the level below that of the heading above it in the
// hierarchy: levels begin at 2 and leave no gap.
func fitHeadings(root *xhtml.Node) {
	var above []int
	for n := range root.Descendants() {
		l := level(n)
		if l == 0 {
			continue
		}
		for len(above) > 0 && above[len(above)-1] >= l {
			above = above[:len(above)-1]
		}
		above = append(above, l)
		n.Data = "h" + strconv.Itoa(min(len(above)+1, 6))
	}
}

// level returns a heading's level, 0 for all other nodes.
func level(n *xhtml.Node) int {
	if n.Type == xhtml.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && '1' <= n.Data[1] && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}
