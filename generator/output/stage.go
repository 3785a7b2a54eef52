package output

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"

	"ayna/generator/swap"
)

// complete adds unchanged files, the owner's files and the manifest to the stage, checks
// it and flushes it to disk.
func (b *build) complete(ctx context.Context) error {
	paths := slices.Collect(maps.Keys(b.rows))
	paths = slices.DeleteFunc(paths, func(path string) bool { return !b.rows[path].inTree() })
	slices.Sort(paths)
	if err := b.linkPublished(ctx, paths); err != nil {
		return err
	}
	if b.published != nil {
		if err := swap.CopyForeign(b.published, b.stage, b.isOurs); err != nil {
			return err
		}
	}
	if err := b.writeManifest(paths); err != nil {
		return err
	}
	if b.options.Verify != nil {
		if err := b.options.Verify(b.stage.Name()); err != nil {
			return err
		}
	}
	if b.published != nil && b.options.Verify != nil { // again: the check may have taken minutes
		if err := swap.UpdateForeign(b.published, b.stage, b.isOurs); err != nil {
			return err
		}
	}
	return swap.SyncTree(b.stage)
}

// linkPublished links the files that this build did not write from the published tree into the
// stage. Each worker takes a range of the sorted paths, so that it opens each directory once.
func (b *build) linkPublished(ctx context.Context, paths []string) error {
	group, ctx := errgroup.WithContext(ctx)
	jobs := max(1, b.options.Jobs)
	for part := range slices.Chunk(paths, max(1, (len(paths)+jobs-1)/jobs)) {
		group.Go(func() error {
			linker := swap.NewLinker(b.published, b.stage)
			defer linker.Close()
			for _, path := range part {
				if b.rows[path].next == written {
					continue
				}
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if err := linker.Link(path); err != nil {
					return fmt.Errorf("published file %s is missing or cannot be linked; run again: %w", path, err)
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// isOurs reports whether the published manifest lists a path, or the next tree has it.
func (b *build) isOurs(path string) bool {
	r := b.rows[path]
	return r != nil && (r.was != unpublished || r.inTree())
}

func (b *build) writeManifest(paths []string) error {
	f, err := b.stage.OpenFile(manifestName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	// The umask may be stricter; some file systems have no modes.
	if err := f.Chmod(0o644); err != nil && !errors.Is(err, fs.ErrPermission) {
		return errors.Join(err, f.Close())
	}
	to := bufio.NewWriterSize(f, 1<<16)
	for _, path := range paths {
		r := b.rows[path]
		to.Write(Listed{Path: path, Sum: r.sum, Expired: r.next == expiring}.append(to.AvailableBuffer()))
	}
	return errors.Join(to.Flush(), f.Close())
}
