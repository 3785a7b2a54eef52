package wordpress

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/markup"
)

// A picture is one that a text shows.
type picture struct{ address, alt, caption string }

// isGallery reports whether an element is a gallery: of the block editor, or of the
// shortcode.
func isGallery(n *html.Node) bool {
	return markup.HasClass(n, "wp-block-gallery") || markup.HasClass(n, "gallery")
}

// leaveCaption puts the caption of a whole gallery in its place.
func (t *textCleaner) leaveCaption(gallery *html.Node) {
	for c := range gallery.ChildNodes() {
		if c.DataAtom == atom.Figcaption {
			t.children(c)
			gallery.RemoveChild(c)
			gallery.Parent.InsertBefore(c, gallery)
			c.Data, c.DataAtom, c.Attr = "p", atom.P, nil
			break
		}
	}
	markup.Remove(gallery)
}

// picturesIn returns the pictures of a gallery with their captions.
func picturesIn(gallery *html.Node) []picture {
	var list []picture
	for n := range gallery.Descendants() {
		if n.Type != html.ElementNode || n.DataAtom != atom.Img {
			continue
		}
		if address := largest(n); address != "" {
			list = append(list, picture{address, markup.Attribute(n, "alt"), captionOf(n, gallery)})
		}
	}
	return list
}

// captionOf returns the caption of the innermost figure around a picture.
func captionOf(img, gallery *html.Node) string {
	for n := img.Parent; n != nil && n != gallery; n = n.Parent {
		if !isFigure(n) {
			continue
		}
		for c := range n.ChildNodes() {
			if isCaption(c) {
				return markup.Text(c)
			}
		}
	}
	return ""
}

// isFigure reports whether an element holds a picture with its caption. Where a theme does
// not ask for HTML5, WordPress writes a div, and a list for each picture of a gallery.
func isFigure(n *html.Node) bool {
	return n.DataAtom == atom.Figure || markup.HasClass(n, "wp-caption") || markup.HasClass(n, "gallery-item")
}

func isCaption(n *html.Node) bool {
	return n.DataAtom == atom.Figcaption || markup.HasClass(n, "wp-caption-text") || markup.HasClass(n, "gallery-caption")
}

// makeFigure makes an element that isFigure a figure of HTML5.
func makeFigure(n *html.Node) {
	n.Data, n.DataAtom = "figure", atom.Figure
	for c := range n.ChildNodes() {
		switch {
		case isCaption(c):
			c.Data, c.DataAtom = "figcaption", atom.Figcaption
		case c.DataAtom == atom.Dt:
			c.Data, c.DataAtom = "div", atom.Div
		}
	}
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

// largest returns the address of a picture's largest size. A cropped one, as galleries of
// the shortcode show, has no others beside it; the file that a link leads to, or else the
// one without the mark of a size, is the whole picture.
func largest(img *html.Node) string {
	address, isChosen := markup.Largest(img)
	if isChosen || !isSmaller(img) {
		return address
	}
	whole := stem(address)
	for a := img.Parent; a != nil; a = a.Parent {
		if link := markup.Attribute(a, "href"); a.DataAtom == atom.A && markup.IsPicture(link) && stem(link) == whole {
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
	return slices.ContainsFunc(strings.Fields(markup.Attribute(n, "class")), func(class string) bool {
		return strings.HasPrefix(class, "size-") && class != "size-full"
	})
}

// isAround reports whether a link holds a picture and leads to that picture's own page.
func isAround(a *html.Node) bool {
	if !slices.ContainsFunc(strings.Fields(markup.Attribute(a, "rel")), func(s string) bool { return s == "attachment" }) &&
		!markup.HasClass(a.Parent, "gallery-icon") {
		return false
	}
	for n := range a.Descendants() {
		if n.DataAtom == atom.Img {
			return !markup.IsPicture(markup.Attribute(a, "href"))
		}
	}
	return false
}
