package prose

import (
	"net/url"
	"path"
	"strings"

	xhtml "golang.org/x/net/html"
)

// foldFilms makes a card of each paragraph that is the bare address of a film or sound at a known
// host, and of each figure that is a bare address at all, as blocks for embeds leave it. Of cards
// of the same thing below each other one stays, and no address of a card follows it.
func foldFilms(root *xhtml.Node) {
	var blocks []*xhtml.Node
	for n := range root.Descendants() {
		if n.Data == "p" || n.Data == "figure" && len(n.Attr) == 0 {
			blocks = append(blocks, n)
		}
	}
	for _, n := range blocks {
		if n.Parent == nil || n.Parent.Data == "figure" { // it went with its figure, or is not alone in it
			continue
		}
		page, poster := watchPage(bareAddress(n))
		if address, _ := OEmbed(page); address != "" || n.Data == "figure" && page != "" {
			makeCard(n, page, poster)
		}
	}
	var cards []*xhtml.Node
	for n := range root.Descendants() {
		if isCard(n) {
			cards = append(cards, n)
		}
	}
	for _, n := range cards {
		if n.Parent != nil {
			dropRepetitions(n)
		}
	}
}

func isCard(n *xhtml.Node) bool { return n.Data == "figure" && len(n.Attr) > 0 }

// IsBare reports whether words are an address alone.
func IsBare(words string) bool {
	words = asciiLower(words)
	return (strings.HasPrefix(words, "https://") || strings.HasPrefix(words, "http://")) && !strings.ContainsAny(words, blanks)
}

// bareAddress returns the address that is all that a block has beside a caption, "" if it has
// something else: words, or a link whose words are its address.
func bareAddress(n *xhtml.Node) string {
	href := ""
	for {
		child := n.FirstChild
		if child != nil && child.NextSibling != nil && child.NextSibling.Data == "figcaption" {
			if n.Data != "figure" || child.NextSibling.NextSibling != nil {
				return ""
			}
		} else if child == nil || child.NextSibling != nil {
			return ""
		}
		if child.Data == "a" {
			href = attribute(child.Attr, "href")
		}
		if n = child; n.Type == xhtml.TextNode {
			break
		}
	}
	words := strings.Trim(n.Data, blanks)
	if IsBare(words) && href == "" {
		href, _ = SafeURL(words)
	}
	if u, err := url.Parse(href); IsBare(words) || err == nil && href != "" && words == path.Base(u.Path) {
		return href
	}
	return ""
}

// makeCard turns a block into a card. A caption stays.
func makeCard(n *xhtml.Node, page, poster string) {
	n.RemoveChild(n.FirstChild)
	n.Data, n.DataAtom = "figure", 0
	n.Attr = []xhtml.Attribute{{Key: "class", Val: "player"}}
	link := newElement("a", xhtml.Attribute{Key: "href", Val: page})
	if poster != "" {
		link.AppendChild(newElement("img", xhtml.Attribute{Key: "src", Val: poster}, xhtml.Attribute{Key: "alt"}))
	}
	title := newElement("strong")
	title.AppendChild(textNode(HostOf(page)))
	link.AppendChild(title)
	n.InsertBefore(link, n.FirstChild)
}

// cardLink returns the link of a card, nil if it has none.
func cardLink(card *xhtml.Node) *xhtml.Node {
	if link := card.FirstChild; link != nil && link.Data == "a" {
		return link
	}
	return nil
}

// dropRepetitions removes what repeats a card in it and below it: cards of the same thing, of which
// a title, a picture and a caption stay, and its bare address.
func dropRepetitions(card *xhtml.Node) {
	link := cardLink(card)
	if link == nil {
		return
	}
	address := attribute(link.Attr, "href")
	repeats := func(n *xhtml.Node) bool {
		page, _ := watchPage(bareAddress(n))
		return page != "" && page == address
	}
	for n := link.NextSibling; n != nil; n = link.NextSibling {
		inside := newElement("p")
		next := n.NextSibling
		card.RemoveChild(n)
		inside.AppendChild(n)
		again := n.Data == "a" && attribute(n.Attr, "href") == address && n.LastChild != nil && n.LastChild.Data == "strong"
		if !again && !repeats(inside) {
			inside.RemoveChild(n)
			card.InsertBefore(n, next)
			break
		}
	}
	for n := card.NextSibling; n != nil; n = card.NextSibling {
		other := cardLink(n)
		switch {
		case isCard(n) && other != nil && attribute(other.Attr, "href") == address:
			mergeCard(card, n)
		case n.Data != "p" || !repeats(n):
			return
		}
		n.Parent.RemoveChild(n)
	}
}

// mergeCard gives a card what another one of the same thing has and it lacks.
func mergeCard(card, other *xhtml.Node) {
	link, second := cardLink(card), cardLink(other)
	host := HostOf(attribute(link.Attr, "href"))
	if textOf(link) == host && textOf(second) != host && second.LastChild.Data == "strong" {
		title := second.LastChild
		second.RemoveChild(title)
		link.RemoveChild(link.LastChild)
		link.AppendChild(title)
	}
	if img := second.FirstChild; link.FirstChild.Data == "strong" && img != nil && img.Data == "img" {
		second.RemoveChild(img)
		link.InsertBefore(img, link.FirstChild)
	}
	if len(attribute(other.Attr, "class")) > len(attribute(card.Attr, "class")) {
		card.Attr = other.Attr // it plays a file
	}
	if caption := other.LastChild; card.LastChild == link && caption.Data == "figcaption" {
		other.RemoveChild(caption)
		card.AppendChild(caption)
	}
}
