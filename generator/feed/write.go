package feed

import (
	"encoding/xml"
	"io"
	"strings"

	"github.com/gorilla/feeds"

	"ayna/generator/site"
)

// write writes the feed in a format: its own fields around its entries, which
// are not put together before. style is the address of a style sheet as the file
// refers to it, may be empty.
func (r *Renderer) write(w io.Writer, f *feed, format site.Format, links []link, style string) error {
	var frame string
	var err error
	between, first := "\n", "\n"
	switch format {
	case site.RSS:
		frame, err = r.document(f.rss(links), style)
	case site.Atom:
		frame, err = r.document(f.atom(links), style)
	default:
		frame, err = f.json(links)
		between, first = ",\n    ", "\n    "
	}
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(frame, mark)
	text := func(s string) {
		if err == nil {
			_, err = io.WriteString(w, s)
		}
	}
	text(before)
	for i, e := range f.entries {
		if i == 0 {
			text(first)
		} else {
			text(between)
		}
		element := e.in(format)
		text(element.before)
		text(element.content)
		text(element.after)
	}
	text(after)
	return err
}

// link is how a feed refers to another file (RFC 8288).
type link struct {
	rel, href string
	mediaType string // may be empty
}

// links returns those of a channel's feed in a format: first to itself, then
// to the hub, then along the history.
func (r *Renderer) links(c *channel, format site.Format) []link {
	feed := func(rel, address string) link { return link{rel, r.site.Absolute(address), format.MediaType()} }
	links := []link{feed("self", c.address(format))}
	if hub := r.options.Hub; hub != "" && !c.history.archived {
		links = append(links, link{rel: "hub", href: hub})
	}
	for _, step := range []struct {
		rel     string
		address func(site.Format) string
	}{{"current", c.history.current}, {"prev-archive", c.history.previous}, {"next-archive", c.history.next}} {
		if step.address != nil {
			links = append(links, feed(step.rel, step.address(format)))
		}
	}
	return links
}

// find returns where the link of a relation leads, "" if there is none.
func find(links []link, rel string) string {
	for _, l := range links {
		if l.rel == rel {
			return l.href
		}
	}
	return ""
}

// document is feeds.WriteXML with the line breaks that it leaves out, and with
// a style sheet, for browsers.
func (r *Renderer) document(feed feeds.XmlFeed, style string) (string, error) {
	head := xml.Header
	if style != "" {
		head += `<?xml-stylesheet type="text/css" href="` + style + `"?>` + "\n"
	}
	element, err := r.documents.marshal(feed.FeedXml())
	return head + element + "\n", err
}

// root is the root element of an XML document.
type root struct{ element any }

// FeedXml implements [feeds.XmlFeed].
func (r root) FeedXml() any { return r.element }
