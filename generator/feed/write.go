package feed

import (
	"encoding/xml"
	"io"

	"github.com/gorilla/feeds"

	"ayna/generator/site"
)

// write writes the feed in a format. style is the address of a style sheet as
// the file refers to it, may be empty.
func (f *feed) write(w io.Writer, format site.Format, links []link, style string) error {
	switch format {
	case site.RSS:
		return writeXML(w, f.rss(links), style)
	case site.Atom:
		return writeXML(w, f.atom(links), style)
	default:
		return f.writeJSON(w, links)
	}
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

// elements returns those of the entries in a format, with a text before the
// first one and another between them; nothing if there are none.
func (f *feed) elements(format site.Format, before, between string) []byte {
	size := 0
	for _, e := range f.entries {
		size += len(e.elements[format]) + len(between)
	}
	all := make([]byte, 0, size+len(before))
	for i, e := range f.entries {
		if i == 0 {
			all = append(all, before...)
		} else {
			all = append(all, between...)
		}
		all = append(all, e.elements[format]...)
	}
	return all
}

// writeXML is feeds.WriteXML with the line breaks that it leaves out, and with
// a style sheet, for browsers.
func writeXML(w io.Writer, document feeds.XmlFeed, style string) error {
	head := xml.Header
	if style != "" {
		head += `<?xml-stylesheet type="text/css" href="` + style + `"?>` + "\n"
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(document.FeedXml()); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// root is the root element of an XML document.
type root struct{ element any }

// FeedXml implements [feeds.XmlFeed].
func (r root) FeedXml() any { return r.element }
