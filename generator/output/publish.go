package output

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"

	"ayna/generator/site"
	"ayna/generator/swap"
)

// Options says how to publish.
type Options struct {
	Inputs                     // what the site is made of, for [Published]
	Jobs     int               // files rendered side by side; at least 1
	Progress func(done int)    // called as files are done, from any goroutine; may be nil
	Wrote    func(path string) // called at the end for each file that is new or differs; may be nil

	// Program is a digest of all that every file depends on: the program, settings and
	// templates. Files of another one are not kept; "" keeps none.
	Program string

	// Store keeps what the files are made with. It may be nil.
	Store *Store

	// Whole reports, once all files are rendered, whether everything that they show could be
	// read. Otherwise the next build keeps no file. It may be nil.
	Whole func() bool

	// Supersedes is the Origin of a site that may lose any number of pages.
	Supersedes string

	// Unreadable reports whether a file failed because its record is damaged. If
	// its published version stays, such a file does not count against the limit of
	// failed files. It may be nil.
	Unreadable func(error) bool

	// Verify checks the complete stage in dir. After an error the stage is not
	// published. It may be nil.
	Verify func(dir string) error

	Required []string // files that must exist and not be empty
	Records  int      // records that the site shows: a hundredth of that number of files may fail; 0 takes the number of files
	Fewer    bool     // the site may have far fewer pages than the published one
	All      bool     // kept files are rendered too, and compared
	Anew     bool     // the archive is new: a changed Scope is no reason to have far fewer pages
	Expiring string   // prefix of files that are kept for one more build, for pages that browsers have open; "" for none
	Compress []string // "gzip", "zstd": text files are also written compressed
}

// Result counts what publishing did.
type Result struct {
	Bytes     int64    `json:"bytes"` // of the site's files
	Written   int      `json:"written"`
	Unchanged int      `json:"unchanged"`
	Kept      int      `json:"kept"` // files among the unchanged ones that were not rendered, since their keys stayed the same
	Removed   int      `json:"removed"`
	Failed    Failures `json:"failed"` // files that could not be rendered, by path

	// Differing are kept files that were rendered all the same and differ: their keys lack
	// something. The next build renders all files.
	Differing []string `json:"differing,omitempty"`
}

// Files returns the number of files of the site.
func (r Result) Files() int { return r.Written + r.Unchanged }

// Failure is a file that could not be rendered. Its published version stays, or
// its Fallback is published.
type Failure struct {
	Path string
	Err  error
}

// Failures are encoded in JSON as a list of {"path": …, "reason": …}.
type Failures []Failure

// MarshalJSON implements [json.Marshaler].
func (f Failures) MarshalJSON() ([]byte, error) {
	type problem struct {
		Path   string `json:"path"`
		Reason string `json:"reason"`
	}
	problems := make([]problem, len(f))
	for i, failure := range f {
		problems[i] = problem{failure.Path, failure.Err.Error()}
	}
	return json.Marshal(problems)
}

// Publish replaces the files of the tree at dir, in one step: after an error the
// published tree is unchanged. Files of an earlier build that are not in the
// sequence are removed; files that no build wrote are kept. If no bytes differ, the
// tree is not exchanged.
//
// Files that cannot be rendered are listed in the result. An error of the sequence
// or of the file system ends the build, and so do [ErrFewer] and [ErrIncomplete].
//
// A process that holds the old tree open sees the old site until the build after
// next, which changes the tree.
func Publish(ctx context.Context, dir string, files iter.Seq2[File, error], options Options) (result Result, err error) {
	err = withTarget(swap.Open, dir, "publish to", func(p *swap.Target) error {
		result, err = publish(ctx, p, files, options)
		return err
	})
	return result, err
}

// withTarget opens a target, calls do and closes the target. An error begins with what
// and dir.
func withTarget(open func(dir string) (*swap.Target, error), dir, what string, do func(*swap.Target) error) error {
	p, err := open(dir)
	if err == nil {
		err = errors.Join(do(p), p.Close())
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, dir, err)
	}
	return nil
}

// build is one run of Publish.
type build struct {
	target    *swap.Target
	options   Options
	published *os.Root    // nil if nothing is published
	before    State       // of the published site
	digest    string      // of the published manifest
	last      *swap.Delta // of the trees before this build; nil if it is unknown
	stage     *os.Root
	next      string      // digest of the next manifest
	delta     *swap.Delta // of the next trees; nil if it is unknown
	sampling  uint64      // digest of the inputs; see isSampled
	rows      rows

	mu        sync.Mutex // guards the fields below while files are rendered
	done      int        // files
	tolerated int        // failed files that the guard does not count
	result    Result

	pagesBefore, pages int // of the published and of the next site; see count
}

