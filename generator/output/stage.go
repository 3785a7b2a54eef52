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
	"maps"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"

	"ayna/generator/release"
)

// complete makes the stage a whole tree: with the files that are kept, the
// owner's files and both manifests, on disk.
func (b *build) complete(ctx context.Context) error {
	if _, err := b.openStage(); err != nil {
		return err
	}
	paths := slices.Sorted(maps.Keys(b.rows))
	paths = slices.DeleteFunc(paths, func(path string) bool { return b.rows[path].decision == absent })
	if err := b.linkKept(ctx, paths); err != nil {
		return err
	}
	if b.published != nil && b.options.Shard.N == 0 {
		b.foreign = release.NewForeign(b.published, b.stage, b.isOurs)
		if _, err := b.foreign.Carry(); err != nil {
			return err
		}
	}
	if err := b.writeManifests(paths); err != nil {
		return err
	}
	if err := release.SyncTree(b.stage, b.isNew); err != nil {
		return err
	}
	if err := b.stage.Rename(temporary, hiddenManifest); err != nil {
		return err
	}
	return b.stage.Sync()
}

// temporary is the hidden manifest until the tree is whole.
const temporary = hiddenManifest + ".new"

// linkKept links the kept files from the published tree into the stage. Each
// worker takes a range of the sorted paths, so that it opens each directory
// once.
func (b *build) linkKept(ctx context.Context, paths []string) error {
	group, ctx := errgroup.WithContext(ctx)
	jobs := max(1, b.options.Jobs)
	for part := range slices.Chunk(paths, max(1, (len(paths)+jobs-1)/jobs)) {
		group.Go(func() error {
			w := newWorker(b)
			defer w.close()
			to, err := w.target()
			if err != nil {
				return err
			}
			for _, path := range part {
				if b.rows[path].decision != kept {
					continue
				}
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if err := linkFile(w.from, to, path); err != nil {
					return fmt.Errorf("%s was published and has vanished or cannot be linked; run again: %w", path, err)
				}
			}
			return nil
		})
	}
	return group.Wait()
}

func linkFile(from, to *release.Dirs, path string) error {
	source, name, err := from.Of(path)
	if err != nil {
		return err
	}
	target, _, err := to.Make(path)
	if err != nil {
		return err
	}
	return target.LinkOrCopy(source, name)
}

// isOurs reports whether a build wrote or will publish the path.
func (b *build) isOurs(path string) bool {
	r := b.rows[path]
	return r != nil && (r.wasPublished || r.decision != absent)
}

// isNew reports whether this build wrote a file of the stage.
func (b *build) isNew(path string) bool {
	r := b.rows[path]
	return release.IsReserved(path) || r != nil && r.decision == placed
}

// carryForeign repeats what the owner did to the published tree since the stage
// was completed.
func (b *build) carryForeign() error {
	if b.foreign == nil {
		return nil
	}
	changed, err := b.foreign.Carry()
	if err != nil || !changed {
		return err
	}
	return release.SyncTree(b.stage, b.isNew)
}

// writeManifests writes both manifests, the hidden one under a temporary name.
func (b *build) writeManifests(paths []string) error {
	sum := sha256.New()
	visible, err := newFile(b.stage, visibleManifest, sum)
	if err != nil {
		return err
	}
	hidden, err := newFile(b.stage, temporary, io.Discard)
	if err != nil {
		return errors.Join(err, visible.close())
	}
	hidden.WriteString(manifestHeader + "\n")
	var scratch []byte
	for _, path := range paths {
		l := line{path, b.rows[path].entry}
		scratch = appendHidden(scratch[:0], &l)
		hidden.Write(scratch)
		if l.mark != lingering {
			scratch = appendVisible(scratch[:0], &l)
			visible.Write(scratch)
		}
	}
	err = errors.Join(visible.close(), hidden.close())
	b.identity = hex.EncodeToString(sum.Sum(nil))
	return err
}

// file is a file that is written line by line. Errors show when it is closed.
type file struct {
	*bufio.Writer
	f *os.File
}

// newFile makes a file of the stage; what is written to it goes to also too.
func newFile(to *release.Dir, name string, also io.Writer) (*file, error) {
	f, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(0o644); err != nil && !errors.Is(err, fs.ErrPermission) {
		return nil, errors.Join(err, f.Close())
	}
	return &file{bufio.NewWriterSize(io.MultiWriter(f, also), 1<<16), f}, nil
}

func (f *file) close() error { return errors.Join(f.Flush(), f.f.Close()) }
