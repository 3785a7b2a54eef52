package ghost

import (
	"cmp"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/markup"
)

// cards convert the cards of Ghost's editor, by their classes, to elements with the same
// content. Other cards are readable as they are.
var cards = map[string]func(*html.Node){
	"kg-gallery-card": gallery, "kg-bookmark-card": bookmark, "kg-callout-card": callout, "kg-toggle-card": toggle, "kg-video-card": video,
	"kg-audio-card": audio, "kg-file-card": file, "kg-product-card-rating": rating,
}

// gallery makes a block of a gallery, in which each picture is a figure.
func gallery(card *html.Node) {
	for _, img := range all(card, func(n *html.Node) bool { return n.DataAtom == atom.Img }) {
		wrap(img, atom.Figure)
	}
	for _, caption := range all(card, isCaption) {
		markup.Rename(caption, atom.P)
	}
	markup.Rename(card, atom.Div)
}

// bookmark makes a figure of the title of a page as a link, its description and its picture.
func bookmark(card *html.Node) {
	link := first(card, "kg-bookmark-container")
	if link == nil {
		return
	}
	address := markup.Attribute(link, "href")
	title := cmp.Or(textOf(card, "kg-bookmark-title"), address)
	by := strings.Trim(textOf(card, "kg-bookmark-author")+" · "+textOf(card, "kg-bookmark-publisher"), " ·")
	about := element(atom.Figcaption, element(atom.Strong, anchor(address, title)))
	for _, line := range []string{textOf(card, "kg-bookmark-description"), by} {
		if line != "" {
			about.AppendChild(element(atom.Br))
			about.AppendChild(text(line))
		}
	}
	for _, caption := range all(card, isCaption) {
		about.AppendChild(element(atom.Br))
		move(caption, about)
		markup.Remove(caption)
	}
	if thumbnail := first(card, "kg-bookmark-thumbnail"); thumbnail != nil {
		for _, img := range all(thumbnail, func(n *html.Node) bool { return n.DataAtom == atom.Img }) {
			markup.Remove(img)
			card.InsertBefore(img, link)
		}
	}
	card.InsertBefore(about, link)
	markup.Remove(link)
	if first := card.FirstChild; first == about {
		markup.Rename(about, atom.P) // a figure without a picture has no caption
	}
}

// callout makes a figure of a text that stands out.
func callout(card *html.Node) {
	markup.Rename(card, atom.Figure)
	emoji, words := first(card, "kg-callout-emoji"), first(card, "kg-callout-text")
	if words == nil {
		return
	}
	markup.Rename(words, atom.P)
	if emoji != nil {
		words.InsertBefore(text(markup.Text(emoji)+" "), words.FirstChild)
		markup.Remove(emoji)
	}
}

// toggle makes an element that opens without a script.
func toggle(card *html.Node) {
	heading := first(card, "kg-toggle-heading-text")
	if heading == nil {
		return
	}
	summary := element(atom.Summary)
	move(heading, summary)
	if whole := first(card, "kg-toggle-heading"); whole != nil {
		markup.Remove(whole)
	} else {
		markup.Remove(heading)
	}
	card.InsertBefore(summary, card.FirstChild)
	markup.Rename(card, atom.Details)
}

// video has its real poster beside it: the attribute of the element has an empty picture. A
// caption is its title, unless it has links.
func video(card *html.Node) {
	caption := ""
	for _, n := range all(card, isCaption) {
		if len(all(n, func(n *html.Node) bool { return n.DataAtom == atom.A })) > 0 {
			continue
		}
		caption = markup.Text(n)
		markup.Remove(n)
	}
	poster := cmp.Or(markup.Attribute(card, "data-kg-custom-thumbnail"), markup.Attribute(card, "data-kg-thumbnail"))
	for _, n := range all(card, func(n *html.Node) bool { return n.DataAtom == atom.Video }) {
		play(n, cmp.Or(caption, fileName(n)), poster)
	}
}

