package feed

import (
	"strconv"
	"time"

	"github.com/gorilla/feeds"
)

// The wrappers below add to the structs of gorilla/feeds what RSS feeds need
// of other namespaces, and several categories. A field hides that of the same
// element in the embedded struct. The atom:link elements come first: some
// readers match any namespace and take the last link for the site's address.

type rssRoot struct {
	XMLName struct{}   `xml:"rss"`
	Version string     `xml:"version,attr"`
	Atom    string     `xml:"xmlns:atom,attr"`
	Content string     `xml:"xmlns:content,attr"`
	DC      string     `xml:"xmlns:dc,attr"`
	Media   string     `xml:"xmlns:media,attr"`
	History string     `xml:"xmlns:fh,attr,omitempty"`
	Channel rssChannel `xml:"channel"`
}

type rssChannel struct {
	Links    []rssLink `xml:"atom:link"`
	Archived *struct{} `xml:"fh:archive"`
	*feeds.RssFeed
	Items []byte `xml:",innerxml"`
}

type rssItem struct {
	XMLName struct{}  `xml:"item"`
	Via     []rssLink `xml:"atom:link"`
	*feeds.RssItem
	Categories []rssCategory  `xml:"category"`
	Creator    string         `xml:"dc:creator"`
	Updated    string         `xml:"atom:updated,omitempty"`
	Media      []mediaContent `xml:"media:content"`
}

type rssLink struct {
	Href string `xml:"href,attr"`
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
}

type rssCategory struct {
	Domain string `xml:"domain,attr"`
	Name   string `xml:",chardata"`
}

// mediaContent is a picture of an entry (Media RSS 1.5.1), in Atom too.
type mediaContent struct {
	URL         string `xml:"url,attr"`
	Type        string `xml:"type,attr,omitempty"`
	Medium      string `xml:"medium,attr"`
	FileSize    int64  `xml:"fileSize,attr,omitempty"`
	Width       int    `xml:"width,attr,omitempty"`
	Height      int    `xml:"height,attr,omitempty"`
	Title       string `xml:"media:title,omitempty"`
	Description string `xml:"media:description,omitempty"`
	Credit      credit `xml:"media:credit"`
}

// credit says whom a picture is from: the service says no more of pictures than
// that it distributes them.
type credit struct {
	Role   string `xml:"role,attr"`
	Scheme string `xml:"scheme,attr"`
	Name   string `xml:",chardata"`
}

// Namespaces that both XML formats use.
const (
	mediaNamespace   = "http://search.yahoo.com/mrss/"
	historyNamespace = "http://purl.org/syndication/history/1.0" // RFC 5005
)

// ttl is how many minutes a reader may wait before it asks again.
const ttl = 60

func (f *feed) rss(links []link) feeds.XmlFeed {
	channel := rssChannel{
		RssFeed: &feeds.RssFeed{
			Title:       f.title,
			Link:        f.home,
			Description: asHTML(f.description),
			Language:    f.language,
			Copyright:   f.rights,
			Generator:   generator,
			Ttl:         ttl,
		},
	}
	for _, l := range links {
		channel.Links = append(channel.Links, rssLink{Href: l.href, Rel: l.rel, Type: l.mediaType})
	}
	if f.icon != "" {
		channel.Image = &feeds.RssImage{Url: f.icon, Title: f.title, Link: f.home}
	}
	if len(f.entries) > 0 {
		channel.LastBuildDate = rssDate(f.updated)
	}
	channel.Items = []byte(mark)
	r := rssRoot{
		Version: "2.0",
		Atom:    "http://www.w3.org/2005/Atom",
		Content: "http://purl.org/rss/1.0/modules/content/",
		DC:      "http://purl.org/dc/elements/1.1/",
		Media:   mediaNamespace,
	}
	if f.archived {
		r.History, channel.Archived = historyNamespace, &struct{}{}
	}
	r.Channel = channel
	return root{r}
}

func (e *entry) rss() rssItem {
	item := rssItem{
		RssItem: &feeds.RssItem{
			Title:       e.title,
			Link:        e.link,
			Description: asHTML(e.summary),
			Guid:        &feeds.RssGuid{Id: e.id, IsPermaLink: "false"},
			PubDate:     rssDate(e.published),
		},
		Creator: e.byline(),
		Media:   e.media(),
	}
	if e.source != "" {
		item.Via = []rssLink{{Href: e.source, Rel: "via"}}
	}
	if e.content != "" {
		item.Content = &feeds.RssContent{Content: e.content}
	}
	for _, c := range e.categories {
		item.Categories = append(item.Categories, rssCategory{Domain: c.page, Name: c.name})
	}
	if p, ok := e.enclosure(); ok {
		item.Enclosure = &feeds.RssEnclosure{Url: p.url, Length: strconv.FormatInt(p.bytes, 10), Type: p.mediaType}
	}
	if e.updated.After(e.published) {
		item.Updated = e.updated.Format(time.RFC3339)
	}
	return item
}

func (e *entry) media() []mediaContent {
	var media []mediaContent
	for _, p := range e.pictures {
		media = append(media, mediaContent{
			URL: p.url, Type: p.mediaType, Medium: "image", FileSize: p.bytes, Width: p.width, Height: p.height,
			Title: p.title, Description: p.caption,
			Credit: credit{"distribution company", "urn:ebu", e.publisher},
		})
	}
	return media
}

// rssDate writes a date in the one form that every reader reads: numeric zone,
// English names.
func rssDate(t time.Time) string { return t.UTC().Format(time.RFC1123Z) }
