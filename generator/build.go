// Package generator builds a mirror: it brings the archive up to date with the
// service, arranges it as a site, renders the site's files and publishes them.
//
// A command takes [Options], with the configuration, and returns a [Report]; it changes the
// archive and the published site. Each command, such as [Build], is a function that lists its
// stages, and each stage is a function of values; packages below this one do most of
// its work.
//
// Begin with build.go, which has all lists of stages but that of forget.go. mirror.go opens
// what they work on, guards.go has the checks before a build, state.go decides whether the
// published site is up to date, render.go makes its files.
package generator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"ayna/archive"
	"ayna/export/importer"
	"ayna/fetch"
	"ayna/generator/arrange"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/generator/swap"
	"ayna/record"
	"ayna/source/get"
)

// Build brings the archive up to date and publishes the site. The report is
// complete up to an error. The site is published although the error is
// [fetch.ErrBudget].
func Build(ctx context.Context, o Options) (*Report, error) {
	return withArchive(ctx, o, archive.Open, func(m mirror, report *Report) error {
		if err := prepare(ctx, o, m, target{}, report); err != nil {
			return err
		}
		if !o.Offline {
			o.progress(List, 0, 0)
		}
		if m.archive.New() && !o.Offline && o.Config.Source.URL == config.Sample && o.LoadEarlier != nil {
			if err := o.LoadEarlier(ctx, m.archive, o.SampleURL); err != nil {
				return err
			}
		}
		if err := publishForgotten(ctx, o, m, report); err != nil {
			return err
		}
		var budget error
		if !o.Offline {
			end := o.measure(report, "sync")
			report.Sync, budget = fetch.Run(ctx, m.archive, fetchOptions(o))
			end()
		}
		if budget != nil && !errors.Is(budget, fetch.ErrBudget) {
			return budget
		}
		if err := publish(ctx, o, m, target{}, report); err != nil {
			return err
		}
		return budget
	})
}

// Check checks the archive and the published site. If the archive or the
// configuration has changed, it publishes a new site.
func Check(ctx context.Context, o Options) (*Report, error) {
	o.Check = true
	return publishArchive(ctx, o, target{verify: true})
}

// Import reads a file into the archive, see [importer.Import], and publishes the site. The
// records may come from any service.
func Import(ctx context.Context, o Options, records io.Reader) (*Report, error) {
	o.Offline = true
	return withArchive(ctx, o, archive.Open, func(m mirror, report *Report) error {
		if err := prepare(ctx, o, m, target{}, report); err != nil {
			return err
		}
		end := o.measure(report, "import")
		imported, err := importer.Import(ctx, m.archive, records, readDates(o.Config), get.NewKeyGuard(string(o.Config.Source.APIKey)))
		end()
		if report.Import = &imported; err != nil {
			return fmt.Errorf("import records: %w", err)
		}
		return publish(ctx, o, m, target{}, report)
	})
}

// publishArchive publishes the site of the archive as it is.
func publishArchive(ctx context.Context, o Options, t target) (*Report, error) {
	o.Offline = true
	return withArchive(ctx, o, archive.OpenExisting, func(m mirror, report *Report) error {
		if err := prepare(ctx, o, m, t, report); err != nil {
			return err
		}
		return publish(ctx, o, m, t, report)
	})
}

// prepare ends an interrupted forget, fills an outdated full-text index anew, reads dates anew
// that were read by other rules, and runs the checks that need no request: of the output
// folder, the origin of the published site, and space.
func prepare(ctx context.Context, o Options, m mirror, t target, report *Report) error {
	due, err := m.archive.State.PurgeDue(ctx)
	if err != nil {
		return err
	}
	if due {
		end := o.measure(report, "forget")
		err := eraseForgotten(ctx, m.archive, readDates(o.Config))
		end()
		if err != nil {
			return err
		}
	}
	how := readDates(o.Config)
	if err := m.archive.Index.Refill(ctx, record.Derive(how)); err != nil {
		return err
	}
	if err := m.archive.Redate(ctx, how.Rules(), how.Derive); err != nil {
		return err
	}
	if !o.NoSite {
		if err := swap.Check(o.Config.Output); err != nil {
			return err
		}
	}
	s, err := readState(ctx, o, m.archive.State, m.theme.texts)
	if err != nil {
		return err
	}
	if err := checkPublishedOrigin(o, s.published.Origin); err != nil {
		return err
	}
	if err := recordOrigin(ctx, o, m.archive); err != nil {
		return err
	}
	return checkSpace(ctx, o, m.archive.Catalog, s.isAnew())
}

// publishForgotten publishes the site without requests if it was made before the last
// record was forgotten: the synchronisation may fail.
func publishForgotten(ctx context.Context, o Options, m mirror, report *Report) error {
	if o.NoSite {
		return nil
	}
	forgotten, err := forgottenDigest(ctx, m.archive.State)
	if err != nil {
		return err
	}
	outdated, err := output.Outdated(o.Config.Output, forgotten)
	if err != nil || !outdated {
		return err
	}
	o.Check = false // publish checks what follows
	return publish(ctx, o, m, target{forgets: true}, report)
}

