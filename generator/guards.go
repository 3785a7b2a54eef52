package generator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/generator/config"
	"ayna/generator/swap"
	"ayna/record"
)

// originState is the state of an archive with the origin of the service that filled it.
const originState = "origin"

// checkOrigin refuses an archive that was filled from another service than the
// configured one, because records of two services could never be separated.
// Commands without requests are refused too: they would publish one service under
// the name of another.
func checkOrigin(ctx context.Context, a *archive.Archive, named string, moved bool) error {
	filled, err := a.State.Get(ctx, originState)
	if err != nil {
		return err
	}
	switch {
	case filled == "" || filled == named:
		return nil
	case filled == config.Sample || named == config.Sample:
		return fmt.Errorf("%w: the archive %s was filled from %s, and source.url is %s: name another archive in site.yaml, or leave archive empty, which keeps the sample apart",
			ErrConfig, a.Name(), filled, named)
	case moved:
		return nil
	}
	return fmt.Errorf("%w: the archive %s was filled from %s, and source.url is %s: name another archive in site.yaml for another service; if this service has moved, build with --moved once, and its pages and feeds stay",
		ErrConfig, a.Name(), filled, named)
}

// recordOrigin binds an archive to the configured service, before the first request.
func recordOrigin(ctx context.Context, a *archive.Archive, named string) error {
	if filled, err := a.State.Get(ctx, originState); err != nil || filled == named {
		return err
	}
	return a.Update(ctx, func(tx *archive.Tx) error { return tx.State.Set(originState, named) })
}

// checkPublishedOrigin refuses to replace the mirror of a real service by the
// sample.
func checkPublishedOrigin(c *config.Config, origin string) error {
	if c.Source.Origin() != config.Sample || origin == config.Sample || origin == "" {
		return nil
	}
	return fmt.Errorf("%w: the site in %s mirrors %s, and the sample would take its place: publish the sample elsewhere with --out, or build with --allow-delete 1 if the site may go",
		ErrConfig, c.Output, origin)
}

// ErrSpace is returned before a build for which a disk has too little space.
var ErrSpace = errors.New("there is too little space for this build")

// The least that a build takes. These are the smallest figures measured, because
// a build that would succeed must not be refused.
const (
	buildBytes, buildFiles   = 1 << 20, 32
	recordBytes, recordFiles = 16 << 10, 1 // of each record: its page, and its part of lists and feeds
)

// checkArchiveSpace refuses a build if the disk of the archive has too little space.
func checkArchiveSpace(name string) error {
	file, _, err := database.Locate(name)
	if err != nil || file == "" {
		return err
	}
	return checkFreeSpace(filepath.Dir(file), 0)
}

// checkSpace refuses a build for which the disks of archive and site have too little space. A
// build that renders anew needs space for the files of all records; else unchanged files are
// linked.
func checkSpace(ctx context.Context, c *config.Config, catalog archive.Catalog, anew bool) error {
	if err := checkArchiveSpace(c.Archive); err != nil {
		return err
	}
	dir := filepath.Dir(c.Output)
	if !anew {
		return checkFreeSpace(dir, 0)
	}
	all, err := catalog.CountWanted(ctx, nil)
	if err != nil || checkFreeSpace(dir, recordsOf(c.Content.Kinds, all)) == nil {
		return err
	}
	// There may be room for the records that the site shows. To count them takes long.
	wanted, err := catalog.CountWanted(ctx, arrangement(&c.Shown).Wants)
	if err != nil {
		return err
	}
	return checkFreeSpace(dir, recordsOf(c.Content.Kinds, wanted))
}

// recordsOf returns the number of records of some kinds.
func recordsOf(kinds []string, counts map[record.Kind]int) (n uint64) {
	for _, kind := range kinds {
		n += uint64(counts[record.Kind(kind)])
	}
	return n
}

func checkFreeSpace(dir string, records uint64) error {
	needBytes, needFiles := buildBytes+records*recordBytes, buildFiles+records*recordFiles
	bytes, files, err := swap.FreeSpace(dir)
	if err != nil || bytes >= needBytes && files >= needFiles {
		return err
	}
	return fmt.Errorf("%w in %s: it takes at least %d KiB and %d files, and there is room for %d KiB and %d files",
		ErrSpace, dir, needBytes>>10, needFiles, bytes>>10, files)
}
