package feed

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"ayna/generator/cache"
	"ayna/generator/output"
	"ayna/generator/site"
)

// channel is the subject of one feed in each of its formats: a list, a folder
// without its sub-folders, or a month of a list.
type channel struct {
	subject      string       // part of the ids of its feeds: a renamed folder has another directory, so another id
	title        string       // without that of the site
	description  string       // "" of home, which has the site's
	writer       *site.Writer // whose list it is, or nil
	page         string       // address of the page that shows the same
	formats      []site.Format
	address      func(site.Format) string
	items        []site.Item
	corrections  bool // entries show the last change of an item instead of the item
	isMonth      bool
	historyLinks []historyLink
}

// historyLink is a link between feeds that follow each other in time (RFC 5005, section 4).
type historyLink struct {
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
		subject: "list/" + list.Dir, title: list.Title, description: r.descriptionOf(list.Title), page: list.Index(), writer: r.writers[list],
		formats: r.site.FeedFormats(list), address: list.Feed,
	}
	switch list.Kind {
	case site.OfCorrections:
		c.description = r.site.Words.CorrectionsText
		c.items, c.corrections = slices.Collect(list.Items.First(r.options.Items).All()), true
	case site.OfPages:
		c.items = datedItems(list.Items, r.options.Items)
	default:
		c.items = recentItems(list.Items, r.options.Items)
	}
	if formats := r.site.MonthFormats(list); len(formats) > 0 {
		months := list.Periods(r.site.Location)
		if _, older := site.Beside(months, -1); older >= 0 {
			c.historyLinks = []historyLink{{"prev-archive", formats[0], r.site.Words.MonthFeed(list, months[older], formats[0])}}
		}
	}
	return c
}

// descriptionOf describes a list as its page does.
func (r *Renderer) descriptionOf(title string) string {
	return fmt.Sprintf(r.site.Words.ListDescription, title, r.site.Title)
}

// own returns the channel of a folder without its sub-folders.
func (r *Renderer) own(folder *site.Folder) *channel {
	title := fmt.Sprintf(r.site.Words.OwnTitle, folder.Title)
	return &channel{
		subject: "own/" + folder.Dir, title: title, description: r.descriptionOf(title), page: folder.Index(),
		formats: r.site.OwnFormats(folder), address: folder.OwnFeed, items: recentItems(folder.Own, r.options.Items),
	}
}

// months yields the channels of a list's months, newest first.
func (r *Renderer) months(list *site.List, yield func(*channel) bool) bool {
	w, months, formats := &r.site.Words, list.Periods(r.site.Location), r.site.MonthFormats(list)
	format, title := formats[0], list.Title
	if list.Kind == site.OfHome {
		title = w.AllNews
	}
	for i, month := range months {
		title := w.Period(title, month)
		c := &channel{
			subject: "list/" + list.Dir + "/" + month.Name, title: title, description: r.descriptionOf(title), page: w.PeriodPage(list, month),
			formats: formats, address: func(format site.Format) string { return w.MonthFeed(list, month, format) },
			items: datedItems(month.Items, month.Items.Len()), isMonth: true,
		}
		if len(r.site.FeedFormats(list)) > 0 {
			c.historyLinks = append(c.historyLinks, historyLink{"current", format, list.Feed(format)})
		}
		newer, older := site.Beside(months, i)
		if older >= 0 {
			c.historyLinks = append(c.historyLinks, historyLink{"prev-archive", format, w.MonthFeed(list, months[older], format)})
		}
		if newer >= 0 {
			c.historyLinks = append(c.historyLinks, historyLink{"next-archive", format, w.MonthFeed(list, months[newer], format)})
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

// datedItems returns the first items with a date, at most a number. Readers would show others
// as if they were of today.
func datedItems(items site.Items, most int) (shown []site.Item) {
	for item := range items.All() {
		if len(shown) == most {
			break
		}
		if item.Published() != 0 {
			shown = append(shown, item)
		}
	}
	return shown
}

// recentItems returns the newest items with a date, at most a number: [site.MinEntries], and
// beyond these only those in the entryWindow of the newest.
func recentItems(items site.Items, most int) []site.Item {
	shown := datedItems(items, most)
	for i := site.MinEntries; i < len(shown); i++ {
		if shown[0].Order()-shown[i].Order() > entryWindow.Milliseconds() {
			return shown[:i]
		}
	}
	return shown
}

// files returns a channel's feed in each format, at its present or a former address, and notes
// which topic of the hub each is.
func (r *Renderer) files(c *channel, at func(site.Format) string) []output.File {
	shared := cache.NewShared(len(c.formats), func(ctx context.Context) (*feed, error) { return r.feed(ctx, c) })
	files := make([]output.File, len(c.formats))
	for i, format := range c.formats {
		address := at(format)
		if r.options.Hub != "" && !c.isMonth {
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
		if !c.corrections { // of which there is one; its entries show changes
			files[i].Key = func() site.Digest { return r.key(c, format, address) }
		}
	}
	return files
}

// key returns the key of a channel's feed in a format at an address: of all that the channel
// names.
func (r *Renderer) key(c *channel, format site.Format, address string) site.Digest {
	var m site.Mixer
	m.Digest(r.base)
	m.Text(address, string(format), c.subject, c.title, c.page, c.address(format))
	if m.Flag(c.isMonth, c.writer != nil); c.writer != nil {
		m.Writer(c.writer)
	}
	for _, l := range c.historyLinks {
		m.Text(l.rel, string(l.format), l.address)
	}
	for _, item := range c.items {
		m.Short(item.Content())
	}
	return m.Sum()
}
