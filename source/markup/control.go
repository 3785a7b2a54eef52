package markup

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// target gives a link that a script opens the address that is put aside for the script.
func (t *text) target(a *html.Node) {
	href := Attribute(a, "href")
	if href != "" && href != "#" && !strings.HasPrefix(strings.ToLower(href), "javascript:") {
		return
	}
	for _, attribute := range a.Attr {
		if attribute.Key == "href" || attribute.Key == "style" {
			continue
		}
		for _, address := range addressesIn(attribute) {
			if IsAbsolute(address) && !isPart(address) {
				SetAttribute(a, "href", t.resolve(address))
				return
			}
		}
	}
}

// nameLink gives a link that holds an icon alone a name: its own, that of the icon, else the
// host to which it leads. One that repeats another link, or leads to the paper or shares the
// record, gets none but its own.
func (t *text) nameLink(a *html.Node) {
	href := Attribute(a, "href")
	if a.DataAtom == atom.A {
		showContact(a, href)
	}
	if a.DataAtom != atom.A || !IsAbsolute(href) || HasContent(a) {
		return
	}
	u, err := url.Parse(href)
	if err != nil {
		return
	}
	name := cmp.Or(Attribute(a, "aria-label"), Attribute(a, "title"))
	for n := range a.Descendants() {
		name = cmp.Or(name, Attribute(n, "aria-label"), Attribute(n, "title"), Attribute(n, "alt"))
	}
	isShare := t.base != nil && strings.Contains(u.Query().Encode(), url.QueryEscape(t.base.String()))
	switch {
	case t.shown[keyOf(href)] || isShare:
		return
	case hasWords(name):
	case t.isOwn(href):
		return
	default:
		name = bareHost(u)
	}
	setText(a, strings.TrimSpace(name))
	t.shown[keyOf(href)] = true
}

// showContact adds the address of e-mail or the telephone number of a link to its words, if
// they lack it: pages show no such links.
func showContact(a *html.Node, href string) {
	scheme, contact, _ := strings.Cut(href, ":")
	contact, _, _ = strings.Cut(contact, "?")
	contact, err := url.PathUnescape(strings.TrimSpace(contact))
	said := words(a)
	switch strings.ToLower(scheme) {
	case "mailto":
		if err != nil || !strings.Contains(contact, "@") || strings.Contains(strings.ToLower(said), strings.ToLower(contact)) {
			return
		}
	case "tel":
		if err != nil || !strings.ContainsFunc(contact, unicode.IsDigit) || strings.ContainsFunc(said, unicode.IsDigit) {
			return
		}
	default:
		return
	}
	if said != "" {
		contact = " (" + contact + ")"
	}
	a.AppendChild(textNode(contact))
}

// partElement puts a blank between two elements of a block, in the naming of BEM, which a style
// shows on lines of their own: a name and an office.
func partElement(span *html.Node) {
	next := span.NextSibling
	if next == nil || next.DataAtom != atom.Span || !HasContent(span) || !HasContent(next) {
		return
	}
	block, own, isElement := strings.Cut(Attribute(span, "class"), "__")
	other, name, isOther := strings.Cut(Attribute(next, "class"), "__")
	if isElement && isOther && block == other && own != name {
		span.Parent.InsertBefore(textNode(" "), next)
	}
}

// question makes the question of an answer that unfolds a heading.
func (t *text) question(n *html.Node) {
	role := Attribute(n, "role")
	isHead := n.DataAtom == atom.Button || role == "button" || role == "tab" || n.DataAtom == atom.A
	if !isHead {
		return
	}
	for outer := range n.Ancestors() {
		if hasAttribute(outer, "aria-expanded") {
			return
		}
		switch outer.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Summary:
			Unwrap(n)
			return
		case atom.Nav, atom.Li, atom.A:
			return
		}
	}
	if words := words(n); !hasWords(words) || len(words) > 500 {
		return
	}
	for inner := range n.Descendants() {
		if slices.Contains([]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}, inner.DataAtom) {
			Unwrap(n)
			return
		}
	}
	answer := elementBeside(n, true)
	if answer == nil {
		answer = elementBeside(n.Parent, true)
	}
	if answer != nil && HasContent(answer) {
		id := Attribute(n, "id")
		Rename(n, atom.H3)
		SetAttribute(n, "id", id)
	}
}

// HasContent reports whether an element shows something without a script.
func HasContent(n *html.Node) bool {
	for c := range n.Descendants() {
		switch {
		case c.Type == html.TextNode && hasWords(c.Data) && !isHidden(c.Parent):
			return true
		case c.Type != html.ElementNode:
		case c.DataAtom == atom.Img && !isPlaceholder(Attribute(c, "src")), isPlayer(c) && !isPlaceholder(addressOf(c)),
			c.DataAtom == atom.Source && !isPlaceholder(Attribute(c, "src")):
			return true
		}
	}
	return false
}

// isHidden reports whether the text of an element is not shown.
func isHidden(n *html.Node) bool {
	return slices.Contains([]atom.Atom{atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe}, n.DataAtom)
}

// words returns the words that an element shows.
func words(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode && !isHidden(c.Parent) {
			b.WriteString(c.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// hasWords reports whether a text has a letter or digit.
func hasWords(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

func hasAttribute(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key && a.Namespace == "" })
}

// setText puts words in the place of what an element holds.
func setText(n *html.Node, words string) {
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	n.AppendChild(textNode(words))
}
