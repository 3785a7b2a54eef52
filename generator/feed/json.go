package feed

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gorilla/feeds"
)

// A field hides the field of the embedded struct with the same key: the language of
// items is required, and the size of an attachment is called size_in_bytes.

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

// json returns the feed's own fields with a placeholder for its items, an array that is
// required even if it is empty.
func (f *feed) json(links []link) (string, error) {
	document := feeds.JSONFeed{
		Version:     "https://jsonfeed.org/version/1.1",
		Title:       f.title,
		Language:    f.language,
		HomePageUrl: f.home,
		FeedUrl:     hrefOf(links, "self"),
		NextUrl:     hrefOf(links, "prev-archive"),
		Description: inert(f.description),
		Icon:        f.icon,
		Favicon:     f.favicon,
		Authors:     jsonAuthors([]namedPage{f.author}),
	}
	if hub := hrefOf(links, "hub"); hub != "" {
		document.Hubs = []*feeds.JSONHub{{Type: "WebSub", Url: hub}}
	}
	head, err := marshalJSON(document, "", indent)
	items := "[" + entriesPlaceholder + "\n  ]"
	if len(f.entries) == 0 {
		items = "[" + entriesPlaceholder + "]"
	}
	return strings.TrimSuffix(head, "\n}") + ",\n  \"items\": " + items + "\n}\n", err
}

func (e *entry) json(language string) jsonItem {
	item := jsonItem{
		JSONItem: &feeds.JSONItem{
			Id:            e.id,
			Url:           e.link,
			ExternalUrl:   e.source,
			Title:         e.title,
			ContentHTML:   e.content,
			Summary:       inert(e.summary),
			PublishedDate: &e.published,
			Authors:       jsonAuthors(e.authors),
		},
		Language: language,
	}
	if e.content == "" {
		// One of the two contents is required.
		item.ContentText = cmp.Or(inert(e.summary), e.title)
	}
	if len(e.pictures) > 0 {
		item.Image = e.pictures[0].URL
	}
	if e.updated.After(e.published) {
		item.ModifiedDate = &e.updated
	}
	for _, c := range e.categories {
		if !slices.Contains(item.Tags, c.Name) { // a folder and a tag of one name
			item.Tags = append(item.Tags, c.Name)
		}
	}
	for _, p := range e.enclosures() {
		item.Attachments = append(item.Attachments, jsonAttachment{URL: p.URL, MIMEType: p.Type, Title: cmp.Or(p.Title, p.Description), Size: p.FileSize})
	}
	return item
}

func jsonAuthors(people []namedPage) []*feeds.JSONAuthor {
	list := make([]*feeds.JSONAuthor, len(people))
	for i, p := range people {
		list[i] = &feeds.JSONAuthor{Name: p.Name, Url: p.Page, Avatar: p.Picture}
	}
	return list
}

// marshalJSON does not escape <, > and &, which would make an article a third longer: a
// feed is never part of a page.
func marshalJSON(document any, prefix, indent string) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	err := e.Encode(document)
	return strings.TrimSuffix(b.String(), "\n"), err
}
