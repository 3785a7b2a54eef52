package markup

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fallback puts what an element has for browsers without scripts in its place, unless it
// is there already.
func (t *text) fallback(n *html.Node) {
	if n.DataAtom != atom.Noscript {
		return
	}
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			t.standIn(n, c.Data)
			break
		}
	}
	Remove(n)
}

// standIn puts HTML before an element if it shows a picture, a player or a link that the text
// lacks. A picture or player without an address beside the element goes: it waits for a script.
func (t *text) standIn(n *html.Node, inner string) {
	body, err := Parse(inner)
	if err != nil {
		return
	}
	t.each(body, t.element)
	missing := ""
	t.each(body, func(c *html.Node) {
		isShown := c.DataAtom == atom.Img || isPlayer(c) || c.DataAtom == atom.Source || c.DataAtom == atom.A && HasContent(c)
		address := addressOf(c)
		if c.DataAtom == atom.A {
			address = Attribute(c, "href")
		}
		if isShown && !isTiny(c) && IsAbsolute(address) && !t.shown[keyOf(address)] {
			missing = c.Data
		} else if isShown && !isTiny(c) && !isPlaceholder(address) && t.base == nil && !t.shown[keyOf(address)] {
			missing = c.Data
		}
	})
	if missing == "" {
		return
	}
	t.each(body, t.note)
	for _, beside := range []*html.Node{elementBeside(n, false), elementBeside(n, true)} {
		if beside != nil && (beside.DataAtom == atom.Img || beside.DataAtom == atom.Iframe) && isPlaceholder(addressOf(beside)) {
			Remove(beside)
			break
		}
	}
	for body.FirstChild != nil {
		c := body.FirstChild
		body.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
}

// elementBeside returns the element before or after another one, nil if words are between.
func elementBeside(n *html.Node, after bool) *html.Node {
	step := func(n *html.Node) *html.Node {
		if after {
			return n.NextSibling
		}
		return n.PrevSibling
	}
	for n = step(n); n != nil; n = step(n) {
		if n.Type == html.ElementNode {
			return n
		}
		if n.Type == html.TextNode && hasWords(n.Data) {
			return nil
		}
	}
	return nil
}
