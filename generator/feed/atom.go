package feed

import (
	"strconv"
	"time"

	"github.com/gorilla/feeds"
)

// generator is the name under which feeds say what made them.
const generator = "ayna"

// Of the embedded structs, Link, Author and Category stay empty: they hold one
// value where a feed needs several, or attributes that they lack.

type atomFeed struct {
	*feeds.AtomFeed
	Lang      string             `xml:"xml:lang,attr"`
	Media     string             `xml:"xmlns:media,attr"`
	History   string             `xml:"xmlns:fh,attr,omitempty"`
	Archived  *struct{}          `xml:"fh:archive"`
	Links     []feeds.AtomLink   `xml:"link"`
	Authors   []feeds.AtomPerson `xml:"author"`
	Generator string             `xml:"generator"`
	Entries   []byte             `xml:",innerxml"`
}

type atomEntry struct {
	XMLName struct{} `xml:"entry"`
	*feeds.AtomEntry
	Authors    []feeds.AtomPerson `xml:"author"`
	Categories []atomCategory     `xml:"category"`
	Media      []mediaContent     `xml:"media:content"`
	Content    *atomContent       `xml:"content"`
}

// atomContent is HTML as it is: escaped as text it takes ten times as long and
// a third more room.
type atomContent struct {
	Type string `xml:"type,attr"`
	HTML string `xml:",cdata"`
}

type atomCategory struct {
	Term   string `xml:"term,attr"`
	Scheme string `xml:"scheme,attr"`
}

func (f *feed) atom(links []link) feeds.XmlFeed {
	document := atomFeed{
		AtomFeed: &feeds.AtomFeed{
			Xmlns:    "http://www.w3.org/2005/Atom",
			Title:    f.title,
			Id:       f.id,
			Updated:  f.updated.Format(time.RFC3339),
			Rights:   f.rights,
			Subtitle: plain(f.description),
			Icon:     f.icon,
			Logo:     f.icon,
		},
		Lang:      f.language,
		Media:     mediaNamespace,
		Links:     []feeds.AtomLink{{Href: f.home, Rel: "alternate", Type: "text/html"}},
		Authors:   atomPeople([]person{f.author}),
		Generator: generator,
	}
	for _, l := range links {
		document.Links = append(document.Links, feeds.AtomLink{Href: l.href, Rel: l.rel, Type: l.mediaType})
	}
	if f.archived {
		document.History, document.Archived = historyNamespace, &struct{}{}
	}
	document.Entries = []byte(mark)
	return root{document}
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
		Authors: atomPeople(e.authors),
		Media:   e.media(),
	}
	if e.source != "" {
		a.Links = append(a.Links, feeds.AtomLink{Href: e.source, Rel: "via"})
	}
	if p, ok := e.enclosure(); ok {
		a.Links = append(a.Links, feeds.AtomLink{Href: p.url, Rel: "enclosure", Type: p.mediaType, Length: strconv.FormatInt(p.bytes, 10)})
	}
	if e.summary != "" {
		a.Summary = &feeds.AtomSummary{Content: plain(e.summary), Type: "text"}
	}
	if e.content != "" {
		a.Content = &atomContent{Type: "html", HTML: e.content}
	}
	for _, c := range e.categories {
		a.Categories = append(a.Categories, atomCategory{Term: c.name, Scheme: c.page})
	}
	return a
}

func atomPeople(people []person) []feeds.AtomPerson {
	list := make([]feeds.AtomPerson, len(people))
	for i, p := range people {
		list[i] = feeds.AtomPerson{Name: p.name, Uri: p.page}
	}
	return list
}
