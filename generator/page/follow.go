package page

import (
	"strings"

	"ayna/generator/site"
)

// follow is what a reader needs to follow a list.
type follow struct {
	Address string // absolute, of the feed that most readers know
	Reader  string // the same without its scheme, for that of feed readers: "feed:" and this
	Feeds   []feed
	All     link // to the page of all feeds
}

// follow returns how to follow a list, nil if it has no feeds.
func (f *pageView) follow(l *site.List, feeds []feed) *follow {
	if len(feeds) == 0 {
		return nil
	}
	address := f.renderer.site.Absolute(l.Feed(site.BestFormat(f.renderer.site.FeedFormats(l))))
	_, reader, _ := strings.Cut(address, ":")
	return &follow{address, reader, feeds, *f.linkTo(f.Words.SubscribePage("", 0), f.Words.Subscribe)}
}
