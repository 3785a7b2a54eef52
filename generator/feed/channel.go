package feed

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"ayna/generator/output"
	"ayna/generator/site"
)

// channel is what one feed in each of its formats is of: a list, a folder
// without its sub-folders, or a volume of a list's history.
type channel struct {
	subject string // names it in its id; never changes
	title   string // without that of the site
	page    string // address of the page that shows the same
	formats []site.Format
	address func(site.Format) string
	items   []site.Item
	history history
	changes []uint64 // of corrections: the digest of each; an entry shows the change instead of the item
}

// history says how feeds that follow each other in time are linked (RFC 5005,
// section 4). An address is nil where there is no such feed.
type history struct {
	archived                bool // the feed is of a volume
	current, previous, next func(site.Format) string
}

// channels yields everything that has feeds.
func (r *Renderer) channels() iter.Seq[*channel] {
	return func(yield func(*channel) bool) {
		for list := range r.lists() {
			if !yield(r.channel(list)) {
				return
			}
		}
		for _, list := range r.site.Emptied {
			if len(r.site.FormatsOf(list.Sort)) > 0 && !yield(r.channel(list)) {
				return
			}
		}
		if formats := r.site.FormatsOf(site.OfOwn); len(formats) > 0 {
			for folder := range r.folders() {
				if !yield(r.own(folder, formats)) {
					return
				}
			}
		}
		for list := range r.chronicled() {
			for volume := range r.volumes(list) {
				if !yield(volume) {
					return
				}
			}
		}
	}
}

// folders yields every folder, also those that are empty now.
func (r *Renderer) folders() iter.Seq[*site.Folder] {
	return func(yield func(*site.Folder) bool) {
		for _, folder := range r.site.Folders {
			if !yield(folder) {
				return
			}
		}
		for _, list := range r.site.Emptied {
			if list.Sort == site.OfFolders && !yield(&site.Folder{List: *list}) {
				return
			}
		}
	}
}

// lists yields every list that has feeds and items, or may get some.
func (r *Renderer) lists() iter.Seq[*site.List] {
	return func(yield func(*site.List) bool) {
		for list := range r.site.Lists() {
			if len(r.site.FormatsOf(list.Sort)) > 0 && !yield(list) {
				return
			}
		}
	}
}

// chronicled yields the lists whose history has feeds: those in which every
// item is.
func (r *Renderer) chronicled() iter.Seq[*site.List] {
	return func(yield func(*site.List) bool) {
		if len(r.site.FormatsOf(site.OfMonths)) == 0 {
			return
		}
		for list := range r.site.Lists() {
			if list.HasVolumes() && !yield(list) {
				return
			}
		}
		for _, list := range r.site.Emptied {
			if list.HasVolumes() && !yield(list) {
				return
			}
		}
	}
}

func (r *Renderer) channel(list *site.List) *channel {
	c := &channel{
		subject: "list/" + list.Dir, title: list.Title, page: list.Index(),
		formats: r.site.FormatsOf(list.Sort), address: list.Feed,
	}
	switch list.Sort {
	case site.OfCorrections:
		c.items = slices.Collect(list.Items.First(r.options.Items).All())
		c.changes = r.site.Corrections.Versions[:len(c.items)]
	case site.OfPages:
		c.items = r.window(list.Items, false)
	default:
		c.items = r.window(list.Items, true)
	}
	if list.HasVolumes() && len(r.site.FormatsOf(site.OfMonths)) > 0 {
		volumes := list.Volumes(r.site.Location)
		if _, newest := site.Beside(volumes, -1); newest >= 0 {
			c.history.previous = r.volumeFeed(list, volumes[newest])
		}
	}
	return c
}

func (r *Renderer) own(folder *site.Folder, formats []site.Format) *channel {
	return &channel{
		subject: "own/" + folder.Dir, title: fmt.Sprintf(r.site.Words.OwnTitle, folder.Title), page: folder.Index(),
		formats: formats, address: folder.OwnFeed, items: r.window(folder.Own, true),
	}
}

