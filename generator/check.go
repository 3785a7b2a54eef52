package generator

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"ayna/archive"
	"ayna/generator/check"
)

// ErrCheck is returned if a check has found flaws. The report lists them.
var ErrCheck = errors.New("the check found something wrong")

// checkArchive checks the archive before the build, if [Options].Check is set. It
// repairs what can be repaired. If it finds a flaw, nothing is published.
func (b *build) checkArchive(ctx context.Context) error {
	if !b.check {
		return nil
	}
	defer b.measure("check archive")()
	b.progress(CheckArchive, 0, 0)
	all := 0
	for _, count := range b.report.Records {
		all += count.Records
	}
	checked := &Checked{Archive: []string{}, Site: []string{}}
	b.report.Check = checked
	var flaws []archive.Flaw
	for f, err := range b.archive.Check(ctx, archive.CheckOptions{
		Derive: b.derive,
		Jobs:   b.Jobs,
		Progress: func(records int) {
			checked.Records = records
			b.progress(CheckArchive, records, all)
		},
	}) {
		if err != nil {
			return err
		}
		flaws = append(flaws, f)
		checked.Archive = append(checked.Archive, f.String())
	}
	if len(flaws) == 0 {
		return nil
	}
	err := fmt.Errorf("%w: %d flaws in the archive; nothing was published", ErrCheck, len(flaws))
	if b.archive.Writable() {
		err = errors.Join(err, b.archive.Mend(ctx, flaws))
	}
	return err
}

// checkSite checks the site in a directory: the stage, or the published tree.
func (b *build) checkSite(ctx context.Context, dir string) error {
	err := b.findFlaws(ctx, dir, check.Options{
		Hash: func(ctx context.Context, kind, id string) (string, error) {
			return b.hashOf(ctx, archive.Kind(kind), id)
		},
		Progress: func(done, all int) {
			b.report.Check.Files = done
			b.progress(CheckSite, done, all)
		},
	})
	if n := len(b.report.Check.Site); n > 0 && err == nil {
		return fmt.Errorf("%w: %d flaws in the site", ErrCheck, n)
	}
	return err
}

// checkBytes compares the published files with their digests, before a build
// replaces damaged ones.
func (b *build) checkBytes(ctx context.Context) error {
	if b.published.Files == 0 || b.published.Distrusted {
		return nil
	}
	err := b.findFlaws(ctx, b.Config.Output, check.Options{
		Bytes:    true,
		Progress: func(done, all int) { b.progress(CheckSite, done, all) },
	})
	if n := len(b.report.Check.Site); n > 0 && err == nil {
		b.report.Check.lost = true
		return fmt.Errorf("%w: %d files of the published site differ from the manifest; the next build writes all files again", ErrCheck, n)
	}
	return err
}

// findFlaws adds what is wrong with a site to the report.
func (b *build) findFlaws(ctx context.Context, dir string, o check.Options) error {
	defer b.measure("check site")()
	o.BaseURL, o.Jobs = b.Config.BaseURL, b.Jobs
	checked := b.report.Check
	for f, err := range check.Site(ctx, dir, o) {
		if err != nil {
			return err
		}
		checked.lost = checked.lost || f.Lost
		checked.Site = append(checked.Site, f.String())
	}
	return nil
}

// hashOf returns the hash of a record, "" if the archive does not have it.
func (b *build) hashOf(ctx context.Context, kind archive.Kind, id string) (string, error) {
	hash, err := b.archive.Hash(ctx, kind, id)
	if errors.Is(err, archive.ErrNotFound) {
		return "", nil
	}
	return hex.EncodeToString(hash), err
}
