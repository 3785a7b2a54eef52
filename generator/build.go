// Package generator builds a mirror: [Options], with the configuration, go in; an archive
// that is up to date, the published site and a [Report] come out. It reads the source,
// arranges the archive as a site, renders the site's files and publishes them.
//
// Each command, such as [Build], is a function that lists its
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
	"ayna/generator/swap"
	"ayna/record"
	"ayna/source/get"
)

// Build brings the archive up to date and publishes the site. The report is
// complete up to an error. The site is published although [fetch.IsComplete] reports true of it.
func Build(ctx context.Context, o Options) (*Report, error) {
	return withArchive(ctx, o, archive.Open, func(m mirror, report *Report) error {
		if err := prepare(ctx, o, m, report); err != nil {
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
			report.Reread = report.Sync.Reread
			end()
		} else if err := readAgain(ctx, o, m, report); err != nil {
			return err
		}
		if budget != nil && !fetch.IsComplete(budget) {
			return budget
		}
		if err := publish(ctx, o, m, report); err != nil {
			return err
		}
		return budget
	})
}

// Check checks the archive and the published site, and renders all files, which must be
// those that are published. If the archive or the configuration has changed, it publishes
// a new site.
func Check(ctx context.Context, o Options) (*Report, error) {
	o.Offline, o.Check = true, true
	return withArchive(ctx, o, archive.OpenExisting, func(m mirror, report *Report) error {
		if err := prepare(ctx, o, m, report); err != nil {
			return err
		}
		s, err := takeStock(ctx, o, m, report)
		if err != nil {
			return err
		}
		if o.Full || !s.isUpToDate() {
			if err := checkReplaced(ctx, o, &m.theme, s.published, report); err != nil {
				return finish(ctx, o, m, report, err)
			}
		}
		return publishStock(ctx, o, m, s, report)
	})
}

// Import reads a file into the archive, see [importer.Import], and publishes the site. The
// records may come from any service.
func Import(ctx context.Context, o Options, records io.Reader) (*Report, error) {
	o.Offline = true
	return withArchive(ctx, o, archive.Open, func(m mirror, report *Report) error {
		if err := prepare(ctx, o, m, report); err != nil {
			return err
		}
		end := o.measure(report, "import")
		imported, err := importer.Import(ctx, m.archive, records, readDates(o.Config), get.NewKeyGuard(string(o.Config.Source.APIKey)))
		end()
		if report.Import = &imported; err != nil {
			return fmt.Errorf("import records: %w", err)
		}
		if err := readAgain(ctx, o, m, report); err != nil {
			return err
		}
		return publish(ctx, o, m, report)
	})
}

