package wordpress

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cleanText returns a text as a post has it alone. WordPress numbers galleries and wraps
// figures in paragraphs by what stands before a post in the same answer; without these
// marks the text is the same in each answer. Pictures are shown in their largest size and
// lead to no page of their own, a bare address of a player becomes a link, and shortcodes
// that no plug-in answers for are removed. With takeGallery the pictures of galleries are
// returned instead of shown. files are those of pictures to whose pages words lead. A text
// that is nested too deep to be parsed stays as it is.
func cleanText(rendered string, takeGallery bool, files map[number]media) (text string, gallery []picture) {
	body, err := parse(rendered)
	if err != nil {
		return rendered, nil
	}
	t := textCleaner{takeGallery: takeGallery, files: files, closed: closedShortcodes(rendered)}
	t.children(body)
	var b strings.Builder
	for n := range body.ChildNodes() {
		if err := html.Render(&b, n); err != nil {
			return rendered, nil
		}
	}
	return strings.TrimSpace(blankLines.ReplaceAllStringFunc(b.String(), func(found string) string {
		if strings.HasPrefix(found, "<pre") {
			return found
		}
		return "\n"
	})), t.gallery
}

// parse returns an element that holds a piece of HTML.
func parse(rendered string) (*html.Node, error) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(rendered), body)
	for _, n := range nodes {
		body.AppendChild(n)
	}
	return body, err
}

// plain returns the text of a piece of HTML, with single blanks.
func plain(rendered string) string {
	if !strings.ContainsAny(rendered, "<&") {
		return strings.Join(strings.Fields(rendered), " ")
	}
	body, err := parse(rendered)
	if err != nil {
		return rendered
	}
	return textOf(body)
}

// escaped returns plain text as a field of a record has it: readers of records take markup
// out of it, so text that looks like markup is escaped.
func escaped(text string) string {
	if plain(text) != text {
		return html.EscapeString(text)
	}
	return text
}

// blankLines are outside of preformatted text, which it finds too.
var blankLines = regexp.MustCompile(`(?s)<pre\b.*?</pre>|[ \t\r]*\n\s*`)

type textCleaner struct {
	takeGallery bool
	files       map[number]media
	closed      map[string]bool // shortcodes with an end
	gallery     []picture
}

func (t *textCleaner) children(parent *html.Node) {
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		t.node(n)
		n = next
	}
}

func (t *textCleaner) node(n *html.Node) {
	switch n.Type {
	case html.CommentNode:
		// The first player of an answer has a comment before it, on a line of its own.
		if next := n.NextSibling; next != nil && next.Type == html.TextNode && strings.HasPrefix(next.Data, "\n") {
			next.Data = strings.TrimLeft(next.Data, "\n\t")
		}
		remove(n)
	case html.TextNode:
		n.Data = withoutShortcodes(n.Data, t.closed)
	case html.ElementNode:
		t.element(n)
	}
}

func (t *textCleaner) element(n *html.Node) {
	switch {
	case slices.Contains(withoutUse, n.DataAtom) || slices.ContainsFunc(leftOut, func(class string) bool { return hasClass(n, class) }):
		remove(n)
		return
	case t.takeGallery && isGallery(n):
		t.gallery = append(t.gallery, picturesIn(n)...)
		t.leaveCaption(n)
		return
	case isGallery(n):
		partGallery(n)
	case isFigure(n):
		makeFigure(n)
	case n.DataAtom == atom.Noscript && hasClass(n.Parent, "wp-playlist"):
		t.unwrapNoscript(n)
		return
	case n.DataAtom == atom.A && isAround(n):
		t.children(n)
		unlink(n)
		return
	case n.DataAtom == atom.A:
		t.linkFile(n)
	case n.DataAtom == atom.Img:
		setAttribute(n, "src", largest(n))
	case n.DataAtom == atom.Source:
		setAttribute(n, "src", counter.ReplaceAllString(attribute(n, "src"), ""))
	case hasClass(n, "wp-block-embed__wrapper"):
		linkAddress(n)
	}
	t.children(n)
	n.Attr = slices.DeleteFunc(n.Attr, isPresentation)
	if n.DataAtom == atom.P && n.FirstChild == nil {
		remove(n) // of a figure that was wrapped in a paragraph
	}
}

// unwrapNoscript puts what an element has for browsers without scripts in its place: a
// playlist's links.
func (t *textCleaner) unwrapNoscript(n *html.Node) {
	if inner, err := parse(textOf(n)); err == nil {
		t.children(inner)
		n.Parent.InsertBefore(inner, n)
		unlink(inner)
	}
	remove(n)
}

// withoutUse are elements that show nothing in a mirror. Inputs of forms hold numbers that
// change by the hour.
var withoutUse = []atom.Atom{atom.Script, atom.Style, atom.Input}

// counter is what WordPress adds to the address of each player: its number in the answer.
var counter = regexp.MustCompile(`[?&]_=\d+$`)

// leftOut are classes of blocks that change without the post: lists of what is in the site.
// The button of a file repeats the link beside it.
var leftOut = []string{
	"wp-block-latest-posts", "wp-block-latest-comments", "wp-block-archives", "wp-block-categories", "wp-block-tag-cloud", "wp-block-calendar",
	"wp-block-page-list", "wp-block-query", "wp-block-rss", "wp-block-search", "wp-block-loginout", "wp-block-file__button",
}

// isPresentation reports whether an attribute is about looks or scripts and not content.
func isPresentation(a html.Attribute) bool {
	switch a.Key {
	case "class", "id", "style", "for", "action", "srcset", "sizes", "loading", "decoding", "fetchpriority":
		return true
	}
	return strings.HasPrefix(a.Key, "data-") || strings.HasPrefix(a.Key, "aria-")
}

func remove(n *html.Node) { n.Parent.RemoveChild(n) }

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func setAttribute(n *html.Node, key, value string) {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key && a.Namespace == "" })
	if i >= 0 {
		n.Attr[i].Val = value
	} else if value != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
	}
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

// textOf returns the text in an element, with single blanks.
func textOf(n *html.Node) string {
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

// unlink puts what a link holds in its place.
func unlink(a *html.Node) {
	for a.FirstChild != nil {
		c := a.FirstChild
		a.RemoveChild(c)
		a.Parent.InsertBefore(c, a)
	}
	remove(a)
}

// linkAddress turns the bare address in an embed block into a link.
func linkAddress(wrapper *html.Node) {
	c := wrapper.FirstChild
	if c == nil || c.NextSibling != nil || c.Type != html.TextNode {
		return
	}
	address := strings.TrimSpace(c.Data)
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") || strings.ContainsAny(address, " \n") {
		return
	}
	wrapper.RemoveChild(c)
	a := &html.Node{Type: html.ElementNode, Data: "a", DataAtom: atom.A, Attr: []html.Attribute{{Key: "href", Val: address}}}
	a.AppendChild(&html.Node{Type: html.TextNode, Data: address})
	wrapper.AppendChild(a)
}
