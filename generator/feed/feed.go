// Package feed renders the feeds of a site: RSS 2.0, Atom (RFC 4287) and JSON
// Feed 1.1 for everything a reader can follow, and an OPML outline of them all.
//
// A list's entries are made once (entry.go) and say the same, in the same
// order, in each format; rss.go, atom.go and json.go only dress them. The
// formats' structs are those of gorilla/feeds, embedded in structs of our own
// where they lack an element. The newest entry gives a feed its date, never
// the clock, so the same archive gives the same bytes.
package feed

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/feeds"

	"ayna/generator/output"
	"ayna/generator/prose"
	"ayna/generator/recent"
	"ayna/generator/site"
	"ayna/generator/story"
)

// Options says what feeds hold.
type Options struct {
	Items     int    // at most so many entries in a feed
	FullText  bool   // full text, else the summary alone
	Authority string // of tag: ids (RFC 4151): a domain name
	Date      string // of tag: ids, "2026-01-01"
	Hub       string // WebSub hub, may be empty
	Base      string // digest of what every feed depends on beside its own content (configuration, code version); part of every key
}

// Renderer renders the feeds of one arranged site.
type Renderer struct {
	reader  *story.Reader
	site    *site.Site
	options Options
	entries recent.Values[int64, *entry] // by row: an item stands in many feeds
}

// entryBytes is how much of rendered entries is kept at hand, twice.
const entryBytes = 8 << 20

// New returns a renderer of the feeds of the reader's site.
func New(reader *story.Reader, options Options) *Renderer {
	return &Renderer{
		reader: reader, site: reader.Site, options: options,
		entries: recent.Values[int64, *entry]{Most: entryBytes, Size: (*entry).size},
	}
}

// Files yields the feeds of every list in each of the site's formats, and the
// outline of them; nothing if the site has no formats. The files may be written
// in any order and at the same time. Errors of writing name the list and the
// record.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		if len(r.site.Formats) == 0 {
			return
		}
		for list := range r.lists() {
			if err := ctx.Err(); err != nil {
				yield(output.File{}, fmt.Errorf("list the feeds: %w", err))
				return
			}
			for _, file := range r.files(list) {
				if !yield(file, nil) {
					return
				}
			}
		}
		yield(r.outlineFile(), nil)
	}
}

// lists yields everything that has feeds.
func (r *Renderer) lists() iter.Seq[*site.List] {
	return func(yield func(*site.List) bool) {
		all := [][]*site.List{
			{&r.site.Home},
			listsOf(r.site.Folders, func(f *site.Folder) *site.List { return &f.List }),
			listsOf(r.site.Writers, func(w *site.Writer) *site.List { return &w.List }),
			listsOf(r.site.Tags, func(t *site.Tag) *site.List { return &t.List }),
			listsOf(r.site.Pages, func(p *site.Page) *site.List { return &p.List }),
			listsOf(r.site.Searches, func(s *site.Search) *site.List { return &s.List }),
		}
		for _, list := range slices.Concat(all...) {
			if !yield(list) {
				return
			}
		}
	}
}

func listsOf[T any](things []T, list func(T) *site.List) []*site.List {
	lists := make([]*site.List, len(things))
	for i, thing := range things {
		lists[i] = list(thing)
	}
	return lists
}

// files returns a list's feed in each format.
func (r *Renderer) files(list *site.List) []output.File {
	items := r.items(list)
	content := r.key(list, items)
	shared := &edition{left: len(r.site.Formats), build: func(ctx context.Context) (*feed, error) {
		return r.feed(ctx, list, items)
	}}
	var files []output.File
	for _, format := range r.site.Formats {
		files = append(files, output.File{
			Path: list.Feed(format),
			Key:  output.NewDigest("feed").Text(string(format), string(content[:])).Key(),
			Write: func(ctx context.Context, w io.Writer) error {
				feed, err := shared.feed(ctx)
				if err == nil {
					err = feed.write(w, format, r.site.Absolute(list.Feed(format)))
				}
				if err != nil {
					return fmt.Errorf("feed %s: %w", list.Feed(format), err)
				}
				return nil
			},
		})
	}
	return files
}

// items returns those of the list that its feed shows: the first ones, but for
// those without any date, which readers would show as if they were of today.
func (r *Renderer) items(list *site.List) []*site.Item {
	var items []*site.Item
	for _, item := range list.Items {
		if len(items) >= r.options.Items {
			break
		}
		if item.Published != 0 {
			items = append(items, item)
		}
	}
	return items
}

