package page

import (
	"bufio"
	"cmp"
	"context"
	"encoding/xml"
	"io"
	"path"
	"slices"
	"time"

	"ayna/generator/output"
	"ayna/generator/site"
)

// maxSitemap is the number of addresses that one sitemap may hold
// (sitemaps.org, protocol).
const maxSitemap = 50_000

// A news sitemap has the items of the last two days, at most 1,000 (Google Search
// Central, news sitemaps). The days are counted back from the newest item, not from
// now: published bytes do not depend on the clock.
const (
	newsWindow = 48 * time.Hour
	maxNews    = 1000
)

const (
	sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
	newsNamespace    = "http://www.google.com/schemas/sitemap-news/0.9"
)

// sitemapURL is a page in a sitemap.
type sitemapURL struct {
	address string
	changed int64 // Unix milliseconds, 0 if unknown
}

// sitemaps returns robots.txt, the news sitemap, and the sitemap or the list of
// its parts.
func (r *Renderer) sitemaps(lists []listInfo, periodLists []periodList) []output.File {
	news, all := r.news(), r.site.All
	files := []output.File{r.robots(len(news) > 0)}
	if len(news) > 0 {
		files = append(files, r.newsSitemap(news))
	}
	pages := r.listURLs(lists, periodLists)
	if len(pages)+all.Len() <= maxSitemap {
		return append(files, r.sitemap(site.Sitemap, "urlset", "url", pages, all))
	}
	var parts []sitemapURL
	part := func(name string, number int, pages []sitemapURL, items site.Items) {
		part := sitemapURL{address: site.SitemapPart(name, number)}
		for _, l := range pages {
			part.changed = max(part.changed, l.changed)
		}
		for item := range items.All() {
			part.changed = max(part.changed, changed(item))
		}
		parts = append(parts, part)
		files = append(files, r.sitemap(part.address, "urlset", "url", pages, items))
	}
	number := 0
	for chunk := range slices.Chunk(pages, maxSitemap) {
		number++
		part("lists", number, chunk, site.Items{})
	}
	number = 0
	for end := all.Len(); end > 0; end -= maxSitemap { // from the oldest on
		number++
		part("items", number, nil, all.Slice(max(0, end-maxSitemap), end))
	}
	return append(files, r.sitemap(site.Sitemap, "sitemapindex", "sitemap", parts, site.Items{}))
}

// listURLs returns the pages that are not of items.
func (r *Renderer) listURLs(lists []listInfo, periodLists []periodList) []sitemapURL {
	w := &r.site.Words
	var pages []sitemapURL
	add := func(address string, changed int64) { pages = append(pages, sitemapURL{address, changed}) }
	add(r.site.Home.Index(), r.site.Home.Updated(site.PageSize))
	for _, index := range r.indexList() {
		add(index.address(), 0)
	}
	add(path.Join(w.SectionsDir, "index.html"), 0)
	add(site.SearchPage(*w), 0)
	for _, list := range lists {
		if list.Dir != "" && !list.emptied && (list.folder == nil || list.writer == nil) {
			add(list.Index(), list.Updated(site.PageSize))
		}
	}
	add(r.site.Corrections.Index(), 0)
	add(w.NumbersPage(), 0)
	if len(r.site.Formats) > 0 {
		add(w.SubscribePage("", 0), 0)
	}
	for _, h := range periodLists {
		if h.emptied {
			continue
		}
		if h.HasMonths() {
			add(w.MonthIndex(h.List), 0)
		}
		for _, period := range h.periods {
			if period.Items.Len() > 0 {
				add(w.PeriodPage(h.List, period), 0)
			}
		}
	}
	for _, own := range r.own {
		add(own.address, 0)
	}
	return pages
}

func changed(item site.Item) int64 { return cmp.Or(item.Modified(), item.Published()) }

// sitemap returns a sitemap of pages, and of the pages of items, the oldest first: a full part
// does not change when items are added.
func (r *Renderer) sitemap(address, root, element string, pages []sitemapURL, items site.Items) output.File {
	return output.File{
		Path: address,
		Key: func() site.Digest {
			return r.keyWithout(address, func(m *site.Mixer) {
				for _, l := range pages {
					m.Text(l.address)
					m.Number(l.changed)
				}
				m.Shown(items)
			})
		},
		Write: func(_ context.Context, w io.Writer) error {
			b := bufio.NewWriter(w)
			b.WriteString(xml.Header + "<" + root + ` xmlns="` + sitemapNamespace + "\">\n")
			begin, end := "<"+element+"><loc>", "</"+element+">\n"
			var text []byte
			add := func(l sitemapURL) {
				b.WriteString(begin)
				text = append(text[:0], r.site.Absolute(l.address)...)
				xml.EscapeText(b, text)
				b.WriteString("</loc>")
				if l.changed != 0 {
					b.WriteString("<lastmod>")
					b.Write(time.UnixMilli(l.changed).UTC().AppendFormat(b.AvailableBuffer(), time.RFC3339))
					b.WriteString("</lastmod>")
				}
				b.WriteString(end)
			}
			for _, l := range pages {
				add(l)
			}
			for item := range items.Backward() {
				add(sitemapURL{item.Address(), changed(item)})
			}
			b.WriteString("</" + root + ">\n")
			return b.Flush()
		},
	}
}

func (r *Renderer) robots(news bool) output.File {
	rule := "Allow: /"
	if r.site.Robots == site.DenyRobots {
		rule = "Disallow: /"
	}
	text := "User-agent: *\n" + rule + "\n\nSitemap: " + r.site.Absolute(site.Sitemap) + "\n"
	if news {
		text += "Sitemap: " + r.site.Absolute(site.NewsSitemap) + "\n"
	}
	return staticFile(site.RobotsTxt, []byte(text))
}

// news returns the items of the news sitemap, newest first.
func (r *Renderer) news() []site.Item {
	all := r.site.Home.Items
	var news []site.Item
	for item := range all.All() {
		if len(news) == maxNews || item.Order() < all.At(0).Order()-newsWindow.Milliseconds() {
			break
		}
		if item.Published() != 0 {
			news = append(news, item)
		}
	}
	return news
}

// newsURL is an item in the news sitemap.
type newsURL struct {
	XMLName  struct{} `xml:"url"`
	Address  string   `xml:"loc"`
	Site     string   `xml:"news:news>news:publication>news:name"`
	Language string   `xml:"news:news>news:publication>news:language"`
	Date     string   `xml:"news:news>news:publication_date"`
	Title    string   `xml:"news:news>news:title"`
}

func (r *Renderer) newsSitemap(items []site.Item) output.File {
	return output.File{
		Path: site.NewsSitemap,
		Write: func(ctx context.Context, w io.Writer) error {
			teasers, err := r.reader.Teasers(ctx, items)
			if err != nil {
				return err
			}
			b := bufio.NewWriter(w)
			b.WriteString(xml.Header + `<urlset xmlns="` + sitemapNamespace + `" xmlns:news="` + newsNamespace + "\">\n")
			for _, t := range teasers {
				text, err := xml.Marshal(newsURL{
					Address: r.site.Absolute(t.Address()), Site: r.site.Title, Language: r.site.Language,
					Date: t.PublishedTime().Format(time.RFC3339), Title: t.Title,
				})
				if err != nil {
					return err
				}
				b.Write(append(text, '\n'))
			}
			b.WriteString("</urlset>\n")
			return b.Flush()
		},
	}
}
