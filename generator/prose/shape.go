package prose

import (
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// homes names the list that an item without one gets.
var homes = map[string]string{"li": "ul", "dt": "dl", "dd": "dl"}

// gather puts an item that stands outside of a list, and the items and blanks
// that follow it, into a new list in its place. It returns what follows.
func gather(item *xhtml.Node, home string) (next *xhtml.Node) {
	parent := item.Parent
	box := &xhtml.Node{Type: xhtml.ElementNode, Data: home, DataAtom: atom.Lookup([]byte(home))}
	parent.InsertBefore(box, item)
	for n := item; n != nil && (homes[n.Data] == home || isBlankText(n)); n = next {
		next = n.NextSibling
		parent.RemoveChild(n)
		box.AppendChild(n)
	}
	return box.NextSibling
}

// collect puts what stands in a list between its items into the item before,
// or into an item of its own.
func collect(box *xhtml.Node) {
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
				item = &xhtml.Node{Type: xhtml.ElementNode, Data: host, DataAtom: atom.Lookup([]byte(host))}
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

// isPicture reports whether a paragraph is a picture and nothing else, be it
// inside of a link.
func isPicture(p *xhtml.Node) bool {
	n := p.FirstChild
	if n == nil || n.NextSibling != nil || n.Type != xhtml.ElementNode {
		return false
	}
	return n.Data == "img" || n.Data == "a" && isPicture(n)
}

// unwrapSingle takes the only paragraph of an item or cell out of its <p>.
func unwrapSingle(n *xhtml.Node) {
	var only *xhtml.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Data == "p" && c.Type == xhtml.ElementNode {
			if only != nil {
				return
			}
			only = c
		}
	}
	if only != nil {
		unwrap(only)
	}
}

// unwrapPictures takes the pictures of a figure, and the card of a player, out
// of their paragraphs.
func unwrapPictures(figure *xhtml.Node) {
	card := len(figure.Attr) > 0
	for c := figure.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Data == "p" && (card || isPicture(c)) {
			unwrap(c)
		}
		c = next
	}
}

func unwrap(n *xhtml.Node) {
	for n.FirstChild != nil {
		c := n.FirstChild
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	n.Parent.RemoveChild(n)
}

// frame puts a table into a box that scrolls on narrow screens, reachable by
// keyboard, and announced by the table's caption or the given word.
func frame(table *xhtml.Node, label string) {
	box := &xhtml.Node{Type: xhtml.ElementNode, Data: "div", DataAtom: atom.Div,
		Attr: []xhtml.Attribute{{Key: "class", Val: "table"}}}
	if c := table.FirstChild; c.Data == "caption" {
		label = content(c)
	}
	if label = collapse(XML(label)); label != "" {
		box.Attr = append(box.Attr, xhtml.Attribute{Key: "role", Val: "region"},
			xhtml.Attribute{Key: "tabindex", Val: "0"}, xhtml.Attribute{Key: "aria-label", Val: Shorten(label, 120)})
	}
	table.Parent.InsertBefore(box, table)
	table.Parent.RemoveChild(table)
	box.AppendChild(table)
}

// content returns the words of a tree.
func content(n *xhtml.Node) string {
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
	title = Plain(title)
	for h := root.FirstChild; h != nil && level(h) > 0 && title != "" && Plain(content(h)) == title; h = root.FirstChild {
		root.RemoveChild(h)
	}
}

// fitHeadings gives each heading a level below the headings it stands under,
// from top downward, leaving none out.
func fitHeadings(root *xhtml.Node, top int) {
	if top < 1 || top > 6 {
		top = 2
	}
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
		n.Data = "h" + strconv.Itoa(min(top+len(above)-1, 6))
		n.DataAtom = atom.Lookup([]byte(n.Data))
	}
}

// level returns a heading's level, 0 for all other nodes.
func level(n *xhtml.Node) int {
	if n.Type == xhtml.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && '1' <= n.Data[1] && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}
