package record

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"ayna/attachment"
	"ayna/prose"
)

// attachments returns the files besides pictures that a text links or plays: those whose names
// have the extension of such a file, and what a player plays; and the pages of cards that lack a
// title or a picture which their hosts tell.
func attachments(body prose.Body) (list []Attachment) {
	players := make(map[string]attachment.Kind)
	for _, card := range body.Cards() {
		players[card.Address] = attachment.Kind(card.Player)
		if address, hasPicture := prose.OEmbed(card.Address); address != "" && (card.Title == "" || !hasPicture) {
			players[card.Address] = attachment.Card
		}
	}
	for _, address := range body.Links() {
		format, _ := attachment.Of(address)
		if kind := cmp.Or(format.Kind, players[address]); kind != "" {
			list = append(list, Attachment{address, kind})
		}
	}
	return list
}

// FileNames returns the names of the files besides pictures that a text links or plays, and the
// titles of their players, in lines.
func FileNames(body prose.Body) string {
	var lines []string
	for _, card := range body.Cards() {
		lines = append(lines, card.Title)
	}
	for _, a := range attachments(body) {
		if a.Kind != attachment.Card {
			lines = append(lines, attachment.Name(a.URL))
		}
	}
	return strings.Join(lines, "\n")
}

// html returns a link to an attachment, or a player of it.
func (f File) html() string {
	title, caption := cmp.Or(f.Title, f.Caption, attachment.Name(f.URL), f.URL), f.Caption
	if caption == title {
		caption = ""
	}
	address := html.EscapeString(f.URL)
	title, caption = html.EscapeString(title), html.EscapeString(caption)
	format, _ := attachment.Of(f.URL)
	if player, _, _ := strings.Cut(format.Type, "/"); player == "audio" || player == "video" {
		return fmt.Sprintf("\n<figure><%s src=\"%s\" title=\"%s\"></%[1]s><figcaption>%[4]s</figcaption></figure>", player, address, title, caption)
	}
	return fmt.Sprintf("\n<p><a href=\"%s\">%s</a> %s</p>", address, title, caption)
}
