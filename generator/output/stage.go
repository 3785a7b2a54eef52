package output

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"ayna/generator/swap"
)

// complete adds unchanged files and the owner's files to the stage, which has the manifest of
// those files, checks it and flushes it to disk.
func (b *build) complete(ctx context.Context, files []file) error {
	copied, err := b.linkPublished(ctx, files)
	if err != nil {
		return err
	}
	var before map[string]swap.Stamp
	if b.published != nil {
		if before, err = swap.CopyForeign(b.published, b.stage, b.isOurs); err != nil {
			return err
		}
	}
	if b.options.Verify != nil {
		if err := b.options.Verify(b.stage.Name()); err != nil {
			return err
		}
	}
	if b.published != nil && b.options.Verify != nil { // again: the check may have taken minutes
		again, err := swap.UpdateForeign(b.published, b.stage, b.isOurs)
		if err != nil {
			return err
		}
		if before != nil {
			before = again
		}
	}
	b.seal(files, before, copied)
	return swap.SyncTree(b.stage)
}

// seal makes the delta of the complete stage and the published tree, which had those directories.
func (b *build) seal(files []file, before map[string]swap.Stamp, copied bool) {
	dirs := map[string]bool{".": true}
	for _, f := range files {
		swap.AddDirs(dirs, f.path)
	}
	for dir := range before {
		dirs[dir] = true
	}
	now := swap.Seal(b.stage, dirs)
	differing := b.differing()
	if before == nil || copied || len(differing) > mostApplied(len(files)) {
		return
	}
	b.delta = &swap.Delta{
		Published: swap.Snapshot{Digest: b.next, Dirs: now}, Previous: swap.Snapshot{Digest: b.digest, Dirs: before}, Changed: differing,
	}
}

// linkPublished links the files that this build did not write from the published tree into the
// stage. Each worker takes a range of the sorted files, so that it opens each directory once. copied
// is true if a file could not be linked.
func (b *build) linkPublished(ctx context.Context, files []file) (copied bool, err error) {
	var copies atomic.Bool
	group, ctx := errgroup.WithContext(ctx)
	jobs := max(1, b.options.Jobs)
	for part := range slices.Chunk(files, max(1, (len(files)+jobs-1)/jobs)) {
		group.Go(func() error {
			linker := swap.NewLinker(b.published, b.stage)
			defer linker.Close()
			defer func() {
				if linker.Copied() {
					copies.Store(true)
				}
			}()
			for _, f := range part {
				if f.next == written {
					continue
				}
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if err := linker.Link(f.path); err != nil {
					return fmt.Errorf("published file %s is missing or cannot be linked; run again: %w", f.path, err)
				}
			}
			return nil
		})
	}
	err = group.Wait()
	return copies.Load(), err
}

// isOurs reports whether the published manifest lists a path, or the next tree has it.
func (b *build) isOurs(path string) bool {
	r := b.rows.at(path)
	return r != nil && (r.was != unpublished || r.inTree())
}

// writeManifest writes the manifest of the next tree, which has those files, into the stage.
func (b *build) writeManifest(files []file) error {
	f, err := b.stage.OpenFile(manifestName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	// The umask may be stricter; some file systems have no modes.
	if err := f.Chmod(0o644); err != nil && !errors.Is(err, fs.ErrPermission) {
		return errors.Join(err, f.Close())
	}
	hash := sha256.New()
	to := bufio.NewWriterSize(io.MultiWriter(f, hash), 1<<16)
	for _, listed := range files {
		to.Write(Listed{Path: listed.path, Sum: listed.sum, Expired: listed.next == expiring}.append(to.AvailableBuffer()))
	}
	err = errors.Join(to.Flush(), f.Close())
	b.next = hex.EncodeToString(hash.Sum(nil))
	return err
}
