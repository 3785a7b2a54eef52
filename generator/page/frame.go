package page

import (
	"html/template"
	"strings"
	"time"

	"ayna/generator/output"
	"ayna/generator/press"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// maxDescription is the length of a page's description in letters.
const maxDescription = 200

// frame is what layout.html shows around every view. What pages of one part of
// the site have in common is in its chrome.
type frame struct {
	Words       *site.Words
	Language    string
	Site        string // the site's title
	Title       string // of this page; "" on home, which has the site's
	Whole       string // the document's title: both
	Description string
	Canonical   string // absolute; "" for none

	Share  share
	Record string     // the record that the page shows, its id escaped, and its hash: "article/1 sha256:…"; "" for none
	Schema press.HTML // what the page is about, for machines; "" for nothing

	Feeds    []feed // of this page's list
	Markdown string // the page as Markdown; "" for none
	Home     link
	Trail    []link // from home to the place above this page
	Source   link   // the mirrored service; without Href if it has no home page

	// What other pages show too.
	FeedLinks template.HTML // names Feeds to feed readers
	TrailNav  template.HTML // Trail, for people and for machines
	Head      template.HTML // of the document
	Top       template.HTML // stands above every page
	Bottom    template.HTML // stands below every page

	address  string
	shared   string                      // names the Feeds and the Trail if other pages of its directory have them too
	href     func(address string) string // link from this page to a file of the tree
	renderer *Renderer
}

// share is how other sites present a link to the page.
type share struct {
	Type      string // "website" or "article"
	Picture   string // absolute; "" for none
	Published string // RFC 3339; "" for none
	Modified  string // likewise
}

// link is a link, or words alone where Href is empty.
type link struct {
	Href    string
	Text    string
	Note    string // beside the link: a number of items, a name
	Current bool   // this page is it, or lies below it
}

// feed is a feed of a list.
type feed struct {
	Href   string
	Format string // "rss", "atom" or "json"
	Name   string // of the format
	Title  string // of list and format
}

// moment is a time as people of the site's zone read it and as machines do.
type moment struct{ Shown, Machine string }

// frame returns the frame of the page at address, titled and without a trail.
func (r *Renderer) frame(address, title, description string) frame {
	return r.frameFor(address, title, description, func(to string) string { return site.Relative(address, to) })
}

func (r *Renderer) frameFor(address, title, description string, href func(string) string) frame {
	s, w := r.site, &r.site.Words
	f := frame{
		Words: w, Language: s.Language, Site: s.Title, Title: title,
		Description: prose.Shorten(strings.ReplaceAll(description, "\n", " "), maxDescription),
		Canonical:   s.Absolute(address),
		Share:       share{Type: "website"},
		Home:        link{Href: href("index.html"), Text: w.Home, Current: address == "index.html"},
		Source:      r.source,
		address:     address, href: href, renderer: r,
	}
	return f
}

// shared digests what the frame shows on every page.
func (r *Renderer) shared() string {
	d := output.NewDigest("frame").Text(r.options.Base, r.site.SourceName)
	for _, asset := range r.options.Assets {
		d.Text(asset.Address)
	}
	for _, folder := range r.site.Root.Folders[:min(len(r.site.Root.Folders), maxNavigation+1)] {
		d.Text(folder.Title, folder.Dir)
	}
	for _, own := range r.own {
		d.Text(own.address, own.Title)
	}
	key := d.Key()
	return string(key[:])
}

// follow names the feeds of a list; those of home are named by all pages.
func (r *Renderer) follow(f *frame, l *site.List) []feed {
	f.Feeds = r.feeds(l, f.href)
	return f.Feeds
}

func (r *Renderer) feeds(l *site.List, href func(string) string) []feed {
	var feeds []feed
	title := r.site.Title
	if l != &r.site.Home {
		title += " – " + l.Title
	}
	for _, format := range r.site.FormatsOf(l.Sort) {
		feeds = append(feeds, feed{href(l.Feed(format)), string(format), format.Name(), title + " (" + format.Name() + ")"})
	}
	return feeds
}

// trail returns the links from home down to and including the given folders.
func (f *frame) trail(folders ...*site.Folder) {
	f.Trail = []link{{Href: f.Home.Href, Text: f.Home.Text}}
	for _, folder := range folders {
		f.Trail = append(f.Trail, link{Href: f.href(folder.Index()), Text: folder.Title})
	}
}

// moment returns nil for a time that is not known.
func (r *Renderer) moment(ms int64) *moment {
	if ms == 0 {
		return nil
	}
	t := time.UnixMilli(ms).In(r.site.Location)
	return &moment{r.site.Words.DateTime(t), t.UTC().Format(time.RFC3339)}
}
