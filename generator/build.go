// Package generator builds a mirror: it brings the archive up to date with the
// service, arranges it as a site, renders the site's files and publishes them.
//
// In go [Options], with the configuration; out come a [Report], the archive and
// the published site. Each command, such as [Build], is a function that lists the
// stages it needs. Each stage is a method of build; packages below this one do
// most of its work.
//
// Begin with build.go. guards.go has the checks before a build, state.go decides
// whether the published site is up to date, publish.go renders.
package generator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/arrange"
	"ayna/generator/config"
	"ayna/generator/importer"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/release"
	"ayna/generator/site"
	"ayna/generator/sync"
)

// ErrConfig marks a mistake in the configuration or in what it names: templates,
// assets, own pages, the archive of another service. It is reported before the
// first request.
var ErrConfig = errors.New("configuration")

// build is one run of a command.
type build struct {
	Options
	online     bool                    // requests may be made
	check      bool                    // check archive and site
	verifyOnly bool                    // compare the published files with their digests before any is replaced
	forgets    bool                    // it publishes the site because of forgotten records
	intent     func(*archive.Tx) error // changes the list of forgotten records; may be nil
	shard      output.Shard            // N is 0 for a whole site
	merge      int                     // number of shards to publish
	report     *Report

	archive   *archive.Archive
	page      page.Options  // what the configuration names
	published output.State  // what the published site was made of
	inputs    output.Inputs // what this build makes the site of
	site      *site.Site
}

// Build brings the archive up to date and publishes the site. The report is
// complete up to an error. The site is published although the error is
// [sync.ErrBudget].
func Build(ctx context.Context, o Options) (*Report, error) {
	b := &build{Options: o, online: !o.Offline, check: o.Check}
	return b.run(ctx, b.settleSite, b.synchronise, b.count, b.checkArchive, b.publish)
}

// Check checks the archive and the published site. If the archive or the
// configuration has changed, it publishes a new site.
func Check(ctx context.Context, o Options) (*Report, error) {
	b := &build{Options: o, check: true, verifyOnly: true}
	return b.run(ctx, b.count, b.checkArchive, b.publish)
}

// Import reads a file into the archive, see [importer.Import], and publishes the site. The
// records may come from any service.
func Import(ctx context.Context, o Options, records io.Reader) (*Report, error) {
	b := &build{Options: o, check: o.Check}
	read := func(ctx context.Context) error { return b.importRecords(ctx, records) }
	return b.run(ctx, read, b.count, b.checkArchive, b.publish)
}

// RenderShard renders one shard of the site into a tree of its own.
func RenderShard(ctx context.Context, o Options, shard output.Shard) (*Report, error) {
	b := &build{Options: o, check: o.Check, shard: shard}
	return b.run(ctx, b.count, b.checkArchive, b.publish)
}

// Merge publishes the trees of n shards as one site.
func Merge(ctx context.Context, o Options, n int) (*Report, error) {
	b := &build{Options: o, check: o.Check, merge: n}
	return b.run(ctx, b.count, b.checkArchive, b.publish)
}

// Greet asks the source for what [sync.Greeting] holds, and keeps nothing.
func Greet(ctx context.Context, o Options) (sync.Greeting, error) {
	return sync.Greet(ctx, syncOptions(o))
}

