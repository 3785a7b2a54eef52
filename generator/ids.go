package generator

import (
	"os"
	"path/filepath"

	"ayna/generator/config"
	"ayna/generator/feed"
	"ayna/generator/site"
)

// tellIDs notes whether the ids of entries become others than those in the
// published feeds, which makes every entry a new one to every reader. Where that
// cannot be known nothing is noted.
func (r *Report) tellIDs(s *site.Site, o Options) {
	if o.published == config.Sample && o.Config.Source.Origin() != config.Sample {
		return // nobody reads the feeds of the sample
	}
	c := o.Config.Feeds
	now := (&feed.Options{Authority: c.IDAuthority, Date: c.IDDate}).IDs()
	for _, format := range s.FormatsOf(site.OfHome) {
		f, err := os.Open(filepath.Join(o.Config.Output, filepath.FromSlash(s.Home.Feed(format))))
		if err != nil {
			continue
		}
		before, err := feed.IDsIn(f)
		f.Close()
		if err == nil && before != "" {
			if before != now {
				r.IDs = &IDs{before, now}
			}
			return
		}
	}
}
