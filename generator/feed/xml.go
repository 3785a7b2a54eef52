package feed

import (
	"encoding/xml"
	"slices"
	"strconv"
	"time"

	"github.com/gorilla/feeds"
)

// The structs below extend those of gorilla/feeds by elements of other namespaces, and
// by several categories. A field hides the field of the embedded struct with the same
// element. The atom:link elements come first: some readers ignore namespaces and take
// the last link for the site's address.

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
	Links    []link    `xml:"atom:link"`
	Archived *struct{} `xml:"fh:archive"`
	*feeds.RssFeed
	Items []byte `xml:",innerxml"`
}

type rssItem struct {
	XMLName struct{} `xml:"item"`
	Via     []link   `xml:"atom:link"`
	*feeds.RssItem
	Categories []rssCategory  `xml:"category"`
	Creator    string         `xml:"dc:creator"`
	Updated    string         `xml:"atom:updated,omitempty"`
	Readers    *slashComments `xml:"slash:comments"`
	Media      []mediaContent `xml:"media:content"`
	Lead       *mediaGroup    `xml:"media:group"`
}

// slashComments and threadTotal count the comments of readers (RSS module Slash, RFC 4685). They
// have their namespaces themselves, since most feeds have none of them.
type slashComments struct {
	Namespace string `xml:"xmlns:slash,attr"`
	Count     int    `xml:",chardata"`
}

type threadTotal struct {
	Namespace string `xml:"xmlns:thr,attr"`
	Count     int    `xml:",chardata"`
}

// link is a feed's link to another file (RFC 8288), as an element of both XML formats.
type link struct {
	Href string `xml:"href,attr"`
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
}

type rssCategory struct {
	Domain string `xml:"domain,attr"`
	Name   string `xml:",chardata"`
}

// mediaContent is a picture or an attachment of an entry (Media RSS 1.5.1), in Atom too.
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

	Sizes []mediaSize `xml:"-"` // smaller ones
}

// mediaSize is a size of a picture.
type mediaSize struct {
	URL      string `xml:"url,attr"`
	Type     string `xml:"type,attr,omitempty"`
	Medium   string `xml:"medium,attr"`
	FileSize int64  `xml:"fileSize,attr,omitempty"` // 0 if unknown
	Width    int    `xml:"width,attr,omitempty"`
	Height   int    `xml:"height,attr,omitempty"`
}

// mediaGroup is a picture in several sizes, the largest first.
type mediaGroup struct {
	Sizes       []mediaSize `xml:"media:content"`
	Title       string      `xml:"media:title,omitempty"`
	Description string      `xml:"media:description,omitempty"`
	Credit      credit      `xml:"media:credit"`
}

// media returns the pictures and attachments. The lead picture is a group if it has several
// sizes: readers choose one for their lists.
func (e *entry) media() ([]mediaContent, *mediaGroup) {
	list := slices.Concat(e.pictures, e.attached)
	if len(e.pictures) == 0 || len(e.pictures[0].Sizes) == 0 {
		return list, nil
	}
	p := e.pictures[0]
	all := append(p.Sizes[:len(p.Sizes):len(p.Sizes)], mediaSize{p.URL, p.Type, p.Medium, p.FileSize, p.Width, p.Height})
	slices.Reverse(all)
	return list[1:], &mediaGroup{all, p.Title, p.Description, p.Credit}
}

// credit names the service as the distributor of a picture; its author is not known.
type credit struct {
	Role   string `xml:"role,attr"`
	Scheme string `xml:"scheme,attr"`
	Name   string `xml:",chardata"`
}

// Namespaces of extensions.
const (
	mediaNamespace   = "http://search.yahoo.com/mrss/"
	historyNamespace = "http://purl.org/syndication/history/1.0" // RFC 5005
	slashNamespace   = "http://purl.org/rss/1.0/modules/slash/"
	threadNamespace  = "http://purl.org/syndication/thread/1.0"
)

const (
	generator = "ayna"
	ttl       = 60 // minutes after which a reader should fetch the feed again
)

func (f *feed) rss(links []link) rssRoot {
	channel := rssChannel{
		Links: links, Items: []byte(entriesPlaceholder),
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
	if f.icon != "" {
		channel.Image = &feeds.RssImage{Url: f.icon, Title: f.title, Link: f.home}
	}
	if len(f.entries) > 0 {
		channel.LastBuildDate = rssDate(f.updated)
	}
	r := rssRoot{
		Version: "2.0",
		Atom:    "http://www.w3.org/2005/Atom",
		Content: "http://purl.org/rss/1.0/modules/content/",
		DC:      "http://purl.org/dc/elements/1.1/",
		Media:   mediaNamespace,
		Channel: channel,
	}
	if f.archived {
		r.History, r.Channel.Archived = historyNamespace, &struct{}{}
	}
	return r
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
	}
	item.Media, item.Lead = e.media()
	if e.source != "" {
		item.Via = []link{{Href: e.source, Rel: "via"}}
	}
	if e.content != "" {
		item.Content = &feeds.RssContent{Content: e.content}
	}
	for _, c := range e.categories {
		item.Categories = append(item.Categories, rssCategory{Domain: c.Page, Name: c.Name})
	}
	if files := e.enclosures(); len(files) > 0 { // RSS has one alone
		p := files[0]
		item.Enclosure = &feeds.RssEnclosure{Url: p.URL, Length: strconv.FormatInt(p.FileSize, 10), Type: p.Type}
	}
	if e.updated.After(e.published) {
		item.Updated = e.updated.Format(time.RFC3339)
	}
	if e.comments > 0 {
		item.Readers = &slashComments{slashNamespace, e.comments}
	}
	return item
}

