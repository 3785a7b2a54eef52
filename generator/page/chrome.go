package page

import (
	"fmt"
	"html/template"
	"strings"

	"ayna/generator/prose"
	"ayna/generator/site"
)

// maxNavigation is the number of folders in the main navigation of every page;
// home shows all of them.
const maxNavigation = 14

// chrome is what all pages of one depth in one part of the site show alike. It
// is rendered once for them: by the templates "head", "top" and "bottom" of
// layout.html.
type chrome struct{ head, top, bottom template.HTML }

// chromes is how many are kept at hand.
const chromes = 256

// chromeView is what those templates are given.
type chromeView struct {
	Words      *site.Words
	Site       string // the site's title
	Hidden     bool   // search engines are asked to stay away
	Linked     bool   // pictures come from other hosts
	Script     string // of every page; "" for none, and then no page runs any
	Styles     []string
	Icon       string // "" for none
	Picture    string // the icon as PNG; "" for none
	Manifest   string
	Feeds      []feed // of home
	Home       link
	Navigation []link // folders
	Search     link
	Footer     []link // indexes, the owner's pages, OPML
	Mirror     string // what this site is
	Source     link   // the mirrored service; without Href if it has no home page
}

// complete sets what the page shares with others.
func (f *frame) complete() error {
	f.Whole = f.Site
	if f.Title != "" {
		f.Whole = f.Title + " – " + f.Site
	}
	c, err := f.chrome()
	if err != nil {
		return err
	}
	f.Head, f.Top, f.Bottom = c.head, c.top, c.bottom
	p, err := f.place()
	f.FeedLinks, f.TrailNav = p.feedLinks, p.trailNav
	return err
}

func (f *frame) chrome() (chrome, error) {
	r := f.renderer
	root := site.Root(f.address)
	href := func(to string) string { return root + to }
	part, _, _ := strings.Cut(f.address, "/")
	if f.address == site.NotFound { // shown at any address
		href = r.site.Absolute
	} else if root == "" && f.address != r.site.Home.Index() {
		part = ""
	}
	key := root + part
	if c, ok := r.chromes.Get(key); ok {
		return c, nil
	}
	view := r.chromeView(f.address, href)
	var c chrome
	for _, piece := range []struct {
		name string
		into *template.HTML
	}{{"head", &c.head}, {"top", &c.top}, {"bottom", &c.bottom}} {
		var err error
		if *piece.into, err = prose.Rendered(r.part(piece.name), view); err != nil {
			return chrome{}, err
		}
	}
	r.chromes.Put(key, c)
	return c, nil
}

// place is how a page says where in the site it is: the feeds of the list it
// belongs to, and the way from home to it.
type place struct {
	feeds               []feed
	trail               []link
	feedLinks, trailNav template.HTML
}

// place is rendered once for the items of a folder and for the pages of a list,
// by the templates "feeds" and "trail" of layout.html.
func (f *frame) place() (place, error) {
	r := f.renderer
	if f.shared != "" {
		if p, ok := r.places.Get(f.shared); ok {
			return p, nil
		}
	}
	p := place{feeds: f.Feeds, trail: f.Trail}
	var err error
	if p.feedLinks, err = prose.Rendered(r.part("feeds"), f.Feeds); err != nil {
		return p, err
	}
	if len(f.Trail) > 0 {
		if p.trailNav, err = prose.Rendered(r.part("trail"), f); err != nil {
			return p, err
		}
		p.trailNav += "\n" + prose.Linked(f.breadcrumbs()).HTML()
	}
	if f.shared != "" {
		r.places.Put(f.shared, p)
	}
	return p, nil
}

func (r *Renderer) chromeView(address string, href func(string) string) *chromeView {
	s, w := r.site, &r.site.Words
	v := &chromeView{
		Words: w, Site: s.Title, Hidden: s.Robots == "deny" || address == site.NotFound, Linked: !r.reader.Mirror,
		Feeds:      r.feeds(&s.Home, href),
		Home:       link{Href: href(s.Home.Index()), Text: w.Home, Current: address == s.Home.Index()},
		Navigation: r.navigation(address, href),
		Footer:     r.footer(href),
		Mirror:     fmt.Sprintf(w.Mirror, s.SourceName),
		Source:     r.source,
		Search:     link{Href: href(site.SearchPage(*w)), Text: w.Search},
		Manifest:   href(site.WebManifest),
	}
	for _, asset := range r.options.Assets {
		switch {
		case asset.isStyle():
			v.Styles = append(v.Styles, href(asset.Address))
		case asset.Name == iconName:
			v.Icon = href(asset.Address)
		case asset.Name == FeedIcon:
			v.Picture = href(asset.Address)
		case asset.Name == scriptName:
			v.Script = href(asset.Address)
		}
	}
	return v
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
		links = append(links, link{Href: href(r.site.Home.Index()) + "#" + sectionsAnchor, Text: r.site.Words.AllSections})
	}
	return links
}

func (r *Renderer) footer(href func(string) string) []link {
	var links []link
	for _, index := range r.indexList() {
		links = append(links, link{Href: href(index.address()), Text: index.title})
	}
	links = append(links, link{Href: href(site.SearchPage(r.site.Words)), Text: r.site.Words.Search})
	w := &r.site.Words
	links = append(links,
		link{Href: href(w.VolumeIndex(&r.site.Home)), Text: w.Archive}, link{Href: href(r.site.Corrections.Index()), Text: w.Corrections})
	for _, own := range r.own {
		links = append(links, link{Href: href(own.address), Text: own.Title})
	}
	if len(r.site.Formats) > 0 {
		links = append(links, link{Href: href(w.SubscribePage("", 0)), Text: w.Subscribe})
		links = append(links, link{Href: href(site.OPML), Text: r.site.Words.AllFeeds})
	}
	return links
}
