package generator

import (
	"context"

	"ayna/fetch"
	"ayna/generator/config"
	"ayna/generator/story"
	"ayna/generator/swap"
	"ayna/record"
	"ayna/source/kinds"
)

// fetchOptions returns the settings of the fetching.
func fetchOptions(o Options) fetch.Options {
	c := o.Config
	options := fetch.Options{
		URL:         c.Source.URL,
		Open:        openSource(c.Source),
		Hosts:       o.Hosts,
		Timeout:     c.Source.Timeout,
		UserAgent:   c.Source.UserAgent,
		Concurrency: c.Source.Concurrency,
		PerSecond:   c.Source.PerSecond,
		PerHour:     c.Source.PerHour,
		Budget:      o.Budget,

		Sweep:       c.Source.Sweep,
		PageSize:    c.Source.PageSize,
		MaxRecords:  c.Source.MaxRecords,
		Full:        o.Full,
		Moved:       o.Moved,
		AllowDelete: o.AllowDelete,

		Wants:    arrangement(&c.Shown).Wants,
		Pictures: c.MirrorsMedia(),
		Comments: c.Comments == config.MirrorComments,
		Attachments: fetch.Attachments{
			Kinds: c.Attachments.Kinds, Largest: int64(c.Attachments.Largest), PerRun: int64(c.Attachments.PerRun), Free: freeBytes,
		},
		Dates:   readDates(c),
		Table:   c.Words.Table,
		Cleaned: story.Cleaned,

		Now:      o.Now,
		Progress: o.Progress,
	}
	if c.Source.URL == config.Sample {
		options.URL, options.Open = o.SampleURL, openSource(config.Source{URL: o.SampleURL, Kind: kinds.ReadAPI})
		options.PerSecond, options.PerHour = 0, 0
	}
	for _, kind := range c.Content.Kinds {
		options.Kinds = append(options.Kinds, record.Kind(kind))
	}
	for _, search := range c.Searches {
		options.Searches = append(options.Searches, search.Query)
	}
	return options
}

// freeBytes returns the free space of a disk.
func freeBytes(dir string) (uint64, error) {
	bytes, _, err := swap.FreeSpace(dir)
	return bytes, err
}

// readAgain makes records of their originals again that another version of the program has made.
func readAgain(ctx context.Context, o Options, m mirror, report *Report) (err error) {
	if o.Config.Source.URL == config.Sample {
		return nil
	}
	defer o.measure(report, "read")()
	report.Reread, err = fetch.ReadAgain(ctx, m.archive, fetchOptions(o))
	return err
}

// readDates returns how dates of the source are read.
func readDates(c *config.Config) record.Dates {
	return record.Dates{Zone: c.Location, Order: c.Source.Dates}
}
