// Package check finds flaws in a published site: files that differ from the
// manifest, dead links and anchors in pages and Markdown, malformed feeds, pages
// that show another version of a record than the archive has, and files of this
// program that are not in the manifest.
//
// In goes the directory of a site, out comes a sequence of [Flaw]. Eight bytes are
// kept in memory for each file of the site. Begin with [Site]; reader.go checks a file, and
// content.go what is in it.
package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"ayna/generator/output"
)

// Flaw is a fault of a file of a site.
type Flaw struct {
	Path string // of the file, relative to the site
	What string
	Lost bool // the file is missing or differs from the manifest, or that is damaged
}

// String names the flaw in one line.
func (f Flaw) String() string { return f.Path + ": " + f.What }

// Options select what is checked.
type Options struct {
	BaseURL string // of the site: absolute links below it are checked
	Jobs    int    // files checked in parallel; at least 1
	Bytes   bool   // only compare the bytes with the manifest
	// Hash returns the hash of a record in the archive as hexadecimal digits, ""
	// if there is no such record. If Hash is nil, records are not checked.
	Hash     func(ctx context.Context, kind, id string) (string, error)
	Progress func(done, all int) // may be nil
}

// Site checks the site published at dir. An error ends the check; it means that the
// site could not be read.
func Site(ctx context.Context, dir string, o Options) iter.Seq2[Flaw, error] {
	return func(yield func(Flaw, error) bool) {
		root, err := os.OpenRoot(dir)
		if err != nil {
			yield(Flaw{}, fmt.Errorf("check the site in %s: %w", dir, err))
			return
		}
		defer root.Close()
		c := &checker{Options: o, root: root, seed: maphash.MakeSeed(), yield: yield, anchors: map[string]map[string]string{}}
		err = c.site(ctx)
		if errors.Is(err, output.ErrDamaged) {
			err = c.report(Flaw{Path: ".", What: err.Error(), Lost: true})
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(Flaw{}, fmt.Errorf("check the site in %s: %w", dir, err))
		}
	}
}

// errStopped ends a check after the caller has left its loop.
var errStopped = errors.New("stopped")

// checker is one run of Site.
type checker struct {
	Options
	root   *os.Root
	seed   maphash.Seed
	listed []uint64 // hashes of the paths in the manifest, sorted
	yield  func(Flaw, error) bool

	mu      sync.Mutex
	anchors map[string]map[string]string // linked from other pages: [page][anchor] is the first page that links there
}

func (c *checker) report(flaws ...Flaw) error {
	for _, f := range flaws {
		if !c.yield(f, nil) {
			return errStopped
		}
	}
	return nil
}

func (c *checker) site(ctx context.Context) error {
	for l, err := range output.Listing(c.root) {
		if err != nil {
			return err
		}
		c.listed = append(c.listed, c.hash(l.Path))
	}
	slices.Sort(c.listed)
	if err := c.listedFiles(ctx); err != nil || c.Bytes {
		return err
	}
	if err := c.linkedAnchors(); err != nil {
		return err
	}
	return c.unlistedFiles()
}

func (c *checker) hash(path string) uint64 { return maphash.String(c.seed, path) }

func (c *checker) isListed(name string) bool {
	_, found := slices.BinarySearch(c.listed, c.hash(name))
	return found
}

// exists reports whether the site has a file: in the manifest, or a foreign one.
func (c *checker) exists(name string) bool {
	if c.isListed(name) {
		return true
	}
	info, err := c.root.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}

// listedFiles checks the files in the manifest, in batches that are checked in
// parallel and reported in the order of the manifest.
func (c *checker) listedFiles(ctx context.Context) error {
	readers := make([]*reader, max(1, c.Jobs))
	for i := range readers {
		readers[i] = newReader(c)
	}
	const size = 256
	batch, done := make([]output.Listed, 0, size), 0
	check := func() error {
		flaws, err := checkBatch(ctx, readers, batch)
		done += len(batch)
		batch = batch[:0]
		if c.Progress != nil {
			c.Progress(done, len(c.listed))
		}
		return errors.Join(err, c.report(flaws...))
	}
	for l, err := range output.Listing(c.root) {
		if err != nil {
			return err
		}
		if batch = append(batch, l); len(batch) == size {
			if err := check(); err != nil {
				return err
			}
		}
	}
	return check()
}

// checkBatch checks files in parallel. Each reader takes runs of neighbouring files,
// which have many links in common.
func checkBatch(ctx context.Context, readers []*reader, files []output.Listed) ([]Flaw, error) {
	const run = 16
	flaws, errs := make([][]Flaw, len(files)), make([]error, len(files))
	var next atomic.Int64
	var group sync.WaitGroup
	for _, r := range readers {
		group.Go(func() {
			for start := int(next.Add(run)) - run; start < len(files) && ctx.Err() == nil; start = int(next.Add(run)) - run {
				for i := start; i < min(start+run, len(files)); i++ {
					flaws[i], errs[i] = r.check(ctx, files[i])
				}
			}
		})
	}
	group.Wait()
	return slices.Concat(flaws...), errors.Join(context.Cause(ctx), errors.Join(errs...))
}

// linkedAnchors checks that pages have the anchors that other pages link to.
func (c *checker) linkedAnchors() error {
	r := newReader(c)
	for _, name := range slices.Sorted(maps.Keys(c.anchors)) {
		content, _, err := r.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the file was reported as missing
		}
		if err != nil {
			return err
		}
		missing := c.anchors[name]
		for t := range r.tags(content) {
			delete(missing, string(t.value("id")))
		}
		for _, anchor := range slices.Sorted(maps.Keys(missing)) {
			what := fmt.Sprintf("links to %s#%s, but that page has no such anchor", name, anchor)
			if err := c.report(Flaw{Path: missing[anchor], What: what}); err != nil {
				return err
			}
		}
	}
	return nil
}

// unlistedFiles reports files of this program that are not in the manifest:
// temporary files of an interrupted build, and pages.
func (c *checker) unlistedFiles() error {
	return fs.WalkDir(c.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || c.isListed(name) {
			return err
		}
		ours := strings.HasPrefix(d.Name(), ".ayna-")
		if !ours && strings.HasSuffix(name, ".html") && d.Type().IsRegular() {
			if ours, err = c.isOurPage(name); err != nil {
				return err
			}
		}
		if !ours {
			return nil
		}
		return c.report(Flaw{Path: name, What: "was written by this program, but is not in the manifest; remove it"})
	})
}

func (c *checker) isOurPage(name string) (bool, error) {
	f, err := c.root.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 8<<10))
	return bytes.Contains(head, []byte(`<meta name="generator" content="ayna">`)), err
}
