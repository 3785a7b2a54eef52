package wordpress

import (
	"regexp"
	"strconv"

	"golang.org/x/net/html"

	"ayna/source/markup"
)

// attachment is the mark of a link to the page of a picture, with the picture's id: the
// attribute rel has it, or a short address.
var attachment = regexp.MustCompile(`(?:\bwp-att-|[?&;]attachment_id=)(\d+)\b`)

// attachmentLink is a link with that mark around words.
var attachmentLink = regexp.MustCompile(`<a\b[^>]*?` + attachment.String() + `[^>]*>\s*[^<\s]`)

// attachments returns the ids of the pictures to whose pages the words of a text lead, at
// most as many as one request reads. A text that is too long to be parsed has none.
func attachments(text string) (ids []number) {
	if len(text) > markup.MaxText {
		return nil
	}
	for _, m := range attachmentLink.FindAllStringSubmatch(text, perPage) {
		if id, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			ids = append(ids, number(id))
		}
	}
	return ids
}

// linkFile makes a link to the page of a picture one to its file.
func (t *textCleaner) linkFile(a *html.Node) {
	for _, name := range []string{"rel", "href"} {
		if m := attachment.FindStringSubmatch(markup.Attribute(a, name)); m != nil {
			id, _ := strconv.ParseInt(m[1], 10, 64) // 0 is the id of none
			if file := t.files[number(id)].Address; file != "" && !markup.IsPicture(markup.Attribute(a, "href")) {
				markup.SetAttribute(a, "href", file)
			}
		}
	}
}
