package generator

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/config"
	"ayna/generator/feed"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/picture"
	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/generator/story"
)

// Stories arranges an archive as the site would be, and returns a reader of its stories.
// Nothing is stored if the archive is only read.
func Stories(ctx context.Context, c *config.Config, a *archive.Archive) (*story.Reader, error) {
	arranged, err := arrange.Arrange(ctx, a, *arrangement(&c.Shown))
	if err != nil {
		return nil, err
	}
	return story.New(a, arranged, c.Media == "mirror"), nil
}

// render renders the site and publishes it, or renders a shard of it.
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
	index := search.Options{Texts: c.Search.Texts, Has: b.shard.Has}
	files := output.Join(pages.Files(ctx), feeds.Files(ctx), search.New(reader, index).Files(ctx), pictures(b.archive, shown, reader.Sizes))
	options := b.outputOptions(ctx)
	options.Wrote = feeds.Wrote
	result, err := output.Publish(ctx, c.Output, files, options)
	b.report.Files = &result
	if err != nil {
		return err
	}
	b.pingHub(ctx, feeds.Changed())
	return nil
}

// mergeShards publishes the trees of shards as one site.
func (b *build) mergeShards(ctx context.Context) error {
	defer b.measure("publish")()
	result, err := output.Merge(ctx, b.Config.Output, b.merge, b.outputOptions(ctx))
	b.report.Files = &result
	return err
}

// clean prepares texts that are new or have changed.
func (b *build) clean(ctx context.Context, reader *story.Reader) error {
	defer b.measure("clean")()
	return reader.Prepare(ctx, b.Jobs, func(made, all int) { b.progress(Clean, made, all) })
}

// makeSizes returns the mirrored pictures that the site shows. It makes smaller
// versions of them in the configured widths.
func (b *build) makeSizes(ctx context.Context, reader *story.Reader) ([]archive.Media, error) {
	if !reader.Mirror {
		return nil, nil
	}
	rows := make(map[int64]bool)
	for item := range b.site.All.All() {
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
	defer b.measure("sizes")()
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
	// Shards that run side by side begin at different pictures.
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
			b.progress(Sizes, done, len(shown))
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
		for _, m := range shown {
			files := []string{filepath.Join(a.MediaDir(), m.Name)}
			if sizes != nil {
				for _, size := range sizes(m.Name, m.Width) {
					files = append(files, filepath.Join(a.SizesDir(), size.Name))
				}
			}
			for _, file := range files {
				if !yield(output.File{Path: site.MediaAddress(filepath.Base(file)), Link: file}, nil) {
					return
				}
			}
		}
	}
}

// compareIDs reports ids of entries that differ from those in the published
// feeds, because every entry is new to readers then.
func (b *build) compareIDs() {
	before, now := b.published.FeedIDs, b.inputs.FeedIDs
	isSample := b.published.Origin == config.Sample && b.inputs.Origin != config.Sample // nobody reads its feeds
	if before != "" && now != "" && before != now && !isSample {
		b.report.IDs = &IDs{before, now}
	}
}

// pingHub notifies the WebSub hub of changed feeds. The site stays published if
// that fails: readers find the news at their next request.
func (b *build) pingHub(ctx context.Context, changed []string) {
	hub := b.Config.Feeds.Hub
	if hub == "" || !b.online || len(changed) == 0 {
		return
	}
	defer b.measure("hub")()
	failures := feed.Ping(ctx, hub, changed)
	b.report.Hub = &Hub{Notified: len(changed) - len(failures), Failed: failures}
}
