package page

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"ayna/generator/site"
)

// follow is what a reader needs to follow a list.
type follow struct {
	Address  string // absolute, of the feed that most readers know
	Reader   string // the same without its scheme, for that of feed readers: "feed:" and this
	Services []link // where readers on the web subscribe to it; nil if they cannot reach the site
	Feeds    []feed
	All      link // to the page of all feeds
}

// services are feed readers on the web, and the beginnings of addresses that subscribe to a feed.
var services = []link{
	{Text: "Feedly", Href: "https://feedly.com/i/subscription/feed%2F"},
	{Text: "Inoreader", Href: "https://www.inoreader.com/?add_feed="},
	{Text: "NewsBlur", Href: "https://www.newsblur.com/?url="},
	{Text: "The Old Reader", Href: "https://theoldreader.com/feeds/subscribe?url="},
}

// follow returns how to follow a list, nil if it has no feeds.
func (f *pageView) follow(l *site.List, feeds []feed) *follow {
	if len(feeds) == 0 {
		return nil
	}
	address := f.renderer.site.Absolute(l.Feed(site.BestFormat(f.renderer.site.FeedFormats(l))))
	_, reader, _ := strings.Cut(address, ":")
	way := &follow{Address: address, Reader: reader, Feeds: feeds, All: *f.linkTo(f.Words.SubscribePage("", 0), f.Words.Subscribe)}
	if isPublic(address) {
		for _, service := range services {
			service.Href += url.QueryEscape(address)
			way.Services = append(way.Services, service)
		}
	}
	return way
}

// privateName is a name of hosts that only their own network knows (RFC 6761, 6762, 8375).
var privateName = regexp.MustCompile(`\.(localhost|local|lan|internal|home\.arpa)$`)

// isPublic reports whether an address may be known outside of its machine and network.
func isPublic(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsGlobalUnicast() && !ip.IsPrivate()
	}
	return strings.Contains(host, ".") && !privateName.MatchString(host)
}
