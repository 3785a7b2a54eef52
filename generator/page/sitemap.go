package page

import (
	"bufio"
	"cmp"
	"context"
	"encoding/xml"
	"io"
	"iter"
	"slices"
	"time"

	"ayna/generator/output"
	"ayna/generator/site"
)

// maxSitemap is the number of addresses that one sitemap may hold
// (sitemaps.org, protocol).
const maxSitemap = 50_000

const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// located is a page as a sitemap names it.
type located struct {
	address string
	changed int64 // Unix milliseconds, 0 if unknown
}

// sitemaps yields robots.txt, the news sitemap, and the sitemap or the list of
// its parts.
func (r *Renderer) sitemaps() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		if !yield(r.robots()) || len(r.news()) > 0 && !yield(r.newsSitemap()) {
			return
		}
		lists, items := r.listPlaces(), r.itemPlaces()
		if len(lists)+len(items) <= maxSitemap {
			yield(r.sitemap(site.Sitemap, "urlset", "url", slices.Concat(lists, items)))
			return
		}
		var parts []located
		for _, group := range []struct {
			name   string
			places []located
		}{{"lists", lists}, {"items", items}} {
			number := 0
			for chunk := range slices.Chunk(group.places, maxSitemap) {
				number++
				part := located{address: site.SitemapPart(group.name, number)}
				for _, p := range chunk {
					part.changed = max(part.changed, p.changed)
				}
				parts = append(parts, part)
				if !yield(r.sitemap(part.address, "urlset", "url", chunk)) {
					return
				}
			}
		}
		yield(r.sitemap(site.Sitemap, "sitemapindex", "sitemap", parts))
	}
}

func (r *Renderer) listPlaces() []located {
	places := []located{{r.site.Home.Index(), r.site.Home.Updated(site.PageSize)}}
	for _, index := range r.indexList() {
		places = append(places, located{address: index.address()})
	}
	places = append(places, located{address: site.SearchPage(r.site.Words)})
	for list := range r.listed() {
		if list.Dir != "" {
			places = append(places, located{list.Index(), list.Updated(site.PageSize)})
		}
	}
	places = append(places, located{address: r.site.Corrections.Index()})
	if len(r.site.Formats) > 0 {
		places = append(places, located{address: r.site.Words.SubscribePage("", 0)})
	}
	for c := range r.chronicles() {
		places = append(places, located{address: r.site.Words.VolumeIndex(c.List)})
		for _, v := range c.volumes {
			places = append(places, located{address: r.site.Words.VolumePage(c.List, v)})
		}
	}
	for _, own := range r.own {
		places = append(places, located{address: own.address})
	}
	return places
}

// itemPlaces returns the items' pages, oldest first: a part that is full does
// not change when items are added.
func (r *Renderer) itemPlaces() []located {
	places := make([]located, 0, len(r.site.Home.Items))
	for _, item := range slices.Backward(r.site.Home.Items) {
		places = append(places, located{item.Address, cmp.Or(item.Modified, item.Published)})
	}
	return places
}

func (r *Renderer) sitemap(address, root, element string, places []located) output.File {
	key := output.NewDigest("sitemap").Text(r.site.BaseURL, root)
	for _, p := range places {
		key.Text(p.address).Number(uint64(p.changed))
	}
	return output.File{
		Path: address,
		Key:  key.Key(),
		Write: func(_ context.Context, w io.Writer) error {
			b := bufio.NewWriter(w)
			b.WriteString(xml.Header + "<" + root + ` xmlns="` + sitemapNamespace + "\">\n")
			begin, end := "<"+element+"><loc>", "</"+element+">\n"
			var text []byte
			for _, p := range places {
				b.WriteString(begin)
				text = append(text[:0], r.site.Absolute(p.address)...)
				xml.EscapeText(b, text)
				b.WriteString("</loc>")
				if p.changed != 0 {
					b.WriteString("<lastmod>")
					b.Write(time.UnixMilli(p.changed).UTC().AppendFormat(b.AvailableBuffer(), time.RFC3339))
					b.WriteString("</lastmod>")
				}
				b.WriteString(end)
			}
			b.WriteString("</" + root + ">\n")
			return b.Flush()
		},
	}
}

func (r *Renderer) robots() output.File {
	rule := "Allow: /"
	if r.site.Robots == "deny" {
		rule = "Disallow: /"
	}
	text := "User-agent: *\n" + rule + "\n\nSitemap: " + r.site.Absolute(site.Sitemap) + "\n"
	if len(r.news()) > 0 {
		text += "Sitemap: " + r.site.Absolute(site.NewsSitemap) + "\n"
	}
	return output.File{
		Path: site.RobotsTxt,
		Key:  output.NewDigest("robots").Text(text).Key(),
		Write: func(_ context.Context, w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		},
	}
}
