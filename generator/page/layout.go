package page

import (
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"

	"ayna/generator/compiled"
	"ayna/generator/site"
	"ayna/prose"
)

// maxDescription is the length of a page's description in letters.
const maxDescription = 200

// pageView holds the fields that layout.html shows on every page.
type pageView struct {
	Words       *site.Words
	Language    string // a tag of BCP 47
	Direction   string // "ltr" or "rtl"
	Site        string // the site's title
	Title       string // of this page; "" on home, which has the site's
	Whole       string // the document's title: both
	Description string
	Canonical   string // absolute; "" for none

	Share  share
	Record string        // the record that the page shows, its id escaped, and its hash: "article/1 sha256:…"; "" for none
	Schema compiled.HTML // what the page is about, as JSON-LD; "" for nothing

	Feeds    []feed   // of this page's list
	Markdown string   // the page as Markdown; "" for none
	Italics  []string // files of the typeface that a text with italics needs; nil without any
	Home     link
	Trail    []link // from home to the place above this page
	Source   link   // the mirrored service; without Href if it has no home page

	// Rendered once for many pages.
	FeedLinks template.HTML // names Feeds to feed readers
	TrailNav  template.HTML // Trail, for people and for machines
	Head      template.HTML // of the document
	Top       template.HTML // stands above every page
	Bottom    template.HTML // stands below every page

	address  string
	trailKey trailKey                    // of Feeds and Trail in the cache; zero if no other page has the same
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

// linkGroup is a group of links under a title.
type linkGroup struct {
	Title string
	Links []link
}

func (g *linkGroup) add(href, text string) { g.Links = append(g.Links, link{Href: href, Text: text}) }

// feed is a feed of a list.
type feed struct {
	Href   string
	Format string // "rss", "atom" or "json"
	Name   string // of the format
	Title  string // of list and format
}

// pageView returns the fields of the page at address, with home as its trail. The
// page for unknown addresses is shown at any address, and perhaps at another host: its links
// begin with the path of the site.
func (r *Renderer) pageView(address, title, description string) pageView {
	s, w := r.site, &r.site.Words
	href := func(to string) string { return site.Relative(address, to) }
	if address == site.NotFound {
		href = s.Rooted
	}
	f := pageView{
		Words: w, Language: s.Language, Direction: r.direction, Site: s.Title, Title: title,
		Description: prose.Shorten(strings.ReplaceAll(description, "\n", " "), maxDescription),
		Canonical:   s.Absolute(address),
		Share:       share{Type: "website"},
		Home:        link{Href: href(s.Home.Index()), Text: w.Home, Current: address == s.Home.Index()},
		Source:      r.source,
		address:     address, href: href, renderer: r,
	}
	if address != site.NotFound && !f.Home.Current {
		f.trail()
	}
	return f
}

// listPageView returns the fields of a page that has a list.
func (r *Renderer) listPageView(address, title string) pageView {
	return r.pageView(address, title, fmt.Sprintf(r.site.Words.ListDescription, title, r.site.Title))
}

// trail sets the links from home down to and including the given folders.
func (f *pageView) trail(folders ...*site.Folder) {
	f.Trail = []link{{Href: f.Home.Href, Text: f.Home.Text}}
	for _, folder := range folders {
		f.Trail = append(f.Trail, f.linkToList(&folder.List))
	}
}

// linkToList returns a link to a list.
func (f *pageView) linkToList(l *site.List) link { return link{Href: f.href(l.Index()), Text: l.Title} }

// linkWithCount returns a link to a list with the number of its items.
func (f *pageView) linkWithCount(l *site.List) link {
	return link{Href: f.href(l.Index()), Text: l.Title, Note: f.Words.Digits(l.Items.Len())}
}

// linkTo returns a link to a file of the tree; nil if address is empty.
func (f *pageView) linkTo(address, text string) *link {
	if address == "" {
		return nil
	}
	return &link{Href: f.href(address), Text: text}
}

// setFeeds sets the feeds of the page's list, and returns how to follow it. Leave out home,
// whose feeds the layout names on every page.
func (f *pageView) setFeeds(l *site.List) *follow {
	f.Feeds = f.renderer.feeds(l, f.href)
	return f.follow(l, f.Feeds)
}

func (r *Renderer) feeds(l *site.List, href func(string) string) []feed {
	title := r.site.Title
	if l != &r.site.Home {
		title = l.Title + " – " + title
	}
	return feedsOf(r.site.FeedFormats(l), title, func(format site.Format) string { return href(l.Feed(format)) })
}

func feedsOf(formats []site.Format, title string, href func(site.Format) string) []feed {
	var feeds []feed
	for _, format := range formats {
		feeds = append(feeds, feed{href(format), string(format), format.Name(), title + " (" + format.Name() + ")"})
	}
	return feeds
}

// complete sets the fields that are rendered once for many pages.
func (f *pageView) complete() error {
	f.Whole = f.Site
	if f.Title != "" {
		f.Whole = f.Title + " – " + f.Site
	}
	l, err := f.renderer.layout(f.address)
	if err != nil {
		return err
	}
	f.Head, f.Top, f.Bottom = l.head, l.top, l.bottom
	p, err := f.trailAndFeeds()
	f.FeedLinks, f.TrailNav = p.feedLinks, p.trailNav
	return err
}

// layout is the HTML that all pages of one depth in one part of the site share. The
// templates "head", "top" and "bottom" of layout.html render it once.
type layout struct{ head, top, bottom template.HTML }

// layoutKey returns what the layout of a page depends on: the way to the root, and the folders
// of the navigation that the page is in. Home and the page for unknown addresses have their own.
func (r *Renderer) layoutKey(address string) string {
	if address == site.NotFound || address == r.site.Home.Index() {
		return address
	}
	key := site.Root(address)
	for _, folder := range r.site.Navigation {
		if strings.HasPrefix(address, folder.Dir+"/") {
			key += "|" + folder.Dir
		}
	}
	return key
}

func (r *Renderer) layout(address string) (l layout, err error) {
	key := r.layoutKey(address)
	if l, ok := r.layouts.Get(key); ok {
		return l, nil
	}
	root := site.Root(address)
	href := func(to string) string { return root + to }
	if address == site.NotFound {
		href = r.site.Rooted
	}
	view := r.layoutView(address, href)
	for name, html := range map[string]*template.HTML{"head": &l.head, "top": &l.top, "bottom": &l.bottom} {
		if *html, err = prose.Rendered(r.subtemplate(name), view); err != nil {
			return l, err
		}
	}
	r.layouts.Put(key, l)
	return l, nil
}

// trailKey is a page's key in the cache of trails: pages of one kind in one directory have
// the same feeds and trail if they are of one list.
type trailKey struct{ dir, kind, list string }

// trailAndFeeds are the feeds of a page's list and the trail from home.
type trailAndFeeds struct {
	feeds               []feed
	trail               []link
	feedLinks, trailNav template.HTML
}

// trailAndFeeds renders the templates "feeds" and "trail" of layout.html, once for the
// items of a folder and for the pages of a list.
func (f *pageView) trailAndFeeds() (trailAndFeeds, error) {
	r := f.renderer
	if f.trailKey != (trailKey{}) {
		if p, ok := r.trails.Get(f.trailKey); ok {
			return p, nil
		}
	}
	p := trailAndFeeds{feeds: f.Feeds, trail: f.Trail}
	var err error
	if p.feedLinks, err = prose.Rendered(r.subtemplate("feeds"), f.Feeds); err != nil {
		return p, err
	}
	if len(f.Trail) > 0 {
		if p.trailNav, err = prose.Rendered(r.subtemplate("trail"), f); err != nil {
			return p, err
		}
		p.trailNav += "\n" + prose.JSONLD(f.breadcrumbs())
	}
	if f.trailKey != (trailKey{}) {
		r.trails.Put(f.trailKey, p)
	}
	return p, nil
}

// layoutView is the view of the templates of a layout.
type layoutView struct {
	Words      *site.Words
	Site       string // the site's title
	Hidden     bool   // from search engines
	Linked     bool   // pictures come from other hosts
	Script     string // of every page; "" for none, and then no page runs any
	Styles     []string
	Typefaces  []string // files of it that every page needs
	Icon       string   // "" for none
	Picture    string   // the icon as PNG; "" for none
	Manifest   string
	Feeds      []feed // of home
	Home       link
	Newest     *moment // of the newest item; nil but on home, as otherwise each new item would change all pages
	Navigation []link  // folders
	Menu       []link  // the owner's, after them
	Logo       string  // address of the owner's; "" for none
	Sections   link    // to the list of all sections
	Search     link
	Footer     []linkGroup
	Mirror     string // a sentence: this site is a mirror
	Source     link   // the mirrored service; without Href if it has no home page

	// The owner's.
	Owned   template.HTML // of the footer
	Sources site.Sources  // beyond the site's files, for the Content-Security-Policy
	Snippet struct{ Head, Foot template.HTML }
}

func (r *Renderer) layoutView(address string, href func(string) string) *layoutView {
	s, w := r.site, &r.site.Words
	v := &layoutView{
		Words: w, Site: s.Title, Hidden: s.Robots == site.DenyRobots || address == site.NotFound, Linked: !r.reader.Mirror,
		Styles:    r.styles(href),
		Typefaces: r.typefaces(romanFace, href),
		Feeds:     r.feeds(&s.Home, href),
		Home:      link{Href: href(s.Home.Index()), Text: w.Home, Current: address == s.Home.Index()},
		Mirror:    fmt.Sprintf(w.Mirror, s.SourceName),
		Source:    r.source,
		Search:    link{Href: href(site.SearchPage(*w)), Text: w.Search},
		Manifest:  href(site.WebManifest),
		Menu:      r.options.Branding.menu(s, href), Logo: r.logo(href), Owned: r.options.Branding.Footer, Sources: r.options.Branding.Sources,
		Script: r.asset(scriptName, href), Icon: r.asset(iconName, href), Picture: r.asset(FeedIcon, href),
	}
	if r.reader.Attached {
		v.Sources.Media = append([]string{"'self'", "file:"}, v.Sources.Media...)
	}
	v.Snippet.Head, v.Snippet.Foot = r.options.Branding.Head, r.options.Branding.Foot
	if v.Home.Current && s.Home.Items.Len() > 0 {
		v.Newest = r.moment(s.Home.Items.At(0).Published())
	}
	for _, folder := range s.Navigation {
		below := strings.HasPrefix(address, folder.Dir+"/")
		v.Navigation = append(v.Navigation, link{Href: href(folder.Index()), Text: folder.Title, Current: below})
	}
	v.Sections = link{Href: href(path.Join(s.SectionsDir, "index.html")), Text: w.AllSections}
	browse, follow, about := linkGroup{Title: w.Browse}, linkGroup{Title: w.FollowThis}, linkGroup{Title: w.ThisSite}
	for _, index := range r.filledIndexes() {
		browse.add(href(index.address()), index.title)
	}
	if s.Home.AnyMonth() {
		browse.add(href(w.MonthIndex(&s.Home)), w.Archive)
	}
	browse.add(v.Search.Href, v.Search.Text)
	if len(s.Formats) > 0 {
		follow.add(href(w.SubscribePage("", 0)), w.Subscribe)
		follow.add(href(site.OPML), w.AllFeeds)
	}
	for _, page := range s.Standing {
		if page.Parent == nil {
			about.add(href(page.Index()), page.Title)
		}
	}
	for _, own := range r.own {
		about.add(href(own.address), own.Title)
	}
	if s.Corrections.Items.Len() > 0 {
		about.add(href(s.Corrections.Index()), w.Corrections)
	}
	v.Footer = slices.DeleteFunc([]linkGroup{browse, follow, about}, func(g linkGroup) bool { return len(g.Links) == 0 })
	return v
}
