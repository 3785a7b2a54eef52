package page

import (
	"bufio"
	"context"
	"encoding/xml"
	"io"
	"time"

	"ayna/generator/output"
	"ayna/generator/site"
)

// A news sitemap names what is not older than two days, and not more than 1,000
// of it (Google Search Central, news sitemaps). The days are those before the
// newest item: the clock has no part in what is published.
const (
	newsDays    = 48 * time.Hour
	maxNews     = 1000
	newsSitemap = "http://www.google.com/schemas/sitemap-news/0.9"
)

// news returns the items of the news sitemap, newest first.
func (r *Renderer) news() []site.Item {
	all := r.site.Home.Items
	var news []site.Item
	for item := range all.All() {
		if len(news) == maxNews || item.Order() < all.At(0).Order()-newsDays.Milliseconds() {
			break
		}
		if item.Published() != 0 {
			news = append(news, item)
		}
	}
	return news
}

func (r *Renderer) newsSitemap() output.File {
	items := r.news()
	key := output.NewDigest("news sitemap").Text(r.site.BaseURL, r.site.Title, r.site.Language)
	addItems(key, items...)
	return output.File{
		Path: site.NewsSitemap,
		Key:  key.Key(),
		Write: func(ctx context.Context, w io.Writer) error {
			teasers, err := r.reader.Teasers(ctx, items)
			if err != nil {
				return err
			}
			b := bufio.NewWriter(w)
			element := func(name, text string) {
				b.WriteString("<" + name + ">")
				xml.EscapeText(b, []byte(text))
				b.WriteString("</" + name + ">")
			}
			b.WriteString(xml.Header + `<urlset xmlns="` + sitemapNamespace + `" xmlns:news="` + newsSitemap + "\">\n")
			for _, t := range teasers {
				b.WriteString("<url>")
				element("loc", r.site.Absolute(t.Address()))
				b.WriteString("<news:news><news:publication>")
				element("news:name", r.site.Title)
				element("news:language", r.site.Language)
				b.WriteString("</news:publication>")
				element("news:publication_date", t.PublishedTime().Format(time.RFC3339))
				element("news:title", t.Title)
				b.WriteString("</news:news></url>\n")
			}
			b.WriteString("</urlset>\n")
			return b.Flush()
		},
	}
}
