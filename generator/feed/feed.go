// Package feed renders the feeds of a site: a [story.Reader] of an arranged site goes in,
// an [output.File] for each feed comes out. Every list that a reader can follow has RSS 2.0,
// Atom (RFC 4287) and JSON Feed 1.1, and an OPML outline lists all feeds. The package also
// notifies a WebSub hub of those that changed.
//
// Begin with [Renderer.Files], in this file. channel.go decides which feeds there
// are and what they contain, entry.go makes an entry once for all formats and feeds, and
// xml.go and json.go encode it. The formats' structs are those of gorilla/feeds, embedded
// in structs of our own where they lack an element. A feed has the date of its latest
// updated entry: published bytes do not depend on the clock.
package feed

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"ayna/generator/cache"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
)

// Options configures feeds.
type Options struct {
	Items     int    // maximum number of entries in a feed
	FullText  bool   // full text, not only the summary
	Authority string // of tag: ids (RFC 4151): a domain name
	Date      string // of tag: ids, "2026-01-01"
	Hub       string // WebSub hub, may be empty
	Style     string // address in the published tree of a style sheet for feeds, may be empty
	Icon      string // likewise of a square picture, PNG
}

// Renderer renders the feeds of one arranged site.
type Renderer struct {
	reader  *story.Reader
	site    *site.Site
	options Options
	base    site.Digest                          // part of all keys
	entries cache.Cache[entryKey, *encodedEntry] // an item is in many feeds; without it a full build takes 13 % longer

	writers map[*site.List]*site.Writer

	topics  map[string]string // WebSub topics by path of the file; empty without a hub
	changed map[string]bool   // topics whose files were written
}

// entryBytes bounds the rendered entries in each generation of the cache.
const entryBytes = 2 << 20

// New returns a renderer of the feeds of the reader's site.
func New(reader *story.Reader, options Options) *Renderer {
	var base site.Mixer
	base.Settings(&reader.Site.Settings)
	base.Text(fmt.Sprintf("%#v", options))
	base.Flag(reader.Mirror, reader.Attached)
	writers := make(map[*site.List]*site.Writer, len(reader.Site.Writers))
	for _, w := range reader.Site.Writers {
		writers[&w.List] = w
	}
	return &Renderer{
		writers: writers,
		reader:  reader, site: reader.Site, options: options, base: base.Sum(),
		entries: cache.Cache[entryKey, *encodedEntry]{MaxSize: entryBytes, Size: (*encodedEntry).size},
		topics:  make(map[string]string), changed: make(map[string]bool),
	}
}

// Files yields the feeds of every list that has some, in each of the site's
// formats, and the outline of them; nothing if the site has no formats. The
// files may be written in any order and concurrently. Errors of writing name the
// feed and the record.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		if len(r.site.Formats) == 0 {
			return
		}
		add := func(c *channel, at func(site.Format) string) bool {
			if err := ctx.Err(); err != nil {
				yield(output.File{}, fmt.Errorf("list the feeds: %w", err))
				return false
			}
			for _, file := range r.files(c, at) {
				if !yield(file, nil) {
					return false
				}
			}
			return true
		}
		for channel := range r.channels {
			if !add(channel, channel.address) {
				return
			}
		}
		// A renamed folder keeps its former feeds for their subscribers. They name
		// the present address as theirs, which moves readers that support it.
		for _, folder := range r.site.Folders {
			for _, dir := range folder.OldDirs {
				list := func(format site.Format) string { return site.FeedAddress(dir, format) }
				own := func(format site.Format) string { return site.OwnFeedAddress(dir, format) }
				if !add(r.channel(&folder.List), list) || !add(r.own(folder), own) {
					return
				}
			}
		}
		yield(r.outlineFile(), nil)
	}
}

// feed is the content of a channel's feed in every format. Its texts are like those
// of an entry, its description like a summary; all addresses are absolute.
type feed struct {
	id, title, description string
	language, rights       string
	home                   string    // the page that shows the same
	archived               bool      // an archive document (RFC 5005): the feed of a month
	icon                   string    // a square picture, or a writer's portrait; may be empty
	favicon                string    // the site's square picture, may be empty
	author                 namedPage // the mirrored service
	updated                time.Time
	entries                []*encodedEntry
}