// publish counts and checks the records of the archive, and publishes their site.
func publish(ctx context.Context, o Options, m mirror, t target, report *Report) (err error) {
	if report.Records, err = count(ctx, o, m.archive.Catalog); err != nil {
		return err
	}
	if report.Unread, err = countUnread(ctx, o, m.archive); err != nil {
		return err
	}
	if o.Counted != nil && !t.forgets { // publish runs again then, with the records that arrive
		n := 0
		for _, c := range report.Records {
			n += c.Records
		}
		o.Counted(n)
	}
	if o.Check {
		end := o.measure(report, "check archive")
		report.Check, err = checkArchive(ctx, o, m.archive, report.Records)
		end()
		if err != nil {
			return err
		}
	}
	if o.NoSite {
		return nil
	}
	// Again: the archive may have changed, and a rollback may have exchanged the site.
	s, err := readState(ctx, o, m.archive.State, m.theme.texts)
	if err != nil {
		return err
	}
	if s.published.Files == 0 && report.isEmpty() {
		if t.forgets || !o.Offline { // the budget was used up before the first record
			return nil
		}
		return fmt.Errorf("there is nothing to publish: the archive %s holds no item and no page; run ayna build first, without --offline", m.archive.Name())
	}
	if err = publishSite(ctx, o, m, t, s, report); m.archive.New() && errors.Is(err, output.ErrFewer) {
		err = fmt.Errorf("%w: %w", ErrNewArchive, err)
	}
	if err == nil && o.Check && report.Check.Files == 0 { // nothing was published
		err = verifySite(ctx, o, m.archive.Records, report)(o.Config.Output)
	}
	if report.Check != nil && report.Check.lost {
		err = errors.Join(err, output.Distrust(o.Config.Output)) // the next build writes all files anew
	}
	return err
}

// publishSite makes the site, unless it is up to date, and publishes it.
func publishSite(ctx context.Context, o Options, m mirror, t target, s state, report *Report) error {
	if s.isUpToDate(o, t) {
		report.Files = &output.Result{Bytes: s.published.Bytes, Unchanged: s.published.Files}
		return nil
	}
	if m.theme.Parsed == nil { // readTheme has not parsed them for a build without requests
		var err error
		if m.theme.Parsed, err = page.Parse(m.theme.Templates, o.Config.Words); err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, o.Config.Errorf("templates", "%w", err))
		}
	}
	if t.verify {
		end := o.measure(report, "check site")
		found, err := checkBytes(ctx, o, s.published)
		end()
		report.Check.add(found)
		if err != nil {
			return err
		}
	}
	// Again: the synchronization has used space, and the number of records is known now.
	if err := checkSpace(ctx, o, m.archive.Catalog, s.isAnew()); err != nil {
		return err
	}

	end := o.measure(report, "arrange")
	arranged, err := arrangeSite(ctx, o, m.archive, m.theme.Own, report.Records)
	end()
	if err != nil {
		return err
	}
	report.Warnings, report.Site, report.IDs = slices.Concat(o.Config.Warnings, arranged.Warnings), countSite(arranged), s.changedIDs()
	options := outputOptions(o, t, s.inputs, arranged)
	options.Anew = m.archive.New()
	if o.Check {
		options.Verify = verifySite(ctx, o, m.archive.Records, report)
	}
	if err := renderSite(ctx, o, m, arranged, options, report); err != nil {
		return err
	}
	return arrange.KeepNavigation(ctx, m.archive, arranged)
}

// renderSite renders the files of a site and publishes them.
func renderSite(ctx context.Context, o Options, m mirror, arranged *site.Site, options output.Options, report *Report) error {
	reader := story.New(m.archive, arranged, o.Config.Media == "mirror")
	end := o.measure(report, "clean")
	err := reader.Prepare(ctx, o.Jobs, func(made, all int) { o.progress(Clean, made, all) })
	end()
	if err != nil {
		return err
	}
	var shown []archive.Media
	if reader.Mirror {
		if shown, err = picturesShown(ctx, m.archive.Pictures, arranged); err != nil {
			return err
		}
	}
	if reader.Mirror && len(o.Config.Widths) > 0 && m.archive.Pictures.SizesDir() != "" {
		end := o.measure(report, "sizes")
		report.Sizes, reader.Sizes, err = makeSizes(ctx, o, m.archive.Pictures, shown)
		end()
		if err != nil {
			return err
		}
	}

	files, feeds, err := render(ctx, o, m.archive.Pictures, m.theme.Options, reader, shown)
	if err != nil {
		return err
	}
	options.Wrote = feeds.Wrote
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

// verifySite returns the check of the stage, or of the published site.
func verifySite(ctx context.Context, o Options, records archive.Records, report *Report) func(dir string) error {
	return func(dir string) error {
		defer o.measure(report, "check site")()
		found, err := checkSite(ctx, o, records, dir)
		report.Check.add(found)
		return err
	}
}
