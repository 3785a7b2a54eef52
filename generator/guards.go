package generator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/generator/release"
)

// checkOrigin refuses an archive that was filled from another service than the
// configured one, because records of two services could never be separated.
// Commands without requests are refused too: they would publish one service under
// the name of another.
func (b *build) checkOrigin(ctx context.Context) error {
	filled, err := b.archive.Origin(ctx)
	if err != nil {
		return err
	}
	named := b.Config.Source.Origin()
	switch {
	case filled == "" || filled == named:
		return nil
	case filled == config.Sample || named == config.Sample:
		return fmt.Errorf("%w: the archive %s was filled from %s, and source.url is %s: name another archive in site.yaml, or leave archive empty, which keeps the sample apart",
			ErrConfig, b.archive.Name(), filled, named)
	case b.Moved:
		return nil
	}
	return fmt.Errorf("%w: the archive %s was filled from %s, and source.url is %s: name another archive in site.yaml for another service; if this service has moved, build with --moved once, and its pages and feeds stay",
		ErrConfig, b.archive.Name(), filled, named)
}

// recordOrigin binds an archive to the configured service, before the first
// request. It does nothing for a shard, which only reads.
func (b *build) recordOrigin(ctx context.Context) error {
	named := b.Config.Source.Origin()
	if filled, err := b.archive.Origin(ctx); err != nil || filled == named || !b.archive.Writable() {
		return err
	}
	return b.archive.Update(ctx, func(tx *archive.Tx) error { return tx.SetOrigin(named) })
}

// checkPublishedOrigin refuses to replace the mirror of a real service by the
// sample.
func (b *build) checkPublishedOrigin() error {
	origin := b.published.Origin
	if b.Config.Source.Origin() != config.Sample || origin == config.Sample || origin == "" || b.AllowDelete > 0 || b.shard.N > 0 {
		return nil
	}
	return fmt.Errorf("%w: the site in %s mirrors %s, and the sample would take its place: publish the sample elsewhere with --out, or build with --allow-delete 1 if the site may go",
		ErrConfig, b.Config.Output, origin)
}

// ErrSpace is returned before a build for which a disk has too little space.
var ErrSpace = errors.New("there is too little space for this build")

// The least that a build takes. These are the smallest figures measured, because
// a build that would succeed must not be refused.
const (
	buildBytes, buildFiles   = 1 << 20, 32
	recordBytes, recordFiles = 16 << 10, 1 // of each record: its page, and its part of lists and feeds
)

// checkSpace refuses a build for which the disks have too little space.
func (b *build) checkSpace(ctx context.Context) error {
	if file, _, err := archive.Locate(b.Config.Archive); err != nil {
		return err
	} else if file != "" {
		if err := checkFreeSpace(filepath.Dir(file), 0); err != nil {
			return err
		}
	}
	if b.NoSite {
		return nil
	}
	records, err := b.newRecords(ctx)
	if err != nil {
		return err
	}
	return checkFreeSpace(filepath.Dir(b.Config.Output), records)
}

// newRecords returns the number of records whose files take new space: all if the
// configuration has changed, else 0, because unchanged files are linked.
func (b *build) newRecords(ctx context.Context) (records uint64, err error) {
	if b.published.Config == b.inputs.Config || b.shard.N > 0 || b.merge > 0 {
		return 0, nil
	}
	all, err := b.archive.CountWanted(ctx, arrangement(&b.Config.Shown).Wants)
	for _, kind := range b.Config.Content.Kinds {
		records += uint64(all[archive.Kind(kind)])
	}
	return records, err
}

func checkFreeSpace(dir string, records uint64) error {
	needBytes, needFiles := buildBytes+records*recordBytes, buildFiles+records*recordFiles
	bytes, files, err := release.FreeSpace(dir)
	if err != nil || bytes >= needBytes && files >= needFiles {
		return err
	}
	return fmt.Errorf("%w in %s: it takes at least %d KiB and %d files, and there is room for %d KiB and %d files",
		ErrSpace, dir, needBytes>>10, needFiles, bytes>>10, files)
}
