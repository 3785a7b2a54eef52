package feed

import (
	"context"
	"fmt"
	"io"
	"slices"

	"ayna/generator/output"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// opml is an outline of feeds as readers import it (OPML 2.0, subscription
// list).
type opml struct {
	XMLName  struct{}  `xml:"opml"`
	Version  string    `xml:"version,attr"`
	Title    string    `xml:"head>title"`
	Outlines []outline `xml:"body>outline"`
}

// outline is a feed, or a group of feeds. Never both: some readers drop what
// stands inside of a feed.
type outline struct {
	Text     string    `xml:"text,attr"`
	Title    string    `xml:"title,attr"`
	Type     string    `xml:"type,attr,omitempty"`
	XMLURL   string    `xml:"xmlUrl,attr,omitempty"`
	HTMLURL  string    `xml:"htmlUrl,attr,omitempty"`
	Outlines []outline `xml:"outline"`
}

// outlineFile returns the outline of all feeds.
func (r *Renderer) outlineFile() output.File {
	key := output.NewDigest("opml").Text(r.options.Base, r.site.Title)
	for list := range r.lists() {
		key.Text(list.Title, list.Dir)
	}
	for _, folder := range r.site.Folders {
		key.Text(folder.Path)
	}
	return output.File{
		Path: site.OPML,
		Key:  key.Key(),
		Write: func(_ context.Context, w io.Writer) error {
			if err := writeXML(w, root{r.outline()}); err != nil {
				return fmt.Errorf("outline of the feeds: %w", err)
			}
			return nil
		},
	}
}

func (r *Renderer) outline() opml {
	words := r.site.Words
	outlines := append([]outline{r.subscription(&r.site.Home)}, r.folders(r.site.Root.Folders)...)
	for _, group := range []outline{
		{Text: words.Writers, Outlines: subscriptions(r, r.site.Writers, func(w *site.Writer) *site.List { return &w.List })},
		{Text: words.Tags, Outlines: subscriptions(r, r.site.Tags, func(t *site.Tag) *site.List { return &t.List })},
		{Text: words.Pages, Outlines: subscriptions(r, r.site.Pages, func(p *site.Page) *site.List { return &p.List })},
		{Text: words.Searches, Outlines: subscriptions(r, r.site.Searches, func(s *site.Search) *site.List { return &s.List })},
	} {
		if len(group.Outlines) > 0 {
			group.Title = group.Text
			outlines = append(outlines, group)
		}
	}
	return opml{Version: "2.0", Title: prose.XML(r.site.Title), Outlines: outlines}
}

// folders outlines folders: one that has sub-folders is a group of its own
// feed and theirs.
func (r *Renderer) folders(folders []*site.Folder) []outline {
	var outlines []outline
	for _, folder := range folders {
		own := r.subscription(&folder.List)
		if len(folder.Folders) == 0 {
			outlines = append(outlines, own)
			continue
		}
		outlines = append(outlines, outline{
			Text: own.Text, Title: own.Title,
			Outlines: append([]outline{own}, r.folders(folder.Folders)...),
		})
	}
	return outlines
}

func subscriptions[T any](r *Renderer, things []T, list func(T) *site.List) []outline {
	var outlines []outline
	for _, l := range listsOf(things, list) {
		outlines = append(outlines, r.subscription(l))
	}
	return outlines
}

// subscription outlines the feed of a list, as RSS where there is one, which
// every reader knows.
func (r *Renderer) subscription(list *site.List) outline {
	format := r.site.Formats[0]
	if slices.Contains(r.site.Formats, site.RSS) {
		format = site.RSS
	}
	title := prose.XML(list.Title)
	return outline{
		Text: title, Title: title, Type: "rss",
		XMLURL: r.site.Absolute(list.Feed(format)), HTMLURL: r.site.Absolute(list.Index()),
	}
}
