package page

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ayna/generator/output"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// maxNavigation is the number of folders in the main navigation of every page;
// home shows all of them.
const maxNavigation = 14

// maxDescription is the length of a page's description in letters.
const maxDescription = 200

// frame is what layout.html shows around every view.
type frame struct {
	Words       site.Words
	Language    string
	Site        string // the site's title
	Title       string // of this page; "" on home, which has the site's
	Description string
	Canonical   string // absolute; "" for none
	Hidden      bool   // search engines are asked to stay away
	Linked      bool   // pictures come from other hosts

	Share share

	Styles     []string
	Icon       string // "" for none
	Feeds      []feed // of this page's list, then those of home
	Markdown   string // the page as Markdown; "" for none
	Home       link
	Navigation []link // folders
	Trail      []link // from home to the place above this page
	Footer     []link // indexes, the owner's pages, OPML
	Mirror     string // what this site is
	Source     link   // the mirrored service; without Href if it has no home page

	address string
	href    func(address string) string // link from this page to a file of the tree
}

// share is how other sites present a link to the page.
type share struct {
	Type      string // "website" or "article"
	Picture   string // absolute; "" for none
	Published string // RFC 3339; "" for none
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

// picture is a picture that may be missing: then Src is empty and its caption
// has to do.
type picture struct {
	Src           string
	Alt, Caption  string
	Width, Height int    // pixels; 0 if unknown
	Number        string // among the others of a gallery
	Anchor        string
}

// frame returns the frame of the page at address, titled and without a trail.
func (r *Renderer) frame(address, title, description string) frame {
	return r.frameFor(address, title, description, func(to string) string { return site.Relative(address, to) })
}

func (r *Renderer) frameFor(address, title, description string, href func(string) string) frame {
	s, w := r.site, r.site.Words
	f := frame{
		Words: w, Language: s.Language, Site: s.Title, Title: title,
		Description: prose.Shorten(strings.ReplaceAll(description, "\n", " "), maxDescription),
		Canonical:   s.Absolute(address),
		Hidden:      s.Robots == "deny", Linked: !r.reader.Mirror,
		Share:   share{Type: "website"},
		Home:    link{Href: href("index.html"), Text: w.Home, Current: address == "index.html"},
		Mirror:  fmt.Sprintf(w.Mirror, s.SourceName),
		Source:  link{Text: s.SourceName},
		address: address, href: href,
	}
	f.Source.Href, _ = prose.SafeURL(s.SourceHome)
	for _, asset := range r.options.Assets {
		switch {
		case asset.isStyle():
			f.Styles = append(f.Styles, href(asset.Address))
		case asset.Name == iconName:
			f.Icon = href(asset.Address)
		}
	}
	f.Feeds = r.feeds(&s.Home, href)
	f.Navigation = r.navigation(address, href)
	f.Footer = r.footer(href)
	return f
}

// navigation returns the folders at the top, up to what fits, and a link to
// all of them if there are more.
func (r *Renderer) navigation(address string, href func(string) string) []link {
	var links []link
	top := r.site.Root.Folders
	for _, folder := range top[:min(len(top), maxNavigation)] {
		below := strings.HasPrefix(address, folder.Dir+"/")
		links = append(links, link{Href: href(folder.Index()), Text: folder.Title, Current: below})
	}
	if len(top) > maxNavigation {
		links = append(links, link{Href: href("index.html") + "#" + sectionsAnchor, Text: r.site.Words.AllSections})
	}
	return links
}

func (r *Renderer) footer(href func(string) string) []link {
	var links []link
	for _, index := range r.indexList() {
		links = append(links, link{Href: href(index.address()), Text: index.title})
	}
	for _, own := range r.own {
		links = append(links, link{Href: href(own.address), Text: own.Title})
	}
	if len(r.site.Formats) > 0 {
		links = append(links, link{Href: href(site.OPML), Text: r.site.Words.AllFeeds})
	}
	return links
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

// follow puts the feeds of a list before those of home.
func (r *Renderer) follow(f *frame, l *site.List) []feed {
	own := r.feeds(l, f.href)
	f.Feeds = append(slices.Clip(own), f.Feeds...)
	return own
}

func (r *Renderer) feeds(l *site.List, href func(string) string) []feed {
	var feeds []feed
	title := r.site.Title
	if l != &r.site.Home {
		title += " – " + l.Title
	}
	for _, format := range r.site.Formats {
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

// Whole is the document's title.
func (f frame) Whole() string {
	if f.Title == "" {
		return f.Site
	}
	return f.Title + " – " + f.Site
}
