package wordpress

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/markup"
	"ayna/source/note"
)

// cleaned is what cleanText makes of a text.
type cleaned struct {
	text    string
	gallery []picture // taken out of the text
	notes   note.Set  // what was not understood
}

// cleanText returns a text as a post has it alone, as [markup.MakeStatic] shows it. WordPress
// numbers galleries and wraps figures in paragraphs by what stands before a post in the same
// answer; without these marks the text is the same in each answer. Pictures are shown in their
// largest size and lead to no page of their own, a bare address of a player becomes a link,
// and shortcodes that no plug-in answers for become what they say. With takeGallery the
// pictures of galleries are returned instead of shown. files are those of pictures to whose
// pages words lead, base is the address of the post. A text that is too long or nested too
// deep to be parsed stays as it is.
func cleanText(rendered string, takeGallery bool, files map[number]media, base string) cleaned {
	body, err := markup.Parse(rendered)
	if err != nil {
		return cleaned{text: rendered, notes: note.Set{note.Layout: true}}
	}
	codes := shortcodes{closed: closedShortcodes(rendered), notes: make(note.Set)}
	codes.read(body)
	t := textCleaner{takeGallery: takeGallery, files: files, notes: markup.MakeStatic(body, base)}
	maps.Copy(t.notes, codes.notes)
	t.children(body)
	text, err := markup.Render(body)
	if err != nil {
		return cleaned{text: rendered, notes: note.Set{note.Layout: true}}
	}
	return cleaned{markup.TrimBlankLines(text), t.gallery, t.notes}
}

type textCleaner struct {
	takeGallery bool
	files       map[number]media
	gallery     []picture
	notes       note.Set
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
		markup.Remove(n)
	case html.ElementNode:
		t.element(n)
	}
}

func (t *textCleaner) element(n *html.Node) {
	switch {
	case slices.Contains(withoutUse, n.DataAtom) || slices.ContainsFunc(leftOut, func(class string) bool { return markup.HasClass(n, class) }) || isEmbeddedFile(n) || repeatsFile(n):
		markup.Remove(n)
		return
	case t.takeGallery && isGallery(n):
		t.gallery = append(t.gallery, picturesIn(n)...)
		t.leaveCaption(n)
		return
	case isGallery(n):
		partGallery(n)
	case isFigure(n):
		makeFigure(n)
	case n.DataAtom == atom.A && isAround(n):
		t.children(n)
		markup.Unwrap(n)
		return
	case n.DataAtom == atom.A:
		t.linkFile(n)
	case n.DataAtom == atom.Img:
		markup.SetAttribute(n, "src", largest(n))
	case n.DataAtom == atom.Source:
		markup.SetAttribute(n, "src", counter.ReplaceAllString(markup.Attribute(n, "src"), ""))
	case markup.HasClass(n, "wp-block-embed__wrapper"):
		linkAddress(n)
	case isBlock(n) && !markup.HasContent(n):
		t.notes[note.Blocks] = true
	}
	t.children(n)
	n.Attr = slices.DeleteFunc(n.Attr, markup.IsPresentation)
	if n.DataAtom == atom.P && n.FirstChild == nil {
		markup.Remove(n) // of a figure that was wrapped in a paragraph
	}
}

// withoutUse are elements that show nothing in a mirror. Inputs of forms hold numbers that
// change by the hour.
var withoutUse = []atom.Atom{atom.Script, atom.Style, atom.Input, atom.Select, atom.Textarea, atom.Template}

// counter is what WordPress adds to the address of each player: its number in the answer.
var counter = regexp.MustCompile(`[?&]_=\d+$`)

// leftOut are classes of blocks that change without the post: lists of what is in the site.
var leftOut = []string{
	"wp-block-latest-posts", "wp-block-latest-comments", "wp-block-archives", "wp-block-categories", "wp-block-tag-cloud", "wp-block-calendar",
	"wp-block-page-list", "wp-block-query", "wp-block-rss", "wp-block-search", "wp-block-loginout",
}

// isBlock reports whether an element is a block that a script of a plug-in fills.
func isBlock(n *html.Node) bool {
	return strings.Contains(" "+markup.Attribute(n, "class"), " wp-block-") && markup.HasSettings(n)
}

// isEmbeddedFile reports whether an element shows the document to which the link after it leads.
func isEmbeddedFile(n *html.Node) bool {
	next := n.NextSibling
	return markup.HasClass(n, "wp-block-file__embed") && next != nil && next.DataAtom == atom.A && next.FirstChild != nil
}

// repeatsFile reports whether an element is the button of a file that leads where the link
// before it does.
func repeatsFile(n *html.Node) bool {
	if !markup.HasClass(n, "wp-block-file__button") {
		return false
	}
	for before := range n.Parent.ChildNodes() {
		if before == n {
			break
		}
		if before.DataAtom == atom.A && before.FirstChild != nil && markup.Attribute(before, "href") == markup.Attribute(n, "href") {
			return true
		}
	}
	return false
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
