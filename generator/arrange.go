package generator

import (
	"context"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/config"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/generator/swap"
	"ayna/record"
)

// Stories arranges an archive as the site would be, and returns a reader of its stories.
// Nothing is stored if the archive is only read.
func Stories(ctx context.Context, c *config.Config, a *archive.Archive) (*story.Reader, error) {
	arranged, err := arrange.Arrange(ctx, a, *arrangement(&c.Shown))
	if err != nil {
		return nil, err
	}
	return newReader(c, a, arranged), nil
}

// count counts the records of the archive, and those that wait for their single record.
func count(ctx context.Context, catalog archive.Catalog, wants func(paths []string) bool) (map[record.Kind]KindCount, error) {
	all, err := catalog.CountWanted(ctx, nil)
	if err != nil {
		return nil, err
	}
	waiting, err := catalog.CountWaiting(ctx, wants)
	records := make(map[record.Kind]KindCount)
	for kind, n := range all {
		records[kind] = KindCount{Records: n, Waiting: waiting[kind]}
	}
	return records, err
}

// Arrived returns how many records of an archive are there in full, and how many are known.
func Arrived(ctx context.Context, c *config.Config, a *archive.Archive) (arrived, known int, err error) {
	records, err := count(ctx, a.Catalog, arrangement(&c.Shown).Wants)
	for _, n := range records {
		arrived, known = arrived+n.Records-n.Waiting, known+n.Records
	}
	return arrived, known, err
}

// arrangeSite arranges the records of the archive as a site. program is [state.program].
func arrangeSite(ctx context.Context, o Options, m mirror, program string, records map[record.Kind]KindCount) (*site.Site, error) {
	options := arrangement(&o.Config.Shown)
	for _, page := range m.theme.Own {
		options.Taken = append(options.Taken, site.OwnPage(page.Name, o.Config.Language))
	}
	for _, kind := range site.Kinds {
		options.Records += records[record.Kind(kind)].Records
	}
	if !o.Check { // a check reads all, and needs no room to keep it
		if target, err := swap.OpenShared(o.Config.Output); err == nil { // otherwise all is read
			defer target.Close()
			options.Kept = arrange.Kept{Dir: target.Hidden(), Program: program, Anew: o.Full}
		}
	}
	return arrange.Arrange(ctx, m.archive, *options)
}

// countSite counts what a site shows.
func countSite(s *site.Site) *SiteCount {
	count := &SiteCount{Items: s.Home.Items.Len(), Folders: len(s.Folders), Writers: len(s.Writers), Tags: len(s.Tags)}
	for item := range s.Home.Items.All() {
		if item.Published() == 0 {
			count.Undated++
		}
	}
	return count
}

// newReader returns the reader of an arranged site.
func newReader(c *config.Config, a *archive.Archive, arranged *site.Site) *story.Reader {
	reader := story.New(a, arranged, c.MirrorsMedia())
	reader.Attached = c.Attached
	return reader
}