// volumes yields the history of a list, newest first.
func (r *Renderer) volumes(list *site.List) iter.Seq[*channel] {
	return func(yield func(*channel) bool) {
		volumes := list.Volumes(r.site.Location)
		for i, v := range volumes {
			c := &channel{
				subject: "list/" + list.Dir + "/" + v.Name, title: r.site.Words.Volume(list.Title, v),
				page:    r.site.Words.VolumePage(list, v),
				formats: r.site.FormatsOf(site.OfMonths), address: r.volumeFeed(list, v),
				items:   dated(v.Items),
				history: history{archived: true},
			}
			if len(r.site.FormatsOf(list.Sort)) > 0 {
				c.history.current = list.Feed
			}
			newer, older := site.Beside(volumes, i)
			if newer >= 0 {
				c.history.next = r.volumeFeed(list, volumes[newer])
			}
			if older >= 0 {
				c.history.previous = r.volumeFeed(list, volumes[older])
			}
			if !yield(c) {
				return
			}
		}
	}
}

func (r *Renderer) volumeFeed(list *site.List, v site.Volume) func(site.Format) string {
	return func(format site.Format) string { return r.site.Words.VolumeFeed(list, v, format) }
}

const (
	// fewest is how many entries a feed has, if there are so many: a reader
	// that comes late, or for the first time, finds something.
	fewest = 30
	// window is how far back a feed goes beyond these.
	window = 48 * time.Hour
)

// window returns the items that a feed shows: the newest few, and beyond these
// those of the two days before the newest, up to what the configuration
// allows. Of a list that is in another order it is the first ones.
func (r *Renderer) window(items site.Items, inTime bool) []site.Item {
	var shown []site.Item
	for item := range items.All() {
		if item.Published() == 0 {
			continue
		}
		if n := len(shown); n >= r.options.Items || inTime && n >= fewest && shown[0].Order()-item.Order() > window.Milliseconds() {
			break
		}
		shown = append(shown, item)
	}
	return shown
}

// dated leaves out items without any date, which readers would show as if they
// were of today.
func dated(items site.Items) []site.Item {
	all := make([]site.Item, 0, items.Len())
	for item := range items.All() {
		if item.Published() != 0 {
			all = append(all, item)
		}
	}
	return all
}

// files returns a channel's feed in each format. at is where they lie: the
// channel's own address, or one that it had.
func (r *Renderer) files(c *channel, at func(site.Format) string) []output.File {
	content := r.key(c)
	shared := &edition{left: len(c.formats), build: func(ctx context.Context) (*feed, error) { return r.feed(ctx, c) }}
	files := make([]output.File, len(c.formats))
	for i, format := range c.formats {
		files[i] = output.File{
			Path:  at(format),
			Batch: at(c.formats[0]),
			Key:   output.NewDigest("feed").Text(string(format), at(format), string(content[:])).Key(),
		}
	}
	for i, format := range c.formats {
		files[i].Write = r.writer(shared, c, format, at(format))
	}
	return files
}

// key is a digest of what the channel's feeds show in any format.
func (r *Renderer) key(c *channel) output.Key {
	d := output.NewDigest("channel").Text(r.options.Base, r.options.Style, r.options.Icon, c.title, c.page, c.subject).Number(c.changes...)
	for _, link := range []func(site.Format) string{c.history.current, c.history.previous, c.history.next} {
		if link != nil {
			d.Text(link(site.RSS))
		}
		d.Text("")
	}
	for _, item := range c.items {
		addItem(d, item)
		if item.Versions() > 0 { // which tell when its words changed
			d.Number(uint64(item.Versions()), uint64(r.site.Forgotten))
		}
	}
	return d.Key()
}

// addItem adds to a key all that an entry shows of an item.
func addItem(d output.Digest, item site.Item) {
	d.Number(item.Version(), uint64(item.Order()), uint64(item.Modified())).Text(item.Address())
	d.Number(uint64(len(item.Writers())), uint64(item.Links().Len()))
	for folder := item.Folder(); folder.Parent != nil; folder = folder.Parent {
		d.Text(folder.Title, folder.Dir)
	}
	d.Text("")
	for _, writer := range item.Writers() {
		d.Text(writer.Title, writer.Dir)
	}
	for tag := range item.Tags() {
		d.Text(tag.Title, tag.Dir)
	}
	d.Text("")
	for linked := range item.Links().All() {
		d.Text(linked.Address())
	}
}
