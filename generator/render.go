package generator

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/generator/feed"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/picture"
)

// render returns the files of the site, and its feeds, which know what has changed once
// the files are written.
func render(ctx context.Context, c *config.Shown, mirrored archive.Pictures, theme page.Options, reader *story.Reader, shown, attached []archive.Media, index search.Options) (iter.Seq2[output.File, error], *feed.Renderer, error) {
	pages, err := page.New(reader, theme)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	feeds := feed.New(reader, feed.Options{
		Items: c.Feeds.Items, FullText: c.Feeds.FullText, Authority: c.Feeds.IDAuthority, Date: c.Feeds.IDDate,
		Hub:   c.Feeds.Hub,
		Style: page.AddressOf(theme.Assets, page.FeedStyle), Icon: page.AddressOf(theme.Assets, page.FeedIcon),
	})
	return output.Join(pages.Files(ctx), feeds.Files(ctx), search.New(reader, index).Files(ctx), pictures(mirrored, shown, reader.Sizes), attachments(mirrored, attached)), feeds, nil
}

// pictures yields mirrored pictures with their smaller sizes.
func pictures(mirrored archive.Pictures, shown []archive.Media, sizes func(name string, width int) []picture.Size) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		for _, m := range shown {
			files := []string{filepath.Join(mirrored.Dir(), m.Name)}
			if sizes != nil {
				for _, size := range sizes(m.Name, m.Width) {
					files = append(files, filepath.Join(mirrored.SizesDir(), size.Name))
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

// attachments yields mirrored attachments. Two addresses may have the same file and name.
func attachments(mirrored archive.Pictures, attached []archive.Media) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		seen := make(map[string]bool)
		for _, m := range attached {
			address := site.AttachmentAddress(m.Name, m.URL)
			if seen[address] {
				continue
			}
			seen[address] = true
			if !yield(output.File{Path: address, Link: filepath.Join(mirrored.Dir(), m.Name)}, nil) {
				return
			}
		}
	}
}

// outputOptions returns what the site must be like to be published, and how far
// it may differ from the published one.
func outputOptions(o Options, compared state, s *site.Site) output.Options {
	options := output.Options{
		Inputs: compared.inputs, Program: compared.program, All: o.Full || o.Check,
		Jobs: o.Jobs, Progress: func(done int) { o.progress(Publish, done, 0) },
		Required:   []string{s.Home.Index(), site.NotFound, site.RobotsTxt, site.Sitemap},
		Records:    s.Home.Items.Len(),
		Unreadable: func(err error) bool { return errors.Is(err, story.ErrUnreadable) },
		Supersedes: config.Sample,
		Fewer:      compared.fewer, Expiring: site.AssetsDir + "/",
		Compress: o.Config.Compress,
	}
	for _, format := range s.FormatsOf(site.OfHome) {
		options.Required = append(options.Required, s.Home.Feed(format))
	}
	return options
}

// pingHub notifies the WebSub hub of changed feeds. The site stays published if
// that fails: readers find the news at their next request.
func pingHub(ctx context.Context, hub string, changed []string) *Hub {
	failures := feed.Ping(ctx, hub, changed)
	return &Hub{Notified: len(changed) - len(failures), Failed: failures}
}

// renderSite renders the files of a site and publishes them.
func renderSite(ctx context.Context, o Options, m mirror, arranged *site.Site, options output.Options, report *Report) error {
	reader := newReader(o.Config, m.archive, arranged)
	if !o.Full && !o.Check {
		reader.Program = options.Program
	}
	end := o.measure(report, "clean")
	err := reader.Prepare(ctx, o.Jobs, func(made, all int) { o.progress(Clean, made, all) })
	end()
	if err != nil {
		return err
	}
	sizes := "" // version of the smaller pictures
	shown, attached, err := filesShown(ctx, reader)
	if err != nil {
		return err
	}
	if reader.Mirror && len(o.Config.Widths) > 0 && m.archive.Pictures.SizesDir() != "" {
		end := o.measure(report, "sizes")
		var impossible []string
		report.Sizes, reader.Sizes, impossible, err = makeSizes(ctx, o, m.archive.Pictures, shown)
		end()
		if err != nil {
			return err
		}
		sizes = digest(o.Config.Widths, impossible)
		if options.Program != "" {
			options.Program = digest(options.Program, sizes)
		}
	}

	options.Store = new(output.Store)
	reader.Few = options.Store.Reads
	index := search.Options{Texts: o.Config.Search.Texts, Pictures: sizes, Store: options.Store}
	files, feeds, err := render(ctx, &o.Config.Shown, m.archive.Pictures, m.theme.Options, reader, shown, attached, index)
	if err != nil {
		return err
	}
	options.Wrote, options.Whole = feeds.Wrote, reader.Whole
	end = o.measure(report, "publish")
	result, err := output.Publish(ctx, o.Config.Output, files, options)
	end()
	if report.Files = &result; err != nil {
		return err
	}
	if changed := feeds.Changed(); o.Config.Feeds.Hub != "" && !o.Offline && len(changed) > 0 {
		end := o.measure(report, "hub")
		report.Hub = pingHub(ctx, o.Config.Feeds.Hub, changed)
		end()
	}
	return nil
}
