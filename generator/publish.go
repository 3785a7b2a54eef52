package generator

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/generator/feed"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/picture"
	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/generator/story"
)

// render renders the site, or a share of it, and publishes it.
func (b *build) render(ctx context.Context) error {
	reader := story.New(b.archive, b.site, b.Config.Media == "mirror")
	if err := b.clean(ctx, reader); err != nil {
		return err
	}
	shown, err := b.makeSizes(ctx, reader)
	if err != nil {
		return err
	}
	defer b.measure("publish")()
	pages, err := page.New(reader, b.page)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	c := b.Config
	feeds := feed.New(reader, feed.Options{
		Items: c.Feeds.Items, FullText: c.Feeds.FullText, Authority: c.Feeds.IDAuthority, Date: c.Feeds.IDDate,
		Hub:   c.Feeds.Hub,
		Style: page.AddressOf(b.page.Assets, page.FeedStyle), Icon: page.AddressOf(b.page.Assets, page.FeedIcon),
	})
	files := output.Join(pages.Files(ctx), feeds.Files(ctx), search.New(reader).Files(ctx), pictures(b.archive, shown, reader.Sizes))
	options, err := b.outputOptions(ctx)
	if err != nil {
		return err
	}
	options.Wrote = feeds.Wrote
	result, err := output.Publish(ctx, c.Output, files, options)
	b.report.Files = filesOf(result)
	if err != nil {
		return fmt.Errorf("the site could not be published whole: %w", err)
	}
	b.pingHub(ctx, feeds.Changed())
	return nil
}

// mergeShards publishes what shards have rendered.
func (b *build) mergeShards(ctx context.Context) error {
	defer b.measure("publish")()
	options, err := b.outputOptions(ctx)
	if err != nil {
		return err
	}
	result, err := output.Merge(ctx, b.Config.Output, b.merge, options)
	b.report.Files = filesOf(result)
	if err != nil {
		return fmt.Errorf("the site could not be published: %w", err)
	}
	return nil
}

// clean prepares texts that are new or have changed.
func (b *build) clean(ctx context.Context, reader *story.Reader) error {
	defer b.measure("clean")()
	return reader.Prepare(ctx, b.Jobs, func(made, all int) { b.progress(Progress{Clean, made, all, -1}) })
}

// makeSizes returns the mirrored pictures that the site shows, and makes the
// smaller ones that the configuration wants.
func (b *build) makeSizes(ctx context.Context, reader *story.Reader) ([]archive.Media, error) {
	if !reader.Mirror {
		return nil, nil
	}
	rows := make(map[int64]bool)
	for item := range b.site.Home.Items.All() {
		rows[item.Row()] = true
	}
	for _, writer := range b.site.Writers {
		rows[writer.Row] = true
	}
	shown, err := b.archive.MediaShown(ctx, func(row int64) bool { return rows[row] })
	widths := b.Config.Widths
	if err != nil || len(widths) == 0 || b.archive.SizesDir() == "" {
		return shown, err
	}
	defer b.measure(string(Sizes))()
	resizer, err := picture.NewResizer(b.archive.MediaDir(), b.archive.SizesDir())
	if err != nil {
		return nil, err
	}
	impossible := make(map[string]bool) // names of sizes that could not be made
	b.report.Sizes = &SizeCount{}
	var mu sync.Mutex
	done := 0
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, b.Jobs))
	// Each shard begins with a share of its own, and finds the others' made.
	first := len(shown) * b.shard.I / max(1, b.shard.N)
	for _, m := range append(shown[first:len(shown):len(shown)], shown[:first]...) {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			made, err := resizer.Make(inner, m.Name, picture.Sizes(m.Name, m.Width, widths))
			mu.Lock()
			defer mu.Unlock()
			for _, size := range made.Skipped {
				impossible[size.Name] = true
			}
			b.report.Sizes.Made += made.Made
			done++
			b.progress(Progress{Sizes, done, len(shown), -1})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	b.report.Sizes.None = len(impossible)
	reader.Sizes = func(name string, width int) []picture.Size {
		return slices.DeleteFunc(picture.Sizes(name, width, widths), func(size picture.Size) bool { return impossible[size.Name] })
	}
	return shown, ctx.Err()
}

// pictures yields mirrored pictures with their smaller sizes.
func pictures(a *archive.Archive, shown []archive.Media, sizes func(name string, width int) []picture.Size) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		yieldFile := func(dir, name string) bool {
			return yield(output.File{Path: site.MediaAddress(name), Link: filepath.Join(dir, name)}, nil)
		}
		for _, m := range shown {
			if !yieldFile(a.MediaDir(), m.Name) {
				return
			}
			if sizes == nil {
				continue
			}
			for _, size := range sizes(m.Name, m.Width) {
				if !yieldFile(a.SizesDir(), size.Name) {
					return
				}
			}
		}
	}
}

// compareIDs reports entries' ids that differ from those in the published feeds,
// because every entry is new to readers then.
func (b *build) compareIDs() {
	if b.published == config.Sample && b.Config.Source.Origin() != config.Sample {
		return // nobody reads the feeds of the sample
	}
	c := b.Config.Feeds
	now := (&feed.Options{Authority: c.IDAuthority, Date: c.IDDate}).IDPrefix()
	for _, format := range b.site.FormatsOf(site.OfHome) {
		f, err := os.Open(filepath.Join(b.Config.Output, filepath.FromSlash(b.site.Home.Feed(format))))
		if err != nil {
			continue
		}
		before, err := feed.ReadIDPrefix(f)
		f.Close()
		if err == nil && before != "" {
			if before != now {
				b.report.IDs = &IDs{before, now}
			}
			return
		}
	}
}

// pingHub notifies the WebSub hub of feeds that have changed. A failure leaves
// the site as it is: readers find the news when they next ask.
func (b *build) pingHub(ctx context.Context, changed []string) {
	hub := b.Config.Feeds.Hub
	if hub == "" || !b.online || len(changed) == 0 {
		return
	}
	defer b.measure("hub")()
	b.report.Hub = &Hub{Failed: []Problem{}}
	for i, err := range feed.Ping(ctx, hub, changed) {
		if err != nil {
			b.report.Hub.Failed = append(b.report.Hub.Failed, Problem{changed[i], err.Error()})
		} else {
			b.report.Hub.Told++
		}
	}
}