// rssDate writes a date with a numeric zone and English names (RFC 1123), the one form
// that every reader understands.
func rssDate(t time.Time) string { return t.UTC().Format(time.RFC1123Z) }

// Link, Author and Category of the embedded structs stay empty: they lack attributes, or
// hold one value where a feed has several.

type atomFeed struct {
	*feeds.AtomFeed
	Lang      string    `xml:"xml:lang,attr"`
	Media     string    `xml:"xmlns:media,attr"`
	History   string    `xml:"xmlns:fh,attr,omitempty"`
	Archived  *struct{} `xml:"fh:archive"`
	Links     []link    `xml:"link"`
	Author    namedPage `xml:"author"`
	Generator string    `xml:"generator"`
	Entries   []byte    `xml:",innerxml"`
}

type atomEntry struct {
	XMLName struct{} `xml:"entry"`
	*feeds.AtomEntry
	Authors    []namedPage    `xml:"author"`
	Categories []atomCategory `xml:"category"`
	Media      []mediaContent `xml:"media:content"`
	Lead       *mediaGroup    `xml:"media:group"`
	Readers    *threadTotal   `xml:"thr:total"`
	Content    *atomContent   `xml:"content"`
}

// atomContent holds HTML as CDATA: escaped, it would take ten times as long to write and
// a third more bytes.
type atomContent struct {
	Type string `xml:"type,attr"`
	HTML string `xml:",cdata"`
}

type atomCategory struct {
	Term   string `xml:"term,attr"`
	Scheme string `xml:"scheme,attr"`
}

func (f *feed) atom(links []link) atomFeed {
	document := atomFeed{
		AtomFeed: &feeds.AtomFeed{
			Xmlns:    "http://www.w3.org/2005/Atom",
			Title:    f.title,
			Id:       f.id,
			Updated:  f.updated.Format(time.RFC3339),
			Rights:   f.rights,
			Subtitle: inert(f.description),
			Icon:     f.icon,
			Logo:     f.icon,
		},
		Lang:      f.language,
		Media:     mediaNamespace,
		Links:     append([]link{{Href: f.home, Rel: "alternate", Type: "text/html"}}, links...),
		Author:    f.author,
		Generator: generator,
		Entries:   []byte(entriesPlaceholder),
	}
	if f.archived {
		document.History, document.Archived = historyNamespace, &struct{}{}
	}
	return document
}

func (e *entry) atom() atomEntry {
	a := atomEntry{
		AtomEntry: &feeds.AtomEntry{
			Title:     e.title,
			Id:        e.id,
			Published: e.published.Format(time.RFC3339),
			Updated:   e.updated.Format(time.RFC3339),
			Links:     []feeds.AtomLink{{Href: e.link, Rel: "alternate", Type: "text/html"}},
		},
		Authors: e.authors,
	}
	a.Media, a.Lead = e.media()
	if e.source != "" {
		a.Links = append(a.Links, feeds.AtomLink{Href: e.source, Rel: "via"})
	}
	for _, p := range e.enclosures() {
		a.Links = append(a.Links, feeds.AtomLink{Href: p.URL, Rel: "enclosure", Type: p.Type, Length: strconv.FormatInt(p.FileSize, 10)})
	}
	if e.summary != "" {
		a.Summary = &feeds.AtomSummary{Content: inert(e.summary), Type: "text"}
	}
	if e.content != "" {
		a.Content = &atomContent{Type: "html", HTML: e.content}
	}
	for _, c := range e.categories {
		a.Categories = append(a.Categories, atomCategory{Term: c.Name, Scheme: c.Page})
	}
	if e.comments > 0 {
		a.Readers = &threadTotal{threadNamespace, e.comments}
	}
	return a
}

// xmlDocument returns an XML document. style is the address of its style sheet for
// browsers, "" for none.
func xmlDocument(element any, style string) (string, error) {
	head := xml.Header
	if style != "" {
		head += `<?xml-stylesheet type="text/css" href="` + style + `"?>` + "\n"
	}
	text, err := marshalXML(element, "")
	return head + text + "\n", err
}

// indent is the indentation of each level of a feed.
const indent = "  "

// marshalXML encodes an element with the indentation of its place.
func marshalXML(element any, prefix string) (string, error) {
	text, err := xml.MarshalIndent(element, prefix, indent)
	return string(text), err
}
