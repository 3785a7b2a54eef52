package output

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
)

// Options says how to publish.
type Options struct {
	Jobs     int            // files rendered side by side; at least 1
	Progress func(done int) // called as files are done, from any goroutine; may be nil

	State  Key    // digest of all that the site is made of, for [Published]
	Config Key    // digest of what every file shows of the configuration, for [Published]
	Origin string // what the site mirrors, for [Published]
	// Supersedes is an Origin of which nothing has to stay: the site of another
	// one may have far fewer pages.
	Supersedes string
	Scope      Key // digest of what chooses the pages; a site of another one may have far fewer of them

	// Verify looks at the finished tree, in a directory of its own; an error
	// keeps it from being published. nil is content.
	Verify func(dir string) error

	Required  []string // files without which, or with which empty, the site is not published
	Records   int      // how many the site shows: files may fail for a hundredth of them; 0 is one each
	Fewer     bool     // the site may have far fewer pages than the published one
	Anew      bool     // what the site is made of was begun anew, and may lack much: of no Scope may it have far fewer
	Lingering string   // files whose paths begin so stay for one build after they go, for pages loaded before; "" is none
	Forgotten Key      // digest of what was taken out for good, zero if nothing was; if it is another one than before, the site is Alone
	Alone     bool     // no earlier site is kept to go back to, nor what shards have rendered
	Compress  []string // "gzip", "zstd": text files are also written so compressed
	Shard     Shard    // only a share of the files is rendered, and nothing is published
}

// Result says what publishing did.
type Result struct {
	Written   int
	Unchanged int
	Removed   int
	Bytes     int64     // of the site's files
	Failed    []Failure // files that could not be rendered, by path
	InShards  int       // so many more could not be rendered by shards, whose results named them
}

// Files returns the number of files of the site.
func (r Result) Files() int { return r.Written + r.Unchanged }

// failed returns the number of files that could not be rendered.
func (r Result) failed() int { return len(r.Failed) + r.InShards }

// Failure is a file that could not be rendered. If an earlier build wrote it,
// that version stays, else what its Fallback makes is there.
type Failure struct {
	Path string
	Err  error
}

// Publish makes the tree at dir hold the files, in one step: until then, and
// if there is an error, it stays as it is. Files whose key is that of the
// published ones are taken over, the others are rendered. Files that an earlier
// build wrote and that are not among them go; files that no build wrote stay.
// If nothing has changed, nothing is written and the tree is not exchanged.
//
// A file that cannot be rendered is reported and does not stop the others. An
// error of the sequence or of the file system does, and so do [ErrFewer] and
// [ErrIncomplete].
//
// The tree is exchanged for another one: whoever holds it open goes on seeing
// the old site, for the time of one more build.
func Publish(ctx context.Context, dir string, files iter.Seq2[File, error], options Options) (Result, error) {
	p, err := Begin(dir, options.Shard)
	if err != nil {
		return Result{}, err
	}
	return p.Publish(ctx, files, options)
}

// publish is a build whose manifests have been read.
func (b *build) publish(ctx context.Context, files iter.Seq2[File, error], options Options) (Result, error) {
	options.Shard = b.shard
	b.options, b.missing = options, make(map[string]bool)
	for _, name := range options.Required {
		b.missing[name] = true
	}
	err := b.run(ctx, files)
	slices.SortFunc(b.result.Failed, func(a, b Failure) int { return strings.Compare(a.Path, b.Path) })
	if err != nil {
		err = errors.Join(err, b.abandon(ctx, err))
	}
	return b.result, err
}

// run is the whole of a build.
func (b *build) run(ctx context.Context, files iter.Seq2[File, error]) error {
	if err := b.decide(ctx, files); err != nil {
		return err
	}
	if b.options.Shard.N > 0 {
		return b.finishShard(ctx)
	}
	if err := b.leave(); err != nil {
		return err
	}
	if err := b.guard(); err != nil {
		return err
	}
	if b.changed() {
		if err := b.complete(ctx); err != nil {
			return err
		}
		if b.options.Verify != nil {
			if err := b.options.Verify(filepath.Join(b.place.hidden.name, workName)); err != nil {
				return err
			}
		}
		if err := b.carryLate(); err != nil {
			return err
		}
		if err := b.place.swap(workName, b.identity); err != nil {
			return err
		}
	} else if b.rekeyed {
		if err := b.writeKeys(); err != nil {
			return err
		}
	}
	if err := b.forget(); err != nil {
		return err
	}
	return b.remember()
}

// changed reports whether the site is another than the published one.
func (b *build) changed() bool {
	return b.placed+b.result.Removed > 0 || b.served == nil
}

// remember writes down what the published site was made of.
func (b *build) remember() error {
	tree := b.identity
	if tree == "" {
		var err error
		if tree, err = identity(b.place.top, b.place.name); err != nil {
			return err
		}
	}
	s := b.state()
	if before, known, err := b.place.stateOf(stateName, tree); err == nil && known && before == s {
		return nil
	}
	return b.place.writeState(stateName, tree, s)
}

// state is what the site is made of.
func (b *build) state() State {
	return State{b.options.State, b.options.Config, b.options.Scope, b.result.Files(), b.result.Bytes, b.result.failed(), b.options.Origin}
}

// complete makes the work tree what is to be published.
func (b *build) complete(ctx context.Context) error {
	if err := b.open(); err != nil {
		return err
	}
	m, err := b.writeManifests()
	if err != nil {
		return err
	}
	err = b.fit(ctx, m)
	if err == nil && b.options.Shard.N == 0 {
		err = b.carry()
	}
	if err := errors.Join(err, m.close()); err != nil {
		return err
	}
	return b.seal(m)
}

// abandon puts the work tree away after an error. The work of a build that was
// interrupted, or is not published, is worth keeping; one that the file system
// has spoilt is not.
func (b *build) abandon(ctx context.Context, reason error) error {
	if !b.opened || b.place.swapped {
		return nil
	}
	if ctx.Err() != nil || errors.Is(reason, ErrFewer) || errors.Is(reason, ErrIncomplete) {
		if err := b.keepWork(); err == nil {
			return nil
		}
	}
	err := b.place.discard(b.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