// prepare ends an interrupted forget, fills an outdated full-text index anew, reads dates anew
// that were read by other rules, and runs the checks that need no request: of the output
// folder, the origin of the published site, and space.
func prepare(ctx context.Context, o Options, m mirror, report *Report) error {
	due, err := m.archive.State.PurgeDue(ctx)
	if err != nil {
		return err
	}
	if due {
		end := o.measure(report, "forget")
		err := errors.Join(eraseForgotten(ctx, m.archive, readDates(o.Config)), forgetKept(o))
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
	origin := o.Config.Source.Origin()
	if o.NoSite {
		if err := recordOrigin(ctx, m.archive, origin); err != nil {
			return err
		}
		return checkArchiveSpace(o.Config.Archive)
	}
	if err := swap.Check(o.Config.Output); err != nil {
		return err
	}
	s, err := readState(ctx, o.Config, o.Version, m.archive.State, m.theme.texts)
	if err != nil {
		return err
	}
	if o.AllowDelete == 0 {
		if err := checkPublishedOrigin(o.Config, s.published.Origin); err != nil {
			return err
		}
	}
	if err := recordOrigin(ctx, m.archive, origin); err != nil {
		return err
	}
	return checkSpace(ctx, o.Config, m.archive.Catalog, s.isAnew())
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
	return publishWithout(ctx, o, m, report)
}

// publish takes stock of the archive and publishes its site, unless it is up to date.
func publish(ctx context.Context, o Options, m mirror, report *Report) error {
	s, err := takeStock(ctx, o, m, report)
	if err != nil || o.NoSite {
		return err
	}
	return publishStock(ctx, o, m, s, report)
}

// publishWithout publishes the site without the forgotten records, even if it gets smaller.
func publishWithout(ctx context.Context, o Options, m mirror, report *Report) error {
	o.Counted = nil // in a build, publish follows with the records that arrive
	s, err := takeStock(ctx, o, m, report)
	if err != nil || o.NoSite || s.published.Files == 0 && report.isEmpty() {
		return err
	}
	s.fewer = true
	return finish(ctx, o, m, report, makeSite(ctx, o, m, s, report))
}

// takeStock counts and checks the records of the archive, and reads the state of the site.
func takeStock(ctx context.Context, o Options, m mirror, report *Report) (s state, err error) {
	if report.Records, err = count(ctx, m.archive.Catalog, arrangement(&o.Config.Shown).Wants); err != nil {
		return s, err
	}
	if report.Unread, err = countUnread(ctx, o.Config, m.archive); err != nil {
		return s, err
	}
	if report.Notes, err = m.archive.Originals.Notes(ctx); err != nil {
		return s, err
	}
	if o.Counted != nil {
		n := 0
		for _, c := range report.Records {
			n += c.Records
		}
		o.Counted(n)
	}
	comments, err := m.archive.Comments.Count(ctx)
	if err != nil {
		return s, err
	}
	if comments > 0 {
		report.Records[record.Comment] = KindCount{Records: comments}
	}
	if o.Check {
		end := o.measure(report, "check archive")
		report.Check, err = checkArchive(ctx, o, m.archive, report.Records)
		end()
		if err != nil {
			return s, err
		}
	}
	if o.NoSite {
		return s, nil
	}
	// Again: the archive may have changed, and a rollback may have exchanged the site.
	s, err = readState(ctx, o.Config, o.Version, m.archive.State, m.theme.texts)
	s.fewer = o.AllowDelete > 0
	return s, err
}

// publishStock publishes the site of an archive whose records are counted and checked.
func publishStock(ctx context.Context, o Options, m mirror, s state, report *Report) error {
	if s.published.Files == 0 && report.isEmpty() {
		if !o.Offline { // the budget was used up before the first record
			return nil
		}
		return fmt.Errorf("there is nothing to publish: the archive %s holds no item and no page; run ayna build first, without --offline", m.archive.Name())
	}
	if !o.Full && s.isUpToDate() {
		report.Files = &output.Result{Bytes: s.published.Bytes, Unchanged: s.published.Files}
		if !o.Check {
			return finish(ctx, o, m, report, nil)
		}
		// Before all files are rendered and compared, which would replace damaged ones.
		if err := verifySite(ctx, o, m.archive.Records, report)(o.Config.Output); err != nil {
			return finish(ctx, o, m, report, err)
		}
	}
	return finish(ctx, o, m, report, makeSite(ctx, o, m, s, report))
}

// finish ends the publishing of a site, which returned err. It checks the published site if
// nothing was written, and has the next build write damaged files anew.
func finish(ctx context.Context, o Options, m mirror, report *Report, err error) error {
	if m.archive.New() && errors.Is(err, output.ErrFewer) {
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

// makeSite arranges, renders and publishes the site.
func makeSite(ctx context.Context, o Options, m mirror, s state, report *Report) error {
	if err := m.theme.parse(o.Config); err != nil {
		return err
	}
	// Again: the synchronization has used space, and the number of records is known now.
	if err := checkSpace(ctx, o.Config, m.archive.Catalog, s.isAnew()); err != nil {
		return err
	}

	end := o.measure(report, "arrange")
	o.progress(Arrange, 0, 0)
	arranged, err := arrangeSite(ctx, o, m, s.program, report.Records)
	end()
	if err != nil {
		return err
	}
	report.Warnings, report.Site, report.IDs = slices.Concat(o.Config.Warnings, arranged.Warnings), countSite(arranged), s.changedIDs()
	options := outputOptions(o, s, arranged)
	options.Anew = m.archive.New()
	if o.Check {
		options.Verify = verifySite(ctx, o, m.archive.Records, report)
	}
	if err := renderSite(ctx, o, m, arranged, options, report); err != nil {
		return err
	}
	return arrange.KeepNavigation(ctx, m.archive, arranged)
}
