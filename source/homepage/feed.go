package homepage

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// FeedHome returns the address of the site that a feed names, or that of the feed's host if
// it names another host. It returns "" for a page that is no feed: of RSS, Atom or JSON.
func (p Page) FeedHome() string {
	isFeed, home := bytes.HasPrefix(bytes.TrimSpace(p.body), []byte("{")) && bytes.Contains(p.body, []byte("https://jsonfeed.org/version/")), &url.URL{Scheme: p.URL.Scheme, Host: p.URL.Host}
	for z := html.NewTokenizer(bytes.NewReader(p.body)); ; {
		kind, t := z.Next(), z.Token()
		switch {
		case kind == html.ErrorToken && !isFeed:
			return ""
		case kind == html.ErrorToken, isFeed && (t.Data == "item" || t.Data == "entry"):
			return strings.TrimSuffix(home.Scheme+"://"+home.Host+home.EscapedPath(), "/")
		case kind != html.StartTagToken && kind != html.SelfClosingTagToken:
		case t.Data == "rss" || t.Data == "feed" || t.Data == "rdf:rdf":
			isFeed = true
		case isFeed && t.DataAtom == atom.Link:
			link := Tag{t.DataAtom, t.Attr}
			address := link.Attribute("href")
			if address == "" && z.Next() == html.TextToken { // RSS has a text
				address = strings.TrimSpace(z.Token().Data)
			}
			if u, err := p.URL.Parse(address); err == nil && address != "" && link.Attribute("rel") != "self" && u.Host == p.URL.Host && u.User == nil {
				home = u
			}
		}
	}
}