// audio has its picture before it, since players of sounds show none.
func audio(card *html.Node) {
	players := all(card, func(n *html.Node) bool { return n.DataAtom == atom.Audio })
	if len(players) == 0 {
		return
	}
	title := first(card, "kg-audio-title")
	for _, n := range players {
		play(n, cmp.Or(textOf(card, "kg-audio-title"), fileName(n)), "")
	}
	if title != nil {
		markup.Remove(title)
	}
	if thumbnail := first(card, "kg-audio-thumbnail"); thumbnail != nil && markup.Attribute(thumbnail, "src") != "" {
		picture := element(atom.Img)
		markup.SetAttribute(picture, "src", markup.Attribute(thumbnail, "src"))
		card.InsertBefore(picture, card.FirstChild)
	}
}

// play gives a player its title and poster.
func play(player *html.Node, title, poster string) {
	address := markup.Attribute(player, "src")
	player.Attr = nil
	for _, a := range []html.Attribute{{Key: "src", Val: address}, {Key: "title", Val: title}, {Key: "poster", Val: poster}} {
		markup.SetAttribute(player, a.Key, a.Val)
	}
	markup.SetAttribute(player, "preload", "none")
	player.Attr = append(player.Attr, html.Attribute{Key: "controls"})
}

// fileName returns the name of the file that an element shows.
func fileName(n *html.Node) string { return path.Base(markup.Attribute(n, "src")) }

// file makes a paragraph with a link to the file. Its size is left out: pages show that of mirrored files.
func file(card *html.Node) {
	link := first(card, "kg-file-card-container")
	if link == nil {
		return
	}
	address, name := markup.Attribute(link, "href"), textOf(card, "kg-file-card-filename")
	words := element(atom.P, anchor(address, cmp.Or(textOf(card, "kg-file-card-title"), name, address)))
	about := strings.Trim(textOf(card, "kg-file-card-caption")+" · "+name, " ·")
	if about != "" {
		words.AppendChild(element(atom.Br))
		words.AppendChild(text(about))
	}
	card.InsertBefore(words, link)
	markup.Remove(link)
}

// rating writes the stars of a product, which are drawings.
func rating(card *html.Node) {
	stars := ""
	for _, n := range all(card, func(n *html.Node) bool { return markup.HasClass(n, "kg-product-card-rating-star") }) {
		if markup.HasClass(n, "kg-product-card-rating-active") {
			stars += "★"
		} else {
			stars += "☆"
		}
	}
	for card.FirstChild != nil {
		card.RemoveChild(card.FirstChild)
	}
	card.AppendChild(element(atom.P, text(stars)))
}

func isCaption(n *html.Node) bool { return n.DataAtom == atom.Figcaption }

// all returns the elements below a card that keep accepts.
func all(card *html.Node, keep func(*html.Node) bool) (list []*html.Node) {
	for n := range card.Descendants() {
		if n.Type == html.ElementNode && keep(n) {
			list = append(list, n)
		}
	}
	return list
}

// first returns the first element below a card with a class, or nil.
func first(card *html.Node, class string) *html.Node {
	for n := range card.Descendants() {
		if n.Type == html.ElementNode && markup.HasClass(n, class) {
			return n
		}
	}
	return nil
}

// textOf returns the text of the first element with a class.
func textOf(card *html.Node, class string) string {
	n := first(card, class)
	if n == nil {
		return ""
	}
	return markup.Text(n)
}

func text(words string) *html.Node { return &html.Node{Type: html.TextNode, Data: words} }

func element(a atom.Atom, children ...*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: a.String(), DataAtom: a}
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}

func anchor(address, words string) *html.Node {
	a := element(atom.A, text(words))
	markup.SetAttribute(a, "href", address)
	return a
}

// move moves what is in an element to the end of another one.
func move(from, to *html.Node) {
	for from.FirstChild != nil {
		n := from.FirstChild
		from.RemoveChild(n)
		to.AppendChild(n)
	}
}

// wrap puts an element around another one.
func wrap(n *html.Node, around atom.Atom) {
	outer := element(around)
	n.Parent.InsertBefore(outer, n)
	markup.Remove(n)
	outer.AppendChild(n)
}
