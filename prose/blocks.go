package prose

import (
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
)

// normalizeBlocks builds a new tree from a parsed one. Each node is new, from the
// allow-list, and in a place where HTML allows it. A paragraph opens with its first
// word and closes where a block begins or ends, so that no paragraph is empty or
// nested; inline elements that span several paragraphs are opened again in each. If
// the tree is too deep or too large, it returns the reason instead.
func normalizeBlocks(nodes []*xhtml.Node, opt Options) (root *xhtml.Node, reason string) {
	root = newElement("div")
	source := newElement("div")
	for _, n := range nodes {
		source.AppendChild(n)
	}
	b := builder{box: root, boxKind: flow, table: opt.Table}
	b.children(source)
	b.closeParagraph()
	if b.reason != "" {
		return nil, b.reason
	}
	dropTitle(root, opt.Title)
	foldFilms(root)
	fitHeadings(root)
	numberAnchors(root)
	return root, ""
}

// captionOwners maps captions to the only element that may hold them.
var captionOwners = map[string]string{"figcaption": "figure", "summary": "details", "caption": "table"}

// maxAttributes bounds the bytes of attributes in a tree, since a link that is
// opened again in each paragraph repeats its address.
const maxAttributes = 8 << 20

type builder struct {
	table  string // label of tables without a caption
	depth  int
	nodes  int
	bytes  int
	reason string // why the tree is too deep or too large, "" if it is not

	box     *xhtml.Node // the innermost open block
	boxKind kind
	tables  int // open tables

	inline []*xhtml.Node // the source's inline elements around this place
	open   int           // how many of them are open in the paragraph
	cursor *xhtml.Node   // where words are added; nil: no paragraph is open
	filled bool          // the paragraph has content
	space  bool          // add a space before the next word
	breaks int           // add so many line breaks before the next word

	anchors []string // ids of places that the next word begins
}

func (b *builder) children(n *xhtml.Node) {
	for c := n.FirstChild; c != nil && b.reason == ""; {
		next := c.NextSibling
		if implied := impliedLists[c.Data]; c.Type == xhtml.ElementNode && implied != "" && elements[n.Data].kind != list {
			next = wrapItems(c, implied)
			c = c.Parent
		}
		b.node(c)
		c = next
	}
}

func (b *builder) node(n *xhtml.Node) {
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth {
		b.reason = "too deep"
		return
	}
	if n.Type == xhtml.TextNode {
		b.text(balanceDirections(n.Data))
		return
	}
	e := elements[n.Data]
	switch {
	case n.Data == "span" && n.Type == xhtml.ElementNode: // see rewriter.anchor
		b.anchors = append(b.anchors, attribute(n.Attr, "id"))
	case n.Type != xhtml.ElementNode || e.kind == 0:
	case n.Data == "br":
		b.lineBreak()
	case n.Data == "img":
		b.image(n)
	case e.kind == inline:
		b.inlineElement(n)
	case e.kind == passing, b.boxKind == words, b.boxKind == literal, captionOwners[n.Data] != "" && captionOwners[n.Data] != b.box.Data:
		b.border()
		b.children(n)
		b.border()
	case n.Data == "hr":
		b.closeParagraph()
		b.box.AppendChild(b.make(n))
	case n.Data == "figure" && b.box.Data == "figure":
		b.box.Attr = append(b.box.Attr[:0], b.make(n).Attr...)
		b.children(n)
	default:
		b.block(n, e.kind)
	}
}

// make returns a new element with those attributes that the allow-list has.
func (b *builder) make(source *xhtml.Node) *xhtml.Node {
	n := newElement(source.Data)
	for _, a := range source.Attr {
		if allowed := elements[n.Data].attributes[a.Key]; allowed != nil {
			if value := StripInvalidXML(a.Val); allowed(value) {
				n.Attr = append(n.Attr, xhtml.Attribute{Key: a.Key, Val: value})
				b.bytes += len(value)
			}
		}
	}
	if b.nodes++; b.nodes > maxNodes || b.bytes > maxAttributes {
		b.reason = "too many elements"
	}
	return n
}

// block opens an element in the box and fills it.
func (b *builder) block(source *xhtml.Node, k kind) {
	b.closeParagraph()
	box, boxKind := b.box, b.boxKind
	n := b.make(source)
	box.AppendChild(n)
	b.box, b.boxKind = n, k
	switch {
	case k == list:
		wrapStrays(source)
	case n.Data == "table":
		b.tables++
	}
	if k == grid || k == list {
		b.parts(source)
	} else {
		b.children(source)
	}
	b.closeParagraph()
	b.box, b.boxKind = box, boxKind
	if n.Data == "table" {
		b.tables--
	}
	b.finish(n)
}

// parts reads the elements of a list or table. Between them is only white space:
// wrapStrays saw to that in lists, the parser in tables.
func (b *builder) parts(n *xhtml.Node) {
	for c := n.FirstChild; c != nil && b.reason == ""; c = c.NextSibling {
		if c.Type == xhtml.ElementNode {
			b.node(c)
		}
	}
}

