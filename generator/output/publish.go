package output

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"ayna/generator/release"
)

// Options says how to publish.
type Options struct {
	Jobs     int               // files rendered side by side; at least 1
	Progress func(done int)    // called as files are done, from any goroutine; may be nil
	Wrote    func(path string) // called for each file that is new or differs, from any goroutine; may be nil

	// What the site was made of, for [Published]. Each is a digest or "".
	State  string // everything
	Config string // the configuration, as far as every file shows it
	Scope  string // the configuration that chooses the pages: a site of another scope may have far fewer
	Origin string // the mirrored service
	// Supersedes is the Origin of a site that may lose any number of pages.
	Supersedes string

	// Unreadable reports whether a file failed because what it is made of is
	// damaged. Such a file does not keep the site from being published if its
	// published version stays. It may be nil.
	Unreadable func(error) bool

	// Verify checks the finished tree, in a directory of its own; an error keeps
	// it from being published. It may be nil.
	Verify func(dir string) error

	Required  []string // files that must exist and not be empty
	Records   int      // how many the site shows: a hundredth of as many files may fail; 0 counts the files instead
	Fewer     bool     // the site may have far fewer pages than the published one
	Anew      bool     // the archive is new and may lack much: a changed Scope does not excuse far fewer pages
	Lingering string   // prefix of files that stay for one build after they go, for pages loaded before; "" for none
	Forgotten string   // digest of the records taken out for good, "" for none; if it changes, the site is Alone
	Alone     bool     // keep no earlier site to roll back to, and no shards
	Compress  []string // "gzip", "zstd": text files are also written compressed
	Shard     Shard    // render only these files, and publish nothing
}

// Result counts what publishing did.
type Result struct {
	Written   int
	Unchanged int
	Removed   int
	Bytes     int64     // of the site's files
	Failed    []Failure // files that could not be rendered, by path
	InShards  int       // number of further files that shards could not render
}

// Files returns the number of files of the site.
func (r Result) Files() int { return r.Written + r.Unchanged }

// failed returns the number of files that could not be rendered.
func (r Result) failed() int { return len(r.Failed) + r.InShards }

// Failure is a file that could not be rendered. Its published version stays, or
// its Fallback is published.
type Failure struct {
	Path string
	Err  error
}

// Publish makes the tree at dir hold the files, in one step: until then, and on
// an error, the published tree stays as it is. Files that an earlier build wrote
// and that are not among the files go; files that no build wrote stay. If no
// bytes differ, the tree is not exchanged.
//
// A file that cannot be rendered is reported in the result. An error of the
// sequence or of the file system ends the build, and so do [ErrFewer] and
// [ErrIncomplete].
//
// The tree is exchanged for another one: a process that holds it open sees the
// old site until the build after next.
func Publish(ctx context.Context, dir string, files iter.Seq2[File, error], options Options) (result Result, err error) {
	open := release.Open
	if options.Shard.N > 0 {
		open = release.OpenShared
	}
	place, err := open(dir)
	if err == nil {
		result, err = publish(ctx, place, files, options, 0)
		err = errors.Join(err, place.Close())
	}
	if err != nil {
		return result, fmt.Errorf("publish to %s: %w", dir, err)
	}
	return result, nil
}

func publish(ctx context.Context, place *release.Place, files iter.Seq2[File, error], options Options, failedInShards int) (Result, error) {
	b := &build{place: place, options: options, name: release.Stage, rows: make(map[string]*row)}
	b.result.InShards = failedInShards
	defer b.close()
	err := b.run(ctx, files)
	slices.SortFunc(b.result.Failed, func(a, b Failure) int { return strings.Compare(a.Path, b.Path) })
	if err != nil && b.stage != nil && !b.swapped {
		err = errors.Join(err, place.Discard(b.name))
	}
	return b.result, err
}

// run is the whole of a build.
func (b *build) run(ctx context.Context, files iter.Seq2[File, error]) error {
	if shard := b.options.Shard; shard.N > 0 {
		b.name = shard.tree()
		if err := b.place.LockTree(b.name); err != nil {
			return err
		}
	}
	if err := b.load(); err != nil {
		return err
	}
	if err := b.renderAll(ctx, files); err != nil {
		return err
	}
	if b.options.Shard.N > 0 {
		return b.finishShard(ctx)
	}
	b.expire()
	if err := b.guard(); err != nil {
		return err
	}
	if b.result.Written+b.result.Removed > 0 || b.published == nil {
		if err := b.exchange(ctx); err != nil {
			return err
		}
	}
	if err := b.forget(); err != nil {
		return err
	}
	return b.remember()
}

// exchange completes the stage and publishes it.
func (b *build) exchange(ctx context.Context) error {
	if err := b.complete(ctx); err != nil {
		return err
	}
	if b.options.Verify != nil {
		if err := b.options.Verify(b.stage.Name()); err != nil {
			return err
		}
		if err := b.carryForeign(); err != nil {
			return err
		}
	}
	var err error
	b.swapped, err = b.place.Publish(b.name, b.identity)
	return err
}
