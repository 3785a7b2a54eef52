package generator

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/generator/check"
	"ayna/generator/output"
	"ayna/record"
)

// ErrCheck is returned if a check has found flaws. The report lists them.
var ErrCheck = errors.New("the check found something wrong")

// checkArchive checks the archive before the build, if [Options].Check is set. It
// repairs what can be repaired. If it finds a flaw, nothing is published.
func checkArchive(ctx context.Context, o Options, a *archive.Archive, records map[record.Kind]KindCount) (*Checked, error) {
	o.progress(CheckArchive, 0, 0)
	all := 0
	for _, count := range records {
		all += count.Records
	}
	checked := &Checked{Archive: []string{}, Site: []string{}}
	var flaws []archive.Flaw
	for f, err := range a.Check(ctx, record.Derive(readDates(o.Config)), o.Jobs, func(records int) {
		checked.Records = records
		o.progress(CheckArchive, records, all)
	}) {
		if err != nil {
			return checked, err
		}
		flaws = append(flaws, f)
		checked.Archive = append(checked.Archive, f.String())
	}
	if len(flaws) == 0 {
		return checked, nil
	}
	err := fmt.Errorf("%w: %d flaws in the archive; nothing was published", ErrCheck, len(flaws))
	if a.Writable() {
		err = errors.Join(err, a.Mend(ctx, flaws))
	}
	return checked, err
}

// checkSite checks the site in a directory: the stage, or the published tree.
func checkSite(ctx context.Context, o Options, records archive.Records, dir string) (siteFlaws, error) {
	files := 0
	found, err := findFlaws(ctx, dir, check.Options{
		BaseURL: o.Config.BaseURL, Jobs: o.Jobs,
		Hash: func(ctx context.Context, kind, id string) (string, error) {
			return hashOf(ctx, records, record.Kind(kind), id)
		},
		Progress: func(done, all int) {
			files = done
			o.progress(CheckSite, done, all)
		},
	})
	found.files = files
	if n := len(found.flaws); n > 0 && err == nil {
		err = fmt.Errorf("%w: %d flaws in the site", ErrCheck, n)
	}
	return found, err
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

// checkReplaced compares the published files with their digests, before a build replaces
// damaged ones.
func checkReplaced(ctx context.Context, o Options, t *theme, published output.State, report *Report) error {
	if published.Files == 0 || published.Distrusted {
		return nil
	}
	if err := t.parse(o.Config); err != nil { // which takes less time
		return err
	}
	defer o.measure(report, "check site")()
	found, err := findFlaws(ctx, o.Config.Output, check.Options{
		BaseURL: o.Config.BaseURL, Jobs: o.Jobs,
		Bytes:    true,
		Progress: func(done, all int) { o.progress(CheckSite, done, all) },
	})
	if n := len(found.flaws); n > 0 && err == nil {
		found.lost = true
		err = fmt.Errorf("%w: %d files of the published site differ from the manifest; the next build writes all files again", ErrCheck, n)
	}
	report.Check.add(found)
	return err
}

func findFlaws(ctx context.Context, dir string, how check.Options) (found siteFlaws, err error) {
	for f, err := range check.Site(ctx, dir, how) {
		if err != nil {
			return found, err
		}
		found.lost = found.lost || f.Lost
		found.flaws = append(found.flaws, f.String())
	}
	return found, nil
}

// hashOf returns the hash of a record, "" if the archive does not have it.
func hashOf(ctx context.Context, records archive.Records, kind record.Kind, id string) (string, error) {
	hash, err := records.Hash(ctx, kind, id)
	if errors.Is(err, database.ErrNotFound) {
		return "", nil
	}
	return hex.EncodeToString(hash), err
}