// noDate is the date of a feed without entries where a date is required.
var noDate = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// maxFeed bounds the texts of a feed, in bytes: beyond [site.MinEntries] it has no
// more than fit. Months are not cut, as no other feed has their entries.
const maxFeed = 2 << 20

// homeSubject is the subject of the list of all items.
const homeSubject = "list/"

// feed returns the content of a channel's feed.
func (r *Renderer) feed(ctx context.Context, c *channel) (*feed, error) {
	settings := r.site.Settings
	// Readers show feeds of many sites, and cut the ends of their titles.
	title, description := settings.Title, settings.Description
	if c.subject != homeSubject {
		title, description = c.title+" – "+title, c.description
	}
	f := &feed{
		id:          r.tagURI(c.subject),
		title:       inert(title),
		description: prose.StripInvalidXML(description),
		language:    settings.Language,
		rights:      inert("© " + settings.SourceName),
		home:        settings.Absolute(c.page),
		archived:    c.isMonth,
		author:      r.source(),
		updated:     noDate,
	}
	if f.description == "" {
		f.description = prose.StripInvalidXML(fmt.Sprintf(settings.Words.Mirror, settings.SourceName))
	}
	if r.options.Icon != "" {
		f.favicon = settings.Absolute(r.options.Icon)
	}
	f.icon = f.favicon
	if c.writer != nil {
		portrait, err := r.portrait(ctx, c.writer)
		if err != nil {
			return nil, err
		}
		f.icon = cmp.Or(portrait, f.icon)
	}
	size := 0
	for i, item := range c.items {
		e, err := r.encoded(ctx, item, c.corrections)
		if err != nil {
			return nil, err
		}
		if size += e.length; size > maxFeed && i >= site.MinEntries && !c.isMonth {
			break
		}
		if i == 0 || e.updated.After(f.updated) {
			f.updated = e.updated
		}
		f.entries = append(f.entries, e)
	}
	return f, nil
}

// entriesPlaceholder marks the place of the entries in an encoded feed. No text contains
// it: XML forbids it, and JSON escapes it.
const entriesPlaceholder = "\x01"

// write writes the feed in a format: its own elements around the encoded entries.
func (r *Renderer) write(w io.Writer, f *feed, format site.Format, links []link, address string) error {
	style := ""
	if r.options.Style != "" {
		style = site.Relative(address, r.options.Style)
	}
	var text string
	var err error
	separator, lineBreak := "", "\n"
	switch format {
	case site.RSS:
		text, err = xmlDocument(f.rss(links), style)
	case site.Atom:
		text, err = xmlDocument(f.atom(links), style)
	default:
		text, err = f.json(links)
		separator, lineBreak = ",", "\n    "
	}
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(text, entriesPlaceholder)
	b := bufio.NewWriter(w)
	b.WriteString(before)
	for i, e := range f.entries {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(lineBreak)
		b.WriteString(e.in[format])
	}
	b.WriteString(after)
	return b.Flush()
}

// links returns the links of a channel's feed in a format: to itself, to the hub, and to
// its archives.
func (r *Renderer) links(c *channel, format site.Format) []link {
	feed := func(rel string, format site.Format, address string) link {
		return link{Rel: rel, Href: r.site.Absolute(address), Type: format.MediaType()}
	}
	links := []link{feed("self", format, c.address(format))}
	if hub := r.options.Hub; hub != "" && !c.isMonth {
		links = append(links, link{Rel: "hub", Href: hub})
	}
	for _, step := range c.historyLinks {
		if format != site.JSON || step.format == site.JSON { // next_url leads to another JSON Feed
			links = append(links, feed(step.rel, step.format, step.address))
		}
	}
	return links
}

// hrefOf returns the address of the link with a relation, or "".
func hrefOf(links []link, rel string) string {
	for _, l := range links {
		if l.Rel == rel {
			return l.Href
		}
	}
	return ""
}
