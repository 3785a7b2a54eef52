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
		lists, all := r.listPlaces(), r.site.Home.Items
		if len(lists)+all.Len() <= maxSitemap {
			yield(r.sitemap(site.Sitemap, "urlset", "url", func(yield func(located) bool) {
				_ = each(slices.Values(lists), yield) && each(itemPlaces(all), yield)
			}))
			return
		}
		var parts []located
		part := func(name string, number int, places iter.Seq[located]) bool {
			part := located{address: site.SitemapPart(name, number)}
			for p := range places {
				part.changed = max(part.changed, p.changed)
			}
			parts = append(parts, part)
			return yield(r.sitemap(part.address, "urlset", "url", places))
		}
		number := 0
		for chunk := range slices.Chunk(lists, maxSitemap) {
			number++
			if !part("lists", number, slices.Values(chunk)) {
				return
			}
		}
		number = 0
		for end := all.Len(); end > 0; end -= maxSitemap { // from the oldest on
			number++
			if !part("items", number, itemPlaces(all.Slice(max(0, end-maxSitemap), end))) {
				return
			}
		}
		yield(r.sitemap(site.Sitemap, "sitemapindex", "sitemap", slices.Values(parts)))
	}
}

// each yields all of a sequence; false if yield wants no more.
func each[T any](sequence iter.Seq[T], yield func(T) bool) bool {
	for value := range sequence {
		if !yield(value) {
			return false
		}
	}
	return true
}

func (r *Renderer) listPlaces() []located {
	places := []located{{r.site.Home.Index(), r.site.Home.Updated(site.PageSize)}}
	for _, index := range r.indexList() {
		places = append(places, located{address: index.address()})
	}
	places = append(places, located{address: site.SearchPage(r.site.Words)})
	for list := range r.listed() {
		if list.Dir != "" && !list.emptied {
			places = append(places, located{list.Index(), list.Updated(site.PageSize)})
		}
	}
	places = append(places, located{address: r.site.Corrections.Index()})
	if len(r.site.Formats) > 0 {
		places = append(places, located{address: r.site.Words.SubscribePage("", 0)})
	}
	for c := range r.chronicles() {
		if c.emptied {
			continue
		}
		places = append(places, located{address: r.site.Words.VolumeIndex(c.List)})
		for _, v := range c.volumes {
			if v.Items.Len() == 0 {
				continue
			}
			places = append(places, located{address: r.site.Words.VolumePage(c.List, v)})
		}
	}
	for _, own := range r.own {
		places = append(places, located{address: own.address})
	}
	return places
}

// itemPlaces yields the pages of items, the oldest first: a part of them that is
// full does not change when items are added.
func itemPlaces(items site.Items) iter.Seq[located] {
	return func(yield func(located) bool) {
		for item := range items.Backward() {
			if !yield(located{item.Address(), cmp.Or(item.Modified(), item.Published())}) {
				return
			}
		}
	}
}

func (r *Renderer) sitemap(address, root, element string, places iter.Seq[located]) output.File {
	key := output.NewDigest("sitemap").Text(r.site.BaseURL, root)
	for p := range places {
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
			for p := range places {
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