// finish brings a complete block into its final form, and removes an empty one.
func (b *builder) finish(n *xhtml.Node) {
	switch n.Data {
	case "td", "th", "li", "dd":
		if all := paragraphsIn(n); len(all) == 1 {
			unwrap(all[0])
		}
	case "figure":
		isCard := len(n.Attr) > 0
		for _, p := range paragraphsIn(n) {
			if isCard || isPicture(p) {
				unwrap(p)
			}
		}
	}
	switch {
	case n.FirstChild == nil && n.Data != "td" && n.Data != "th":
		n.Parent.RemoveChild(n)
	case n.Data == "table" && b.tables == 0:
		wrapTable(n, b.table)
	}
}

// border ends the paragraph, or the line, at a tag of a block that is not written.
func (b *builder) border() {
	switch {
	case b.boxKind != words && b.boxKind != literal:
		b.closeParagraph()
	case b.filled:
		b.breaks = max(b.breaks, 1)
	}
}

func (b *builder) lineBreak() {
	if b.filled {
		b.breaks++
	}
}

func (b *builder) openParagraph() {
	if b.cursor != nil {
		return
	}
	b.cursor = b.box
	if b.boxKind == flow || b.boxKind == cell {
		b.cursor = b.make(&xhtml.Node{Data: "p"})
		b.box.AppendChild(b.cursor)
	}
}

func (b *builder) closeParagraph() {
	if p := b.paragraph(); p != nil && p.Data == "p" && b.boxKind == flow && isPicture(p) {
		p.Data = "figure"
	}
	b.cursor, b.open, b.filled, b.space, b.breaks = nil, 0, false, false, 0
}

// paragraph returns the element around the cursor's inline elements.
func (b *builder) paragraph() *xhtml.Node {
	p := b.cursor
	for range b.open {
		p = p.Parent
	}
	return p
}

func (b *builder) inlineElement(n *xhtml.Node) {
	isOpen := slices.ContainsFunc(b.inline, func(outer *xhtml.Node) bool { return outer.Data == n.Data })
	href, isSafe := "", true
	if n.Data == "a" {
		if href = attribute(n.Attr, "href"); !isFragment(href) {
			href, isSafe = SafeURL(href)
		}
		n.Attr = []xhtml.Attribute{{Key: "href", Val: href}}
	}
	if isOpen || !isSafe {
		b.children(n)
		return
	}
	b.inline = append(b.inline, n)
	b.children(n)
	if b.open == len(b.inline) {
		b.cursor = b.cursor.Parent
		b.open--
	}
	b.inline = b.inline[:len(b.inline)-1]
}

// blanks are the white space of HTML, which excludes the no-break space.
const blanks = " \t\n\r\f"

func (b *builder) text(s string) {
	if b.boxKind == literal {
		if s != "" {
			b.add(textNode(s))
		}
		return
	}
	trimmed := strings.Trim(s, blanks)
	atStart := !b.filled || b.breaks > 0
	if trimmed == "" || atStart && strings.TrimSpace(trimmed) == "" {
		b.space = b.space || s != ""
		return
	}
	b.space = b.space || strings.IndexByte(blanks, s[0]) >= 0
	b.add(textNode(collapseBlanks(trimmed)))
	b.space = strings.IndexByte(blanks, s[len(s)-1]) >= 0
}

func collapseBlanks(s string) string {
	if !strings.Contains(s, "  ") && !strings.ContainsAny(s, blanks[1:]) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(blanks, r) }), " ")
}

func (b *builder) image(n *xhtml.Node) {
	src, ok := SafeURL(attribute(n.Attr, "src"))
	if !ok {
		return
	}
	img := b.make(n)
	img.Attr = []xhtml.Attribute{{Key: "src", Val: src}, {Key: "alt", Val: collapse(balanceDirections(attribute(n.Attr, "alt")))}}
	if attribute(n.Attr, "class") == small {
		img.Attr = append(img.Attr, xhtml.Attribute{Key: "class", Val: small})
	}
	b.add(img)
}

// add appends words or a picture inside of the inline elements around it, after the
// pending line breaks or space.
func (b *builder) add(n *xhtml.Node) {
	if b.breaks > 1 && (b.boxKind == flow || b.boxKind == cell) {
		b.closeParagraph()
	}
	b.openParagraph()
	switch {
	case b.boxKind == literal:
		b.cursor.AppendChild(textNode(strings.Repeat("\n", b.breaks)))
	case b.breaks > 0:
		b.cursor.AppendChild(b.make(&xhtml.Node{Data: "br"}))
	case b.space && b.filled:
		b.cursor.AppendChild(textNode(" "))
	}
	for b.open < len(b.inline) {
		source := b.inline[b.open]
		wrapper := b.make(source)
		if source.Data == "a" {
			wrapper.Attr = source.Attr // checked by inlineElement
			b.bytes += len(source.Attr[0].Val)
		}
		b.cursor.AppendChild(wrapper)
		b.cursor = wrapper
		b.open++
	}
	if isCard := b.box.Data == "figure" && len(b.box.Attr) > 0; n.Type == xhtml.TextNode && !isCard {
		for _, id := range b.anchors {
			anchor := b.make(&xhtml.Node{Data: "span"})
			anchor.Attr = []xhtml.Attribute{{Key: "id", Val: id}}
			b.cursor.AppendChild(anchor)
		}
		b.anchors = nil
	}
	b.cursor.AppendChild(n)
	b.filled, b.space, b.breaks = true, false, 0
}
