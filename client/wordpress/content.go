package wordpress

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A picture is one that a text shows.
type picture struct{ address, alt, caption string }

// cleanText returns a text as a post has it alone. WordPress numbers galleries and wraps
// figures in paragraphs by what stands before a post in the same answer; without these
// marks the text is the same in each answer. Pictures are shown in their largest size and
// lead to no page of their own, a bare address of a player becomes a link, and shortcodes
// that no plug-in answers for are removed. With takeGallery the pictures of galleries are
// returned instead of shown. A text that is nested too deep to be parsed stays as it is.
func cleanText(rendered string, takeGallery bool) (text string, gallery []picture) {
	body, err := parse(rendered)
	if err != nil {
		return rendered, nil
	}
	t := textCleaner{takeGallery: takeGallery, closed: closedShortcodes(rendered)}
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

// blankLines are outside of preformatted text, which it finds too.
var blankLines = regexp.MustCompile(`(?s)<pre\b.*?</pre>|[ \t\r]*\n\s*`)

type textCleaner struct {
	takeGallery bool
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
		remove(n)
	case html.TextNode:
		n.Data = t.withoutShortcodes(n.Data)
	case html.ElementNode:
		t.element(n)
	}
}

func (t *textCleaner) element(n *html.Node) {
	switch {
	case n.DataAtom == atom.Script || n.DataAtom == atom.Style || slices.ContainsFunc(leftOut, func(class string) bool { return hasClass(n, class) }):
		remove(n)
		return
	case t.takeGallery && isGallery(n):
		t.gallery = append(t.gallery, picturesIn(n)...)
		remove(n)
		return
	case isGallery(n):
		partGallery(n)
	case n.DataAtom == atom.A && isAround(n):
		t.children(n)
		unlink(n)
		return
	case n.DataAtom == atom.Img:
		setAttribute(n, "src", largest(n))
	case hasClass(n, "wp-block-embed__wrapper"):
		linkAddress(n)
	}
	t.children(n)
	n.Attr = slices.DeleteFunc(n.Attr, isPresentation)
	if n.DataAtom == atom.P && n.FirstChild == nil {
		remove(n) // of a figure that was wrapped in a paragraph
	}
}

// leftOut are classes of blocks that change without the post: lists of what is in the site.
// The button of a file repeats the link beside it.
var leftOut = []string{
	"wp-block-latest-posts", "wp-block-latest-comments", "wp-block-archives", "wp-block-categories", "wp-block-tag-cloud", "wp-block-calendar",
	"wp-block-page-list", "wp-block-query", "wp-block-rss", "wp-block-search", "wp-block-loginout", "wp-block-file__button",
}

// partGallery makes a block of a gallery, in which each picture has a figure with a
// caption: a figure has one caption only.
func partGallery(gallery *html.Node) {
	if gallery.DataAtom != atom.Figure {
		return
	}
	gallery.Data, gallery.DataAtom = "div", atom.Div
	for c := range gallery.ChildNodes() {
		if c.DataAtom == atom.Figcaption {
			c.Data, c.DataAtom = "p", atom.P
		}
	}
}

// isPresentation reports whether an attribute is about looks and not content.
func isPresentation(a html.Attribute) bool {
	switch a.Key {
	case "class", "id", "style", "srcset", "sizes", "loading", "decoding", "fetchpriority":
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
	for i, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			n.Attr[i].Val = value
		}
	}
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

// isGallery reports whether an element is a gallery: of the block editor, or of the
// shortcode.
func isGallery(n *html.Node) bool { return hasClass(n, "wp-block-gallery") || hasClass(n, "gallery") }

// picturesIn returns the pictures of a gallery with their captions.
func picturesIn(gallery *html.Node) []picture {
	var list []picture
	for n := range gallery.Descendants() {
		if n.Type != html.ElementNode || n.DataAtom != atom.Img {
			continue
		}
		if address := largest(n); address != "" {
			list = append(list, picture{address, attribute(n, "alt"), captionOf(n, gallery)})
		}
	}
	return list
}

// captionOf returns the caption of the innermost figure around a picture.
func captionOf(img, gallery *html.Node) string {
	for n := img.Parent; n != nil && n != gallery; n = n.Parent {
		if n.DataAtom != atom.Figure {
			continue
		}
		for c := range n.ChildNodes() {
			if c.DataAtom == atom.Figcaption {
				return textOf(c)
			}
		}
	}
	return ""
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

// largest returns the address of a picture's largest size. A cropped one, as galleries of
// the shortcode show, has no others beside it; the file that a link leads to, or else the
// one without the mark of a size, is the whole picture.
func largest(img *html.Node) string {
	address, most := attribute(img, "src"), 0
	for _, candidate := range strings.Split(attribute(img, "srcset"), ", ") {
		fields := strings.Fields(candidate)
		if len(fields) != 2 {
			continue
		}
		width, err := strconv.Atoi(strings.TrimSuffix(fields[1], "w"))
		if err == nil && strings.HasSuffix(fields[1], "w") && width > most {
			address, most = fields[0], width
		}
	}
	if most > 0 || !isSmaller(img) {
		return address
	}
	whole := stem(address)
	for a := img.Parent; a != nil; a = a.Parent {
		if link := attribute(a, "href"); a.DataAtom == atom.A && isFile(link) && stem(link) == whole {
			return link
		}
	}
	return whole
}

// isSmaller reports whether WordPress made the file that a picture shows, of another one.
func isSmaller(img *html.Node) bool {
	for n := range img.Ancestors() {
		if n.DataAtom == atom.Figure && hasSmallerSize(n) {
			return true
		}
	}
	return hasSmallerSize(img)
}

// hasSmallerSize reports whether an element has a class as "size-thumbnail".
func hasSmallerSize(n *html.Node) bool {
	return slices.ContainsFunc(strings.Fields(attribute(n, "class")), func(class string) bool {
		return strings.HasPrefix(class, "size-") && class != "size-full"
	})
}

// isAround reports whether a link holds a picture and leads to that picture's own page.
func isAround(a *html.Node) bool {
	if !slices.ContainsFunc(strings.Fields(attribute(a, "rel")), func(s string) bool { return s == "attachment" }) &&
		!hasClass(a.Parent, "gallery-icon") {
		return false
	}
	for n := range a.Descendants() {
		if n.DataAtom == atom.Img {
			return !isFile(attribute(a, "href"))
		}
	}
	return false
}

// isFile reports whether an address is that of a picture's file.
func isFile(address string) bool {
	dot := strings.LastIndexByte(address, '.')
	return dot >= 0 && slices.Contains([]string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"}, strings.ToLower(address[dot:]))
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
