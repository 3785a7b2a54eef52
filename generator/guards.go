package generator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/generator/release"
)

// checkOrigin refuses an archive that was filled from another service than the
// configured one, because records of two services could never be separated. It
// holds for every command: those that make no request would publish one service
// under the name of another.
func (b *build) checkOrigin(ctx context.Context) error {
	filled, err := b.archive.Origin(ctx)
	if err != nil {
		return err
	}
	named := b.Config.Source.Origin()
	switch {
	case filled == "" || filled == named: //guard:archive-origin
		return nil
	case filled == config.Sample || named == config.Sample:
		return fmt.Errorf("%w: the archive %s was filled from %s, and source.url is %s: name another archive in site.yaml, or leave archive empty, which keeps the sample apart",
			ErrConfig, b.archive.Name(), filled, named)
	case b.Moved:
		return nil
	}
	return fmt.Errorf("%w: the archive %s was filled from %s, and source.url is %s: name another archive in site.yaml for another service; if this service has moved, build with -moved once, and its pages and feeds stay",
		ErrConfig, b.archive.Name(), filled, named)
}

// recordOrigin binds an archive to the configured service, before the first
// request. A shard only reads.
func (b *build) recordOrigin(ctx context.Context) error {
	named := b.Config.Source.Origin()
	if filled, err := b.archive.Origin(ctx); err != nil || filled == named || !b.archive.Writable() {
		return err
	}
	return b.archive.Update(ctx, func(tx *archive.Tx) error { return tx.SetOrigin(named) })
}

// checkPublishedOrigin refuses to replace the mirror of a real service by the
// sample. The other way round nothing is lost.
func (b *build) checkPublishedOrigin() error {
	if b.NoSite || b.shard.N > 0 {
		return nil
	}
	published, err := output.Published(b.Config.Output)
	if err != nil {
		return err
	}
	if b.Config.Source.Origin() == config.Sample && published.Origin != config.Sample && published.Origin != "" && b.AllowDelete == 0 { //guard:sample-over-mirror
		return fmt.Errorf("%w: the site in %s mirrors %s, and the sample would take its place: publish the sample elsewhere with -out, or build with -allow-delete 1 if the site may go",
			ErrConfig, b.Config.Output, published.Origin)
	}
	b.published = published.Origin
	return nil
}

// ErrSpace is returned before a build for which a disk has too little space.
var ErrSpace = errors.New("there is too little space for this build")

// What a build takes at least. These are the smallest figures that sites were
// seen to take, because a build that would succeed must not be refused.
const (
	buildBytes, buildFiles   = 1 << 20, 32
	recordBytes, recordFiles = 16 << 10, 1 // pages, and a share of lists and feeds
)

// checkSpace refuses a build for which the disks have too little space.
func (b *build) checkSpace(ctx context.Context) error {
	if file, _, err := archive.Places(b.Config.Archive); err != nil {
		return err
	} else if file != "" {
		if err := checkRoom(filepath.Dir(file), 0); err != nil {
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
	return checkRoom(filepath.Dir(b.Config.Output), records)
}

// newRecords returns the number of records whose files take new space. Unchanged
// files are shared with the published site, unless the configuration has changed.
func (b *build) newRecords(ctx context.Context) (records uint64, err error) {
	published, err := output.Published(b.Config.Output)
	if err != nil || published.Config == digest(b.shown) || b.shard.N > 0 || b.merge > 0 {
		return 0, err
	}
	all, err := b.archive.CountWanted(ctx, arrangement(b.Config).Wants)
	for _, kind := range b.Config.Content.Kinds {
		records += uint64(all[archive.Kind(kind)])
	}
	return records, err
}

func checkRoom(dir string, records uint64) error {
	needBytes, needFiles := buildBytes+records*recordBytes, buildFiles+records*recordFiles
	bytes, files, err := release.RoomAt(dir)
	if err != nil || bytes >= needBytes && files >= needFiles {
		return err
	}
	return fmt.Errorf("%w in %s: it takes at least %d KiB and %d files, and there is room for %d KiB and %d files",
		ErrSpace, dir, needBytes>>10, needFiles, bytes>>10, files)
}
