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
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

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
	Style     string // address in the published tree of a style sheet for feeds, may be empty
	Icon      string // likewise of a square picture, PNG
	Base      string // digest of what every feed depends on beside its own content (configuration, code version); part of every key
}

// Renderer renders the feeds of one arranged site.
type Renderer struct {
	reader  *story.Reader
	site    *site.Site
	options Options
	entries recent.Values[int64, *entry] // by row: an item stands in many feeds

	items, posts, documents encoders // of RSS, of Atom, and of what is around them

	mu      sync.Mutex
	renewed map[string]bool // feeds that name the hub and were written, by address
}

// entryBytes is how much of rendered entries is kept at hand, twice.
const entryBytes = 2 << 20

// New returns a renderer of the feeds of the reader's site.
func New(reader *story.Reader, options Options) *Renderer {
	return &Renderer{
		reader: reader, site: reader.Site, options: options,
		entries: recent.Values[int64, *entry]{Most: entryBytes, Size: (*entry).size},
		items:   encoders{prefix: "    "}, posts: encoders{prefix: "  "},
	}
}

// Files yields the feeds of every list that has some in each of the site's
// formats, and the outline of them; nothing if the site has no formats. The
// files may be written in any order and at the same time. Errors of writing
// name the feed and the record.
func (r *Renderer) Files(ctx context.Context) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		if len(r.site.Formats) == 0 {
			return
		}
		for channel := range r.channels() {
			if err := ctx.Err(); err != nil {
				yield(output.File{}, fmt.Errorf("list the feeds: %w", err))
				return
			}
			for _, file := range r.files(channel, channel.address) {
				if !yield(file, nil) {
					return
				}
			}
		}
		for file := range r.formerFiles() {
			if !yield(file, nil) {
				return
			}
		}
		yield(r.outlineFile(), nil)
	}
}

// formerFiles yields the feeds of folders where these were under other names,
// for those who subscribed to them there. They are the same as the folder's own
// and name its address as theirs, which moves readers that heed it.
func (r *Renderer) formerFiles() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		for _, folder := range r.site.Folders {
			for _, dir := range folder.Former {
				for _, own := range []bool{false, true} {
					c := r.channel(&folder.List)
					if own {
						c = r.own(folder, r.site.FormatsOf(site.OfOwn))
					}
					at := func(format site.Format) string { return site.FormerFeed(dir, format, own) }
					for _, file := range r.files(c, at) {
						if !yield(file) {
							return
						}
					}
				}
			}
		}
	}
}

// writer returns what writes a channel's feed in a format at an address.
func (r *Renderer) writer(shared *edition, c *channel, format site.Format, address string) func(context.Context, io.Writer) error {
	style := ""
	if r.options.Style != "" {
		style = site.Relative(address, r.options.Style)
	}
	return func(ctx context.Context, w io.Writer) error {
		feed, err := shared.feed(ctx)
		if err == nil {
			err = r.write(w, feed, format, r.links(c, format), style)
		}
		if err != nil {
			return fmt.Errorf("feed %s: %w", address, err)
		}
		r.renew(c, format)
		return nil
	}
}

// renew notes that a feed was written of which the hub is to be told.
func (r *Renderer) renew(c *channel, format site.Format) {
	if r.options.Hub == "" || c.history.archived {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.renewed == nil {
		r.renewed = make(map[string]bool)
	}
	r.renewed[r.site.Absolute(c.address(format))] = true
}

// Renewed returns the addresses of the feeds written so far of which the hub is
// to be told, in order.
func (r *Renderer) Renewed() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.renewed))
}

// edition is a channel's feed while its formats are written: the first one builds
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

// feed is what a channel's feed says in every format. Its texts are like those
// of an entry, its description like a summary; all addresses are absolute.
type feed struct {
	id, title, description string
	language, rights       string
	home                   string // the page that shows the same
	archived               bool   // it is of a volume
	icon                   string // a square picture, may be empty
	author                 person // the mirrored service
	updated                time.Time
	entries                []*entry
}

// never is the date of a feed without entries where a date is required, also of
// one that had entries: nothing in the archive says when the last one went.
var never = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// maxFeed bounds the texts of a feed, in bytes: beyond the fewest entries it
// has no more than fit. What stands in no page of the history is not cut.
const maxFeed = 2 << 20

func (r *Renderer) feed(ctx context.Context, c *channel) (*feed, error) {
	settings := r.site.Settings
	f := &feed{
		id:          r.tagURI(c.subject),
		title:       plain(r.title(c)),
		description: prose.XML(settings.Description),
		language:    settings.Language,
		rights:      plain("© " + settings.SourceName),
		home:        settings.Absolute(c.page),
		archived:    c.history.archived,
		author:      r.source(),
		updated:     never,
	}
	if f.description == "" {
		f.description = prose.XML(fmt.Sprintf(settings.Words.Mirror, settings.SourceName))
	}
	if r.options.Icon != "" {
		f.icon = settings.Absolute(r.options.Icon)
	}
	size := 0
	for i, item := range c.items {
		e, err := r.entryOf(ctx, item, c.changes != nil)
		if err != nil {
			return nil, err
		}
		if size += e.length; size > maxFeed && i >= fewest && !c.history.archived {
			break
		}
		if i == 0 || e.updated.After(f.updated) {
			f.updated = e.updated
		}
		f.entries = append(f.entries, e)
	}
	return f, nil
}

// entryOf returns the rendered entry of an item, or of its correction.
func (r *Renderer) entryOf(ctx context.Context, item site.Item, corrected bool) (*entry, error) {
	key := item.Row()
	if corrected {
		key = -key
	}
	if e, ok := r.entries.Get(key); ok {
		return e, nil
	}
	make := r.entry
	if corrected {
		make = r.correction
	}
	e, err := make(ctx, item)
	if err == nil {
		err = r.render(&e)
	}
	if err != nil {
		return nil, fmt.Errorf("entry of %s %s: %w", item.Kind(), item.ID(), err)
	}
	r.entries.Put(key, &e)
	return &e, nil
}

// title names the site and the list, since readers show feeds of many sites.
func (r *Renderer) title(c *channel) string {
	if c.subject == homeSubject {
		return r.site.Title
	}
	return r.site.Title + " – " + c.title
}

// homeSubject is that of the list of all items.
const homeSubject = "list/"
