package feed

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"ayna/generator/lru"
	"ayna/generator/output"
	"ayna/generator/site"
)

// channel is the subject of one feed in each of its formats: a list, a folder
// without its sub-folders, or a month of a list.
type channel struct {
	subject      string // part of the ids of its feeds; never changes
	title        string // without that of the site
	page         string // address of the page that shows the same
	formats      []site.Format
	address      func(site.Format) string
	items        []site.Item
	corrections  bool // entries show the last change of an item instead of the item
	archived     bool // it is a month
	archiveLinks []archiveLink
}

// archiveLink is a link between feeds that follow each other in time (RFC 5005, section 4).
type archiveLink struct {
	rel     string
	format  site.Format
	address string
}

// channels yields everything that has feeds.
func (r *Renderer) channels(yield func(*channel) bool) {
	add := func(list *site.List) bool {
		return (len(r.site.FeedFormats(list)) == 0 || yield(r.channel(list))) &&
			(len(r.site.MonthFormats(list)) == 0 || r.months(list, yield))
	}
	addFolder := func(folder *site.Folder) bool {
		return add(&folder.List) && (len(r.site.OwnFormats(folder)) == 0 || yield(r.own(folder)))
	}
	for list := range r.site.Lists() {
		if list.Kind != site.OfFolders && !add(list) {
			return
		}
	}
	for _, folder := range r.site.Folders {
		if !addFolder(folder) {
			return
		}
	}
	for _, list := range r.site.Emptied {
		if list.Kind == site.OfFolders {
			if !addFolder(&site.Folder{List: *list}) {
				return
			}
		} else if !add(list) {
			return
		}
	}
}

// channel returns the channel of a list.
func (r *Renderer) channel(list *site.List) *channel {
	c := &channel{
		subject: "list/" + list.Dir, title: list.Title, page: list.Index(),
		formats: r.site.FeedFormats(list), address: list.Feed,
	}
	switch list.Kind {
	case site.OfCorrections:
		c.items, c.corrections = slices.Collect(list.Items.First(r.options.Items).All()), true
	case site.OfPages:
		c.items = newestItems(list.Items, r.options.Items, false)
	default:
		c.items = newestItems(list.Items, r.options.Items, true)
	}
	if formats := r.site.MonthFormats(list); len(formats) > 0 {
		months := list.Months(r.site.Location)
		if _, older := site.Beside(months, -1); older >= 0 {
			c.archiveLinks = []archiveLink{{"prev-archive", formats[0], r.site.Words.MonthFeed(list, months[older], formats[0])}}
		}
	}
	return c
}

// own returns the channel of a folder without its sub-folders.
func (r *Renderer) own(folder *site.Folder) *channel {
	return &channel{
		subject: "own/" + folder.Dir, title: fmt.Sprintf(r.site.Words.OwnTitle, folder.Title), page: folder.Index(),
		formats: r.site.OwnFormats(folder), address: folder.OwnFeed, items: newestItems(folder.Own, r.options.Items, true),
	}
}

// months yields the channels of a list's months, newest first.
func (r *Renderer) months(list *site.List, yield func(*channel) bool) bool {
	w, months, formats := &r.site.Words, list.Months(r.site.Location), r.site.MonthFormats(list)
	format, title := formats[0], list.Title
	if list.Kind == site.OfHome {
		title = w.AllNews
	}
	for i, month := range months {
		c := &channel{
			subject: "list/" + list.Dir + "/" + month.Name, title: w.Month(title, month), page: w.MonthPage(list, month),
			formats: formats, address: func(format site.Format) string { return w.MonthFeed(list, month, format) },
			items: newestItems(month.Items, month.Items.Len(), false), archived: true,
		}
		if len(r.site.FeedFormats(list)) > 0 {
			c.archiveLinks = append(c.archiveLinks, archiveLink{"current", format, list.Feed(format)})
		}
		newer, older := site.Beside(months, i)
		if older >= 0 {
			c.archiveLinks = append(c.archiveLinks, archiveLink{"prev-archive", format, w.MonthFeed(list, months[older], format)})
		}
		if newer >= 0 {
			c.archiveLinks = append(c.archiveLinks, archiveLink{"next-archive", format, w.MonthFeed(list, months[newer], format)})
		}
		if !yield(c) {
			return false
		}
	}
	return true
}

// entryWindow is the age, relative to the newest entry, up to which a feed has more
// than [site.MinEntries].
const entryWindow = 48 * time.Hour

// newestItems returns up to most items that a feed shows. In a list that is in order of
// time these are [site.MinEntries], and beyond these only those of the two days
// before the newest. Items without a date are left out: readers would show them as
// if they were of today.
func newestItems(items site.Items, most int, inTime bool) []site.Item {
	var shown []site.Item
	for item := range items.All() {
		if item.Published() == 0 {
			continue
		}
		if n := len(shown); n >= most || inTime && n >= site.MinEntries && shown[0].Order()-item.Order() > entryWindow.Milliseconds() {
			break
		}
		shown = append(shown, item)
	}
	return shown
}

// files returns a channel's feed in each format, at its present or a former address.
func (r *Renderer) files(c *channel, at func(site.Format) string) []output.File {
	shared := lru.NewShared(len(c.formats), func(ctx context.Context) (*feed, error) { return r.feed(ctx, c) })
	files := make([]output.File, len(c.formats))
	for i, format := range c.formats {
		address := at(format)
		if r.options.Hub != "" && !c.archived {
			r.topics[address] = r.site.Absolute(c.address(format))
		}
		files[i] = output.File{Path: address, Batch: at(c.formats[0]), Write: func(ctx context.Context, w io.Writer) error {
			feed, err := shared.Get(ctx)
			if err == nil {
				err = r.write(w, feed, format, r.links(c, format), address)
			}
			if err != nil {
				return fmt.Errorf("feed %s: %w", address, err)
			}
			return nil
		}}
	}
	return files
}
