package feed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"github.com/gorilla/feeds"

	"ayna/generator/site"
)

// A field hides that of the same key in the embedded struct: the language of
// items must be there, and an attachment's size is called size_in_bytes.

type jsonItem struct {
	*feeds.JSONItem
	Language    string           `json:"language"`
	Attachments []jsonAttachment `json:"attachments,omitempty"`
}

type jsonAttachment struct {
	URL      string `json:"url"`
	MIMEType string `json:"mime_type"`
	Title    string `json:"title,omitempty"`
	Size     int64  `json:"size_in_bytes"`
}

// writeJSON writes the feed's own fields, and after them its items, which must
// be there though they be none.
func (f *feed) writeJSON(w io.Writer, links []link) error {
	document := feeds.JSONFeed{
		Version:     "https://jsonfeed.org/version/1.1",
		Title:       f.title,
		Language:    f.language,
		HomePageUrl: f.home,
		FeedUrl:     find(links, "self"),
		NextUrl:     find(links, "prev-archive"),
		Description: f.description,
		Icon:        f.icon,
		Favicon:     f.icon,
		Authors:     jsonAuthors([]person{f.author}),
	}
	if hub := find(links, "hub"); hub != "" {
		document.Hubs = []*feeds.JSONHub{{Type: "WebSub", Url: hub}}
	}
	head, err := marshalJSON(document, "")
	if err != nil {
		return err
	}
	end := "\n  ]\n}\n"
	if len(f.entries) == 0 {
		end = "[]\n}\n"
	}
	for _, piece := range [][]byte{
		bytes.TrimSuffix(head, []byte("\n}")), []byte(",\n  \"items\": "), f.elements(site.JSON, "[\n    ", ",\n    "), []byte(end),
	} {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

func (e *entry) json(language string) jsonItem {
	item := jsonItem{
		JSONItem: &feeds.JSONItem{
			Id:            e.id,
			Url:           e.link,
			ExternalUrl:   e.source,
			Title:         e.title,
			ContentHTML:   e.content,
			Summary:       e.summary,
			PublishedDate: &e.published,
			Authors:       jsonAuthors(e.authors),
		},
		Language: language,
	}
	if e.content == "" {
		// One of the two contents is required.
		item.ContentText = cmp.Or(e.summary, e.title)
	}
	if len(e.pictures) > 0 {
		item.Image = e.pictures[0].url
	}
	if e.updated.After(e.published) {
		item.ModifiedDate = &e.updated
	}
	for _, c := range e.categories {
		if !slices.Contains(item.Tags, c.name) { // a folder and a tag of one name
			item.Tags = append(item.Tags, c.name)
		}
	}
	if p, ok := e.enclosure(); ok {
		item.Attachments = []jsonAttachment{{URL: p.url, MIMEType: p.mediaType, Title: cmp.Or(p.title, p.caption), Size: p.bytes}}
	}
	return item
}

func jsonAuthors(people []person) []*feeds.JSONAuthor {
	list := make([]*feeds.JSONAuthor, len(people))
	for i, p := range people {
		list[i] = &feeds.JSONAuthor{Name: p.name, Url: p.page}
	}
	return list
}

// marshalJSON leaves <, > and & as they are: escaped they make a third more of
// an article, and a feed is never part of a page.
func marshalJSON(document any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	err := e.Encode(document)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}