// row holds the published and the next state of a path.
type row struct {
	sum     [32]byte    // SHA-256 of the published file, zero if it is distrusted; once decided, of the next one
	size    int64       // of the same file; -1 if the published tree lacks it
	key     site.Digest // of the same file, zero if it is not known
	place   uint32      // among the claimed files of the last build, from 1; once claimed, of this one
	was     status
	claimed bool // the site has a file of that path
	next    decision
}

// status says what the published tree has at a path.
type status uint8

const (
	unpublished status = iota
	live
	expired
)

// decision says whether and how the next tree has a file.
type decision uint8

const (
	absent    decision = iota // not in the next tree
	unchanged                 // linked: its bytes equal the published ones
	stale                     // linked: it failed to render
	expiring                  // linked for one more build: it is no longer part of the site
	written                   // new or different, written into the stage
)

// inTree reports whether the next tree has the file.
func (r *row) inTree() bool { return r.next != absent }

func publish(ctx context.Context, target *swap.Target, files iter.Seq2[File, error], options Options) (Result, error) {
	b := &build{target: target, options: options}
	h := fnv.New64a()
	io.WriteString(h, options.Key)
	b.sampling = h.Sum64()
	err := b.run(ctx, files)
	for _, tree := range []*os.Root{b.published, b.stage} {
		if tree != nil {
			err = errors.Join(err, tree.Close())
		}
	}
	if b.stage != nil {
		err = errors.Join(err, target.Discard(swap.Stage)) // nothing, if it was published
	}
	return b.result, err
}

// run does the steps of a build in their order.
func (b *build) run(ctx context.Context, files iter.Seq2[File, error]) error {
	keeps, err := b.load()
	if err != nil {
		return err
	}
	if b.options.Store != nil {
		if err := b.options.Store.open(b.target, keeps && !b.options.All); err != nil {
			return err
		}
	}
	if b.stage, err = b.target.NewTree(swap.Stage); err != nil {
		return err
	}
	if err := b.renderAll(ctx, files); err != nil {
		return err
	}
	b.count()
	if err := b.guard(); err != nil {
		return err
	}
	tree := b.files()
	published, previous := b.digest, ""
	if differs := b.result.Written+b.result.Removed > 0 || b.published == nil; differs {
		if err := b.replace(ctx, tree); err != nil {
			return err
		}
		if err := b.target.PutDelta(b.delta); err != nil {
			return err
		}
		published, previous = b.next, b.digest
	}
	if previous == "" {
		if previous, err = b.target.Digest(swap.Previous); err != nil {
			return err
		}
	}
	err = errors.Join(b.putKeys(tree, published), b.remember(published, previous))
	if b.options.Store != nil {
		err = errors.Join(err, b.options.Store.prune())
	}
	return err
}

// replace publishes the next tree, which has those files.
func (b *build) replace(ctx context.Context, files []file) error {
	if err := b.writeManifest(files); err != nil {
		return err
	}
	if done, err := b.apply(); done || err != nil {
		return err
	}
	if err := b.complete(ctx, files); err != nil {
		return err
	}
	return b.target.Publish(swap.Stage, b.next)
}

// files returns the files of the next tree, sorted by path. Few are not listed already, so it
// does not sort them all.
func (b *build) files() []file {
	slices.SortFunc(b.rows.added, func(a, b file) int { return strings.Compare(a.path, b.path) })
	added, all := b.rows.added, make([]file, 0, len(b.rows.listed)+len(b.rows.added))
	for _, f := range b.rows.listed {
		for len(added) > 0 && added[0].path < f.path {
			all, added = append(all, added[0]), added[1:]
		}
		all = append(all, f)
	}
	all = append(all, added...)
	return slices.DeleteFunc(all, func(f file) bool { return !f.inTree() })
}

// count sums up the decisions, and keeps expired files for one more build.
func (b *build) count() {
	for _, files := range [][]file{b.rows.listed, b.rows.added} {
		for _, f := range files {
			b.countFile(f)
		}
	}
}

func (b *build) countFile(f file) {
	if f.was == live && isPage(f.path) {
		b.pagesBefore++
	}
	switch f.next {
	case absent:
		if f.was != live {
			return
		}
		b.result.Removed++
		expires := b.options.Expiring != "" && strings.HasPrefix(f.path, b.options.Expiring)
		if expires && f.size >= 0 {
			f.next = expiring
		}
		return
	case unchanged:
		b.result.Unchanged++
	case written:
		b.result.Written++
		if b.options.Wrote != nil {
			b.options.Wrote(f.path)
		}
	}
	b.result.Bytes += f.size
	if isPage(f.path) {
		b.pages++
	}
}