// key is a digest of what the list's feeds show in any format.
func (r *Renderer) key(list *site.List, items []*site.Item) output.Key {
	d := output.NewDigest("list").Text(r.options.Base, list.Title, list.Dir)
	for _, item := range items {
		trail := item.Folder.Trail()
		d.Number(item.Version, uint64(item.Order), uint64(item.Modified)).Text(item.Address)
		d.Number(uint64(len(trail)), uint64(len(item.Writers)), uint64(len(item.Tags)), uint64(len(item.Links)))
		for _, folder := range trail {
			d.Text(folder.Title, folder.Dir)
		}
		for _, writer := range item.Writers {
			d.Text(writer.Title, writer.Dir)
		}
		for _, tag := range item.Tags {
			d.Text(tag.Title, tag.Dir)
		}
		for _, linked := range item.Links {
			d.Text(linked.Address)
		}
	}
	return d.Key()
}

// edition is a list's feed while its formats are written: the first one builds
// it for all, and after the last one it is let go.
type edition struct {
	build func(context.Context) (*feed, error)

	mu    sync.Mutex
	built *feed
	left  int // formats that have not asked for it
}

func (e *edition) feed(ctx context.Context) (*feed, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.built == nil {
		built, err := e.build(ctx)
		if err != nil {
			return nil, err
		}
		e.built = built
	}
	built := e.built
	if e.left--; e.left <= 0 {
		e.built = nil
	}
	return built, nil
}

// feed is what a list's feed says in every format. All texts are plain and
// hold nothing that XML forbids, all addresses are absolute.
type feed struct {
	id, title, description string
	language, rights       string
	home                   string // the list's page
	hub                    string // may be empty
	author                 person // the mirrored service
	updated                time.Time
	entries                []*entry
}

// never stands in for the date of a feed without entries, where a date is
// required.
var never = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func (r *Renderer) feed(ctx context.Context, list *site.List, items []*site.Item) (*feed, error) {
	settings := r.site.Settings
	f := &feed{
		id:          r.tagURI("list/" + list.Dir),
		title:       prose.XML(r.title(list)),
		description: prose.XML(settings.Description),
		language:    settings.Language,
		rights:      prose.XML("© " + settings.SourceName),
		home:        settings.Absolute(list.Index()),
		hub:         r.options.Hub,
		author:      r.source(),
		updated:     never,
	}
	if f.description == "" {
		f.description = prose.XML(fmt.Sprintf(settings.Words.Mirror, settings.SourceName))
	}
	for i, item := range items {
		e, ok := r.entries.Get(item.Row)
		if !ok {
			var err error
			if e, err = r.render(ctx, item); err != nil {
				return nil, err
			}
			r.entries.Put(item.Row, e)
		}
		if i == 0 || e.updated.After(f.updated) {
			f.updated = e.updated
		}
		f.entries = append(f.entries, e)
	}
	return f, nil
}

// title names the site and the list, since readers show feeds of many sites.
func (r *Renderer) title(list *site.List) string {
	if list == &r.site.Home {
		return r.site.Title
	}
	return r.site.Title + " – " + list.Title
}

// tagURI returns an id (RFC 4151). It depends on nothing that may change:
// neither on titles nor on where the site is served.
func (r *Renderer) tagURI(specific string) string {
	return "tag:" + r.options.Authority + "," + r.options.Date + ":" + specific
}

// render makes the entry of an item, and the elements of the site's formats
// from it.
func (r *Renderer) render(ctx context.Context, item *site.Item) (*entry, error) {
	e, err := r.entry(ctx, item)
	if err != nil {
		return nil, err
	}
	e.elements = make(map[site.Format][]byte)
	for _, format := range r.site.Formats {
		var element []byte
		switch format {
		case site.RSS:
			element, err = xml.MarshalIndent(e.rss(), "    ", "  ")
		case site.Atom:
			element, err = xml.MarshalIndent(e.atom(), "  ", "  ")
		default:
			element, err = marshalJSON(e.json(r.site.Language))
		}
		if err != nil {
			return nil, fmt.Errorf("entry of %s %s: %w", item.Kind, item.ID, err)
		}
		e.elements[format] = element
	}
	e.content = "" // stands in the elements
	return &e, nil
}

func (e *entry) size() int {
	n := 1000
	for _, element := range e.elements {
		n += len(element)
	}
	return n
}

func (f *feed) write(w io.Writer, format site.Format, self string) error {
	switch format {
	case site.RSS:
		return writeXML(w, f.rss(self))
	case site.Atom:
		return writeXML(w, f.atom(self))
	default:
		return writeJSON(w, f.json(self))
	}
}

// elements returns those of the entries in a format, each on lines of its own.
func (f *feed) elements(format site.Format) []byte {
	size := 0
	for _, e := range f.entries {
		size += len(e.elements[format]) + 1
	}
	all := make([]byte, 0, size)
	for _, e := range f.entries {
		all = append(append(all, '\n'), e.elements[format]...)
	}
	return all
}

// writeXML is feeds.WriteXML with the line breaks that it leaves out.
func writeXML(w io.Writer, document feeds.XmlFeed) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
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
