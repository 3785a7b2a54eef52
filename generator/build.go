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
	"io"
	"io/fs"
	"net/http"
	"time"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/config"
	"ayna/generator/feed"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/generator/sync"
)

// Options is one build.
type Options struct {
	Config      *config.Config
	Offline     bool         // make no request
	NoSite      bool         // fill the archive only
	Full        bool         // list and fetch everything again
	Forget      *Forget      // take a record out for good; implies Offline
	Import      io.Reader    // records that were exported, to be read back into the archive; implies Offline
	AllowDelete int          // so many records of a kind may be found gone at once
	Budget      int          // at most so many requests; 0 is no limit
	Jobs        int          // files rendered side by side
	Shard       output.Shard // render this share of the site only, into a tree of its own; implies Offline
	Check       bool         // check the archive before anything is made of it, and the whole site after
	Merge       int          // publish the trees of so many shards; implies Offline
	Version     string       // digest of the program: what it would render differently, it renders again

	// Hosts are answered by this process instead of the network, by host: the
	// built-in sample service.
	Hosts map[string]http.Handler
	// SampleURL is where the source named config.Sample is.
	SampleURL string

	Templates fs.FS // built-in templates
	Assets    fs.FS // built-in assets

	Now      func() time.Time
	Progress func(Progress) // may be nil; called from any goroutine

	verify func(dir string) error // a site before it is published; nil without Check
}

// Forget names a record that is to be taken out.
type Forget struct {
	Kind archive.Kind
	ID   string
}

// Progress is how far a stage of a build has come.
type Progress struct {
	Stage Stage
	Done  int
	Total int // 0 is unknown
	Left  int // requests that the limits leave; -1 is no limit, or not asked
}

// ErrConfig marks an error in what the configuration names: templates, assets,
// the owner's own pages. It is found before any request is made.
var ErrConfig = errors.New("configuration")

// Stage names a part of a build.
type Stage string

// The stages of a build.
const (
	List     Stage = "list"
	Fetch    Stage = "fetch"
	Pictures Stage = "pictures"
	Arrange  Stage = "arrange"
	Clean    Stage = "clean"
	Sizes    Stage = "sizes"
	Publish  Stage = "publish"

	CheckArchive Stage = "check archive"
	CheckSite    Stage = "check site"
)

// Build makes one build. The report is complete as far as the build came, also
// when there is an error. Some errors leave the site published: [sync.ErrBudget]
// alone, so far.
func Build(ctx context.Context, options Options) (report *Report, err error) {
	report = newReport(options.Now)
	p, err := prepare(options)
	if err != nil {
		return report, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if !options.NoSite {
		if err := output.Ready(options.Config.Output); err != nil {
			return report, err
		}
	}
	a, isNew, err := openArchive(ctx, options)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
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
	if f := options.Forget; f != nil {
		if err := sync.Forget(ctx, a, f.Kind, f.ID, options.Config.Location); err != nil {
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
			if isNew && errors.Is(err, output.ErrFewer) {
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
	if done, err := r.stands(ctx, a, p, o); done || err != nil {
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
	s, err := r.arrange(ctx, a, o)
	if err != nil {
		return err
	}
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
	return sync.Probe(ctx, a, syncOptions(options))
}

func syncOptions(o Options) sync.Options {
	c := o.Config
	so := sync.Options{
		URL: c.Source.URL, APIKey: string(c.Source.APIKey), Concurrency: c.Source.Concurrency,
		PerSecond: c.Source.PerSecond, PerHour: c.Source.PerHour, Budget: o.Budget,
		PageSize: c.Source.PageSize, Timeout: c.Source.Timeout, Full: o.Full, AllowDelete: o.AllowDelete,
		Wants: arrangement(c).Wants, Pictures: c.Media == "mirror", Location: c.Location, Now: o.Now,
		Hosts:    o.Hosts,
		Progress: func(p sync.Progress) { o.report(Progress{Stage(p.Stage), p.Done, p.Total, p.Left}) },
	}
	for _, kind := range c.Content.Kinds {
		so.Kinds = append(so.Kinds, archive.Kind(kind))
	}
	for _, search := range c.Searches {
		so.Searches = append(so.Searches, search.Query)
	}
	if c.Source.URL == config.Sample {
		so.URL, so.APIKey, so.PerSecond, so.PerHour = o.SampleURL, "", 0, 0
	}
	return so
}

// arrangement is what the configuration says of the site.
func arrangement(c *config.Config) *arrange.Options {
	words, _ := site.WordsFor(c.Language) // checked by package config
	o := &arrange.Options{
		Settings: site.Settings{
			Title: c.Title, Description: c.Description, BaseURL: c.BaseURL,
			Language: c.Language, Words: words, Location: c.Location,
			SourceName: c.Source.Name, SourceHome: c.Source.Site,
			Canonical: c.Canonical, Robots: c.Robots, Formats: c.Feeds.Formats, FeedsOf: c.Feeds.Of, Markdown: c.Markdown,
		},
		Include: c.Content.Include, Exclude: c.Content.Exclude, DropGone: c.Content.Removed == "drop",
	}
	for _, kind := range c.Content.Kinds {
		o.Kinds = append(o.Kinds, site.Kind(kind))
	}
	for _, search := range c.Searches {
		o.Searches = append(o.Searches, arrange.Search{Title: search.Title, Query: search.Query})
	}
	for _, mix := range c.Feeds.Mixes {
		o.Mixes = append(o.Mixes, arrange.Mix{Title: mix.Title, Include: mix.Include, Exclude: mix.Exclude})
	}
	return o
}

func (r *Report) arrange(ctx context.Context, a *archive.Archive, o Options) (*site.Site, error) {
	defer r.time("arrange")()
	o.report(Progress{Stage: Arrange, Left: -1})
	options := arrangement(o.Config)
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
		return r.merge(ctx, s, to, o)
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
	own, err := ownPages(o.Config.OwnPages)
	return page.Options{Templates: templates, Parsed: parsed, Assets: assets, Own: own}, err
}

func (o *Options) report(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}