// run opens the archive, runs the stages of a command and closes the archive. The
// first error ends it, but for [sync.ErrBudget], which is returned at the end.
func (b *build) run(ctx context.Context, stages ...func(context.Context) error) (report *Report, err error) {
	b.report = &Report{Started: b.now(), Records: make(map[archive.Kind]KindCount), Seconds: make(map[string]float64)}
	defer func() { b.report.Ended = b.now() }()
	if b.page, err = readTheme(b.Options); err != nil {
		return b.report, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if b.online {
		if err := archive.CheckWritable(b.Config.Archive, b.Config.Media == "mirror"); err != nil {
			return b.report, err
		}
	}
	open := archive.Open
	if b.shard.N > 0 {
		open = archive.OpenReader // shards run side by side
	}
	if b.archive, err = open(ctx, b.Config.Archive); err != nil {
		return b.report, err
	}
	defer func() { err = errors.Join(err, b.archive.Close()) }()
	if err := b.begin(ctx); err != nil {
		return b.report, err
	}
	var budget error
	for _, stage := range stages {
		if err := stage(ctx); errors.Is(err, sync.ErrBudget) {
			budget = err
		} else if err != nil {
			return b.report, err
		}
	}
	return b.report, budget
}

// begin runs the checks that need no request (origins, output folder and space), and what
// is to be forgotten.
func (b *build) begin(ctx context.Context) error {
	if err := b.checkOrigin(ctx); err != nil {
		return err
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	if !b.NoSite {
		if err := release.Check(b.Config.Output); err != nil {
			return err
		}
		if err := b.readState(ctx); err != nil {
			return err
		}
		if err := b.checkPublishedOrigin(); err != nil {
			return err
		}
	}
	if err := b.recordOrigin(ctx); err != nil {
		return err
	}
	if b.online && b.archive.New() && b.Config.Source.URL == config.Sample && b.LoadEarlier != nil {
		if err := b.LoadEarlier(ctx, b.archive, b.SampleURL); err != nil {
			return err
		}
	}
	return b.checkSpace(ctx)
}

func (b *build) synchronise(ctx context.Context) (err error) {
	if !b.online {
		return nil
	}
	defer b.measure("sync")()
	b.report.Sync, err = sync.Run(ctx, b.archive, syncOptions(b.Options))
	return err
}

// publish makes the site from the archive, unless it is up to date.
func (b *build) publish(ctx context.Context) error {
	if b.NoSite {
		return nil
	}
	if b.published.Files == 0 && b.isEmpty() {
		if b.forgets || b.online { // the budget was used up before the first record
			return nil
		}
		return fmt.Errorf("there is nothing to publish: the archive %s holds no item and no page; run ayna build first, without --offline", b.archive.Name())
	}
	err := b.makeSite(ctx)
	if b.archive.New() && errors.Is(err, output.ErrFewer) {
		err = fmt.Errorf("%w: %w", ErrNewArchive, err)
	}
	if err == nil && b.check && b.shard.N == 0 && b.report.Check.Files == 0 { // nothing was published
		err = b.checkSite(ctx, b.Config.Output)
	}
	if b.report.Check != nil && b.report.Check.lost {
		err = errors.Join(err, output.Distrust(b.Config.Output)) // the next build writes all files anew
	}
	return err
}

func (b *build) makeSite(ctx context.Context) error {
	// Again: the archive may have changed, and a rollback may have exchanged the site.
	if err := b.readState(ctx); err != nil {
		return err
	}
	if b.isUpToDate() {
		b.report.Files = &output.Result{Bytes: b.published.Bytes, Unchanged: b.published.Files}
		return nil
	}
	if b.verifyOnly {
		if err := b.checkBytes(ctx); err != nil {
			return err
		}
	}
	// Again: the synchronization has used space, and the number of records is known now.
	if err := b.checkSpace(ctx); err != nil {
		return err
	}
	if err := b.arrange(ctx); err != nil {
		return err
	}
	b.compareIDs()
	if b.merge > 0 {
		return b.mergeShards(ctx)
	}
	return b.render(ctx)
}

// count counts the records of the archive.
func (b *build) count(ctx context.Context) error {
	all, waiting, err := b.archive.Counts(ctx, arrangement(&b.Config.Shown).Wants)
	for kind, n := range all {
		b.report.Records[kind] = KindCount{Records: n, Waiting: waiting[kind]}
	}
	return err
}

// isEmpty reports whether the archive holds no record that has a page of its own.
func (b *build) isEmpty() bool {
	for kind, n := range b.report.Records {
		if n.Records > 0 && kind != archive.Writer && kind != archive.Folder {
			return false
		}
	}
	return true
}

func (b *build) arrange(ctx context.Context) (err error) {
	defer b.measure("arrange")()
	b.progress(Arrange, 0, 0)
	options := arrangement(&b.Config.Shown)
	for _, page := range b.page.Own {
		options.Taken = append(options.Taken, site.OwnPage(page.Name, b.Config.Language))
	}
	for _, kind := range site.Kinds {
		options.Records += b.report.Records[archive.Kind(kind)].Records
	}
	if b.site, err = arrange.Arrange(ctx, b.archive, *options); err != nil {
		return err
	}
	s := b.site
	b.report.Warnings = s.Warnings
	b.report.Site = &SiteCount{Items: s.Home.Items.Len(), Folders: len(s.Folders), Writers: len(s.Writers), Tags: len(s.Tags)}
	for item := range s.Home.Items.All() {
		if item.Published() == 0 {
			b.report.Site.Undated++
		}
	}
	return nil
}

func (b *build) importRecords(ctx context.Context, records io.Reader) error {
	defer b.measure("import")()
	imported, err := importer.Import(ctx, b.archive, records, b.Config.Location, client.NewKeyGuard(string(b.Config.Source.APIKey)))
	b.report.Import = &imported
	if err != nil {
		return fmt.Errorf("import records: %w", err)
	}
	return nil
}

// now returns the time in UTC, in seconds.
func (b *build) now() time.Time { return b.clock().UTC().Truncate(time.Second) }

func (b *build) clock() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now()
}

// measure starts to time a stage; end adds the time to the report.
func (b *build) measure(stage string) (end func()) {
	start := b.clock()
	return func() { b.report.Seconds[stage] += b.clock().Sub(start).Round(time.Millisecond).Seconds() }
}
