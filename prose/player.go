package prose

import (
	"html"
	"net/url"
	"path"
	"strings"

	xhtml "golang.org/x/net/html"

	"ayna/source/markup"
)

// players are the elements that embed a page, video or audio of another site. Each
// becomes a card: a title that links to the page to watch it, and a picture if one is
// known. The class of a file's card names the element that can play the file.
var players = map[string]bool{"iframe": true, "embed": true, "object": true, "video": true, "audio": true}

// playerTag begins a card in a cleaned text; one of fileTags begins the card of a file.
const playerTag = `<figure class="player">`

var fileTags = map[string]string{`<figure class="player video">`: "video", `<figure class="player audio">`: "audio"}

// fileOf returns the element that plays the file of a card, "" if the card is not that of a
// file. literal is the HTML in front of the card's link.
func fileOf(literal string) string {
	return fileTags[literal[max(0, strings.LastIndexByte(literal, '<')):]]
}

// A Card is that of a player in a text.
type Card struct {
	Address string // of a file, or of a page of another site
	Player  string // the element that plays the file, "" of a page
	Title   string // "" if the text has none for a page
}

// Cards returns the cards of a text.
func (b Body) Cards() (cards []Card) {
	before, isOpen := "", false
	for p := range b.pieces() {
		if p.kind == linkRef && beginsCard(before) {
			cards, isOpen = append(cards, Card{Address: p.address, Player: fileOf(before)}), true
		}
		if isOpen && p.kind == 0 {
			card := &cards[len(cards)-1]
			if card.Title = cardTitle(p.literal); card.Player == "" && card.Title == HostOf(card.Address) {
				card.Title = ""
			}
		}
		isOpen = isOpen && p.kind != linkEnd
		before = p.literal
	}
	return cards
}

// cardTitle returns the title in the HTML inside the link of a card.
func cardTitle(literal string) string {
	return html.UnescapeString(strings.TrimSuffix(strings.TrimPrefix(literal, "<strong>"), "</strong>"))
}

// beginsCard reports whether the HTML in front of a link ends with the beginning of a card.
func beginsCard(literal string) bool {
	return strings.HasSuffix(literal, playerTag) || fileOf(literal) != ""
}

// player writes the card for tokens[i]. It reports whether to skip the content of
// the element.
func (w *rewriter) player(tokens []token, i int) (skip bool) {
	t := &tokens[i]
	if isTiny(t.attr) {
		return true
	}
	address, ok := resolve(w.base, playerAddress(tokens, i))
	if !ok {
		return t.tag == "iframe"
	}
	watch, poster := watchPage(address)
	if own, ok := resolve(w.base, attribute(t.attr, "poster")); ok {
		poster = own
	}
	class, isFile := "player", watch == address && (t.tag == "video" || t.tag == "audio")
	if isFile {
		class += " " + t.tag
	}
	w.tag("figure", "class", class)
	w.tag("a", "href", watch)
	if poster != "" {
		w.tag("img", "src", poster, "alt", "")
	}
	w.tag("strong")
	w.text(playerTitle(t.attr, watch, isFile))
	w.end("strong")
	w.end("a")
	w.end("figure")
	return true
}

// playerAddress returns the address that a player plays, from its own attributes or
// from those of the first player or source inside it that has an address.
func playerAddress(tokens []token, i int) string {
	for _, t := range tokens[i:max(i+1, tokens[i].end)] {
		if players[t.tag] || t.tag == "source" {
			if address := markup.PlayerAddress(t.attr); address != "" {
				return address
			}
		}
		if name := asciiLower(attribute(t.attr, "name")); t.tag == "param" && (name == "movie" || name == "src") {
			return attribute(t.attr, "value")
		}
	}
	return ""
}

// unnamed are the titles that hosts give to all of their players.
var unnamed = map[string]bool{"youtube video player": true, "vimeo-player": true, "vimeo video player": true, "dailymotion video player": true}

// playerTitle returns the title in the attributes, else the name of a file, else the host
// of the page.
func playerTitle(attr []xhtml.Attribute, watch string, isFile bool) string {
	for _, key := range []string{"title", "aria-label"} {
		if v := collapse(attribute(attr, key)); v != "" && !unnamed[asciiLower(v)] && !IsBare(v) {
			return Shorten(v, 200)
		}
	}
	u, err := url.Parse(watch)
	if err != nil {
		return watch
	}
	if name := path.Base(u.Path); isFile && name != "/" && name != "." {
		return Shorten(collapse(balanceDirections(name)), 200)
	}
	return HostOf(watch)
}
