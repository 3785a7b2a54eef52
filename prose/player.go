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

// A Card is that of a file of video or audio.
type Card struct{ Address, Player, Title string }

// Cards returns the cards of files in a text.
func (b Body) Cards() (cards []Card) {
	before, isOpen := "", false
	for p := range b.pieces() {
		if file := fileOf(before); p.kind == linkRef && file != "" {
			cards, isOpen = append(cards, Card{Address: p.address, Player: file}), true
		}
		if isOpen && p.kind == 0 {
			title := strings.TrimSuffix(strings.TrimPrefix(p.literal, "<strong>"), "</strong>")
			cards[len(cards)-1].Title = html.UnescapeString(title)
		}
		isOpen = isOpen && p.kind != linkEnd
		before = p.literal
	}
	return cards
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

// playerTitle returns the title in the attributes, else the name of a file, else the host
// of the page.
func playerTitle(attr []xhtml.Attribute, watch string, isFile bool) string {
	for _, key := range []string{"title", "aria-label"} {
		if v := collapse(attribute(attr, key)); v != "" {
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
	return hostOf(watch)
}

// watchPage returns the address of the page that shows what a player plays, and the address
// of a picture for it, "" if unknown. The page of an unknown player is its own address.
func watchPage(player string) (page, poster string) {
	u, err := url.Parse(player)
	if err != nil {
		return player, ""
	}
	first, second := pathSegments(u)
	switch strings.TrimPrefix(strings.TrimPrefix(u.Hostname(), "www."), "m.") {
	case "youtube.com", "youtube-nocookie.com":
		id := u.Query().Get("v")
		if first == "embed" || first == "v" || first == "shorts" || first == "live" {
			id = second
		}
		if playlist := u.Query().Get("list"); id == "videoseries" && isID(playlist) {
			return "https://www.youtube.com/playlist?list=" + playlist, ""
		}
		if channel := u.Query().Get("channel"); id == "live_stream" && isID(channel) {
			return "https://www.youtube.com/channel/" + channel + "/live", ""
		}
		return youtube(id, player)
	case "youtu.be":
		return youtube(first, player)
	case "player.vimeo.com":
		if first == "video" && isID(second) {
			return "https://vimeo.com/" + second, ""
		}
	case "dailymotion.com":
		id, ok := strings.CutPrefix(u.Path, "/embed/video/")
		if ok && isID(id) {
			return "https://www.dailymotion.com/video/" + id, "https://www.dailymotion.com/thumbnail/video/" + id
		}
	case "facebook.com":
		if page, ok := SafeURL(u.Query().Get("href")); ok && first == "plugins" {
			return page, ""
		}
	}
	return player, ""
}

func youtube(id, player string) (page, poster string) {
	id, _, _ = strings.Cut(id, "&") // addresses of old players have "&" instead of "?"
	if !isID(id) || id == "videoseries" || id == "live_stream" {
		return player, ""
	}
	return "https://www.youtube.com/watch?v=" + id, "https://i.ytimg.com/vi/" + id + "/hqdefault.jpg"
}

func pathSegments(u *url.URL) (first, second string) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	second, _, _ = strings.Cut(rest, "/")
	return first, second
}

func isID(s string) bool {
	for i := range len(s) {
		if !isLetterOrDigit(s[i]) && s[i] != '-' && s[i] != '_' {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
