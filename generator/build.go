// Package generator builds a mirror: it brings the archive up to date with the
// service, arranges it as a site, renders the site's files and publishes them.
//
// [Build] is the conductor and reads as the list of its stages; each stage is
// a package of its own below this one.
package generator

import (
	"context"
	"errors"
	"fmt"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/feed"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/generator/sync"
)

// ErrConfig marks an error in what the configuration names: templates, assets,
// the owner's own pages. It is found before any request is made.
var ErrConfig = errors.New("configuration")

// Build makes one build. The report is complete as far as the build came, also
// when there is an error. Some errors leave the site published: [sync.ErrBudget]
// alone, so far.
func Build(ctx context.Context, options Options) (report *Report, err error) {
	report = newReport(options.Now)
	defer report.end()
	p, err := prepare(options)
	if err != nil {
		return report, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	a, err := openArchive(ctx, options)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := checkOrigin(ctx, a, options); err != nil {
		return report, err
	}
	if !options.NoSite {
		if err := output.Ready(options.Config.Output); err != nil {
			return report, err
		}
	}
	if options.published, err = publishedOrigin(options); err != nil {
		return report, err
	}
	if err := noteOrigin(ctx, a, options); err != nil {
		return report, err
	}
	if a.Writable() {
		if err := sync.Upright(ctx, a); err != nil {
			return report, err
		}
	}

	if err := checkSpace(ctx, a, options); err != nil {
		return report, err
	}
	shortage := error(nil)
	options.Offline = options.Offline || options.Forget != nil || options.Import != nil || options.Shard.N > 0 || options.Merge > 0
	if options.Forget != nil {
		if err := report.forget(ctx, a, options); err != nil {
			return report, err
		}
	}
	if options.Import != nil {
		if err := report.restore(ctx, a, options); err != nil {
			return report, err
		}
	}
	if !options.Offline {
		if shortage = report.synchronise(ctx, a, options); shortage != nil && !errors.Is(shortage, sync.ErrBudget) {
			return report, shortage
		}
	}
	if err := report.count(ctx, a, arrangement(options.Config).Wants); err != nil {
		return report, err
	}
	if options.Check {
		if err := report.checkArchive(ctx, a, options); err != nil {
			return report, err
		}
		options.verify = func(dir string) error { return report.checkSite(ctx, a, dir, options) }
	}
	if !options.NoSite {
		if err := report.build(ctx, a, p, options); err != nil {
			if a.New() && errors.Is(err, output.ErrFewer) {
				err = fmt.Errorf("%w: %w", ErrNewArchive, err)
			}
			return report, report.distrust(err, options)
		}
		if options.Check && options.Shard.N == 0 && report.Check.Files == 0 { // nothing was published
			if err := options.verify(options.Config.Output); err != nil {
				return report, report.distrust(err, options)
			}
		}
	}
	return report, shortage
}

// build makes the site from the archive, unless it stands as it would be made.
func (r *Report) build(ctx context.Context, a *archive.Archive, p page.Options, o Options) (err error) {
	if o.found, err = standing(ctx, a, p, o); err != nil {
		return err
	}
	if done, err := r.stands(o); done || err != nil {
		return err
	}
	if err := r.checkBytes(ctx, o); err != nil {
		return err
	}
	// Synchronisation has used some, and knows better how much is to come.
	if err := checkSpace(ctx, a, o); err != nil {
		return err
	}
	to, err := output.Begin(o.Config.Output, o.Shard)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	s, err := r.arrange(ctx, a, p.Own, o)
	if err != nil {
		return err
	}
	r.tellIDs(s, o)
	return r.publish(ctx, a, s, p, to, o)
}

func (r *Report) synchronise(ctx context.Context, a *archive.Archive, o Options) error {
	defer r.time("sync")()
	defer limitMemory(0, forRecords)()
	result, err := sync.Run(ctx, a, syncOptions(o))
	r.Sync = result
	return err
}

// Probe finds out what the source can do, and changes nothing else.
func Probe(ctx context.Context, options Options) (findings []sync.Finding, err error) {
	a, err := archive.Open(ctx, options.Config.Archive)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := checkOrigin(ctx, a, options); err != nil {
		return nil, err
	}
	if err := noteOrigin(ctx, a, options); err != nil {
		return nil, err
	}
	return sync.Probe(ctx, a, syncOptions(options))
}

func (r *Report) arrange(ctx context.Context, a *archive.Archive, own []page.OwnPage, o Options) (*site.Site, error) {
	defer r.time("arrange")()
	o.report(Progress{Stage: Arrange, Left: -1})
	options := arrangement(o.Config)
	for _, page := range own {
		options.Taken = append(options.Taken, site.OwnPage(page.Name, o.Config.Language))
	}
	for _, kind := range site.Kinds {
		options.Records += r.Records[archive.Kind(kind)].Records
	}
	defer limitMemory(roomForItems(options.Records), 0)()
	s, err := arrange.Arrange(ctx, a, *options)
	if err == nil {
		r.Site = &SiteCount{Items: s.Home.Items.Len(), Folders: len(s.Folders), Writers: len(s.Writers), Tags: len(s.Tags)}
		for item := range s.Home.Items.All() {
			if item.Published() == 0 {
				r.Site.Undated++
			}
		}
	}
	return s, err
}

func (r *Report) publish(ctx context.Context, a *archive.Archive, s *site.Site, p page.Options, to *output.Publication, o Options) error {
	if o.Merge > 0 {
		return r.merge(ctx, a, s, p, to, o)
	}
	reader := story.New(a, s, o.Config.Media == "mirror")
	if err := r.clean(ctx, reader, o); err != nil {
		return err
	}
	shown, err := r.sizes(ctx, a, s, reader, o)
	if err != nil {
		return err
	}
	defer r.time("publish")()
	defer limitMemory(roomForFiles(s.Home.Items.Len()), 0)()
	c := o.Config
	base, err := baseDigest(o, s)
	if err != nil {
		return err
	}
	p.Base = base
	pages, err := page.New(reader, p)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	feeds := feed.New(reader, feed.Options{
		Items: c.Feeds.Items, FullText: c.Feeds.FullText, Authority: c.Feeds.IDAuthority, Date: c.Feeds.IDDate,
		Hub: c.Feeds.Hub, Base: base,
		Style: page.AddressOf(p.Assets, page.FeedStyle), Icon: page.AddressOf(p.Assets, page.FeedIcon),
	})
	files := output.Join(pages.Files(ctx), feeds.Files(ctx), search.New(reader, base).Files(ctx), pictures(a, shown, reader.Sizes))
	how, err := publishing(ctx, a, s, p, o)
	if err != nil {
		return err
	}
	result, err := to.Publish(ctx, files, how)
	r.Files = filesOf(result)
	if err != nil {
		return fmt.Errorf("the site could not be published whole: %w", err)
	}
	r.tellHub(ctx, o, feeds.Renewed())
	return nil
}

// clean makes the texts ready that are new or changed.
func (r *Report) clean(ctx context.Context, reader *story.Reader, o Options) error {
	defer r.time("clean")()
	defer limitMemory(0, forRecords)()
	return reader.Prepare(ctx, o.Jobs, func(made, all int) { o.report(Progress{Clean, made, all, -1}) })
}

// prepare reads what the configuration names, before anything is fetched.
func prepare(o Options) (page.Options, error) {
	templates, err := overlay(o.Templates, o.Config.Templates, "templates")
	if err != nil {
		return page.Options{}, err
	}
	words, _ := site.WordsFor(o.Config.Language) // checked by package config
	parsed, err := page.Parse(templates, words)
	if err != nil {
		return page.Options{}, err
	}
	assetFiles, err := overlay(o.Assets, o.Config.Assets, "assets")
	if err != nil {
		return page.Options{}, err
	}
	assets, err := page.Assets(assetFiles)
	if err != nil {
		return page.Options{}, err
	}
	own, err := ownPages(o.Config.OwnPages, words.Table)
	return page.Options{Templates: templates, Parsed: parsed, Assets: assets, Own: own}, err
}
