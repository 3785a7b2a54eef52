package feed

import (
	"context"
	"fmt"
	"io"

	"ayna/generator/output"
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

// outline is a feed or a group of feeds, never both: some readers drop the outlines
// inside of a feed.
type outline struct {
	Text     string    `xml:"text,attr"`
	Title    string    `xml:"title,attr"`
	Type     string    `xml:"type,attr,omitempty"`
	XMLURL   string    `xml:"xmlUrl,attr,omitempty"`
	HTMLURL  string    `xml:"htmlUrl,attr,omitempty"`
	Language string    `xml:"language,attr,omitempty"`
	Outlines []outline `xml:"outline"`
}

// outlineFile returns the outline of all feeds.
func (r *Renderer) outlineFile() output.File {
	return output.File{
		Path: site.OPML,
		Write: func(_ context.Context, w io.Writer) error {
			text, err := xmlDocument(r.outline(), "")
			if err == nil {
				_, err = io.WriteString(w, text)
			}
			if err != nil {
				return fmt.Errorf("outline of the feeds: %w", err)
			}
			return nil
		},
	}
}

func (r *Renderer) outline() opml {
	w := r.site.Words
	titles := map[site.ListKind]string{
		site.OfWriters: w.Writers, site.OfTags: w.Tags, site.OfKinds: w.AllKinds,
		site.OfPages: w.Pages, site.OfSearches: w.Searches, site.OfMixes: w.CustomLists,
	}
	groups := make(map[site.ListKind]*outline)
	var outlines []outline
	for list := range r.site.Lists() {
		switch title := inert(titles[list.Kind]); {
		case len(r.site.FeedFormats(list)) == 0, list.Kind == site.OfFolders: // folders have a tree of their own
		case title == "":
			outlines = append(outlines, r.subscription(r.channel(list)))
		default:
			if groups[list.Kind] == nil {
				groups[list.Kind] = &outline{Text: title, Title: title}
			}
			groups[list.Kind].Outlines = append(groups[list.Kind].Outlines, r.subscription(r.channel(list)))
		}
	}
	outlines = append(outlines, r.folderOutlines(r.site.Root.Folders)...)
	for _, sort := range site.ListKinds {
		if group := groups[sort]; group != nil {
			outlines = append(outlines, *group)
		}
	}
	return opml{Version: "2.0", Title: inert(r.site.Title), Outlines: outlines}
}

// folderOutlines outlines folders: one that has sub-folders is a group of its own
// feeds and theirs.
func (r *Renderer) folderOutlines(folders []*site.Folder) []outline {
	var outlines []outline
	for _, folder := range folders {
		var own []outline
		if len(r.site.FeedFormats(&folder.List)) > 0 {
			own = append(own, r.subscription(r.channel(&folder.List)))
		}
		if r.site.ListsOwn(folder) {
			own = append(own, r.subscription(r.own(folder)))
		}
		if len(folder.Folders) == 0 {
			outlines = append(outlines, own...)
			continue
		}
		title := inert(folder.Title)
		group := outline{Text: title, Title: title, Outlines: append(own, r.folderOutlines(folder.Folders)...)}
		if len(group.Outlines) > 0 {
			outlines = append(outlines, group)
		}
	}
	return outlines
}

// subscription outlines the feed of a channel, as RSS where there is one, which
// every reader knows.
func (r *Renderer) subscription(c *channel) outline {
	format := site.BestFormat(c.formats)
	o := outline{
		Text: inert(c.title), Title: inert(c.title), Type: "rss", // of Atom feeds too
		XMLURL: r.site.Absolute(c.address(format)), HTMLURL: r.site.Absolute(c.page), Language: r.site.Language,
	}
	if format == site.JSON {
		o.Type = "JSONFeed" // as FreshRSS writes it
	}
	return o
}
