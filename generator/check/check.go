// Package check goes through a published site and tells what is wrong with it:
// files that are not what the manifest says, links and anchors that lead
// nowhere, feeds that cannot be read, pages that show another record than the
// archive holds, and files that are ours and that nothing lists.
//
// Of a million pages it keeps eight bytes each.
package check

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"sync"

	"ayna/generator/output"
)

// Flaw is something that is wrong with a site.
type Flaw struct {
	Path string // of the file, relative to the site
	What string
	Lost bool // the file is not as it was written
}

// String names the flaw in one line.
func (f Flaw) String() string { return f.Path + ": " + f.What }

// Options says what a site is compared with.
type Options struct {
	BaseURL string // where absolute links to the site begin
	Jobs    int    // files looked at side by side; at least 1
	// Hash returns the hash of the record that the archive holds, in hexadecimal
	// digits, "" if it holds none; nil leaves records alone.
	Hash     func(ctx context.Context, kind, id string) (string, error)
	Progress func(done, all int) // may be nil
}

// Site goes through the site published at dir. An error ends it: the site could
// not be read to its end.
func Site(ctx context.Context, dir string, o Options) iter.Seq2[Flaw, error] {
	return func(yield func(Flaw, error) bool) {
		root, err := os.OpenRoot(dir)
		if err != nil {
			yield(Flaw{}, fmt.Errorf("check the site in %s: %w", dir, err))
			return
		}
		defer root.Close()
		c := &checker{Options: o, dir: dir, root: root, yield: yield, anchors: make(map[string]map[string]string)}
		err = c.site(ctx)
		if errors.Is(err, output.ErrDamaged) {
			err = c.report([]Flaw{{".", err.Error(), true}})
		}
		if err != nil && !errors.Is(err, errEnough) {
			yield(Flaw{}, fmt.Errorf("check the site in %s: %w", dir, err))
		}
	}
}

// checker is one run of Site.
type checker struct {
	Options
	dir   string
	root  *os.Root
	files []uint64 // digests of the paths of all files, sorted
	yield func(Flaw, error) bool

	mu      sync.Mutex
	anchors map[string]map[string]string // that other pages link: page, anchor, the first page that does
}

// errEnough ends a run whose caller wants no more flaws.
var errEnough = errors.New("enough")

func (c *checker) report(flaws []Flaw) error {
	for _, f := range flaws {
		if !c.yield(f, nil) {
			return errEnough
		}
	}
	return nil
}

func (c *checker) site(ctx context.Context) error {
	for l, err := range output.Listing(c.dir) {
		if err != nil {
			return err
		}
		c.files = append(c.files, digest(l.Path))
	}
	slices.Sort(c.files)
	if err := c.listed(ctx); err != nil {
		return err
	}
	if err := c.linkedAnchors(); err != nil {
		return err
	}
	return c.unlisted()
}

// digest stands for a path.
func digest(path string) uint64 {
	sum := sha256.Sum256([]byte(path))
	return binary.LittleEndian.Uint64(sum[:])
}

// has reports whether there is a file of that path: one of ours, or else one of
// the owner's.
func (c *checker) has(name string) bool {
	if c.known(name) {
		return true
	}
	info, err := c.root.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}

// listed looks at every file of the manifest, some side by side, and reports in
// the manifest's order.
func (c *checker) listed(ctx context.Context) error {
	const most = 256
	batch, done := make([]output.Listed, 0, most), 0
	look := func() error {
		flaws, err := c.batch(ctx, batch)
		done += len(batch)
		batch = batch[:0]
		if c.Progress != nil {
			c.Progress(done, len(c.files))
		}
		return errors.Join(err, c.report(flaws))
	}
	for l, err := range output.Listing(c.dir) {
		if err != nil {
			return err
		}
		if batch = append(batch, l); len(batch) == most {
			if err := look(); err != nil {
				return err
			}
		}
	}
	return look()
}

// batch looks at some files.
func (c *checker) batch(ctx context.Context, files []output.Listed) ([]Flaw, error) {
	flaws, errs := make([][]Flaw, len(files)), make([]error, len(files))
	var next sync.Mutex
	at := 0
	take := func() int {
		next.Lock()
		defer next.Unlock()
		at++
		return at - 1
	}
	var group sync.WaitGroup
	for range max(1, c.Jobs) {
		group.Go(func() {
			for i := take(); i < len(files) && ctx.Err() == nil; i = take() {
				flaws[i], errs[i] = c.file(ctx, files[i])
			}
		})
	}
	group.Wait()
	return slices.Concat(flaws...), errors.Join(context.Cause(ctx), errors.Join(errs...))
}

// file looks at one file.
func (c *checker) file(ctx context.Context, l output.Listed) ([]Flaw, error) {
	content, sum, err := c.read(l.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []Flaw{{l.Path, "it is in the manifest and not there", true}}, nil
	case err != nil:
		return nil, err
	case sum != l.Sum:
		return []Flaw{{l.Path, "its bytes are not those of the manifest: sha256 " + hex.EncodeToString(sum[:]), true}}, nil
	case l.Lingers:
		return nil, nil
	}
	switch path.Ext(l.Path) {
	case ".html":
		return c.page(ctx, l.Path, content)
	case ".xml":
		return c.xml(l.Path, content), nil
	case ".json":
		return c.json(l.Path, content), nil
	}
	return nil, nil
}

// read returns the content of a file that is looked into, and the SHA-256 of any.
func (c *checker) read(name string) (content []byte, sum [32]byte, err error) {
	info, err := c.root.Lstat(name)
	if err != nil {
		return nil, sum, err
	}
	if !info.Mode().IsRegular() {
		return nil, sum, fmt.Errorf("%s: %w: it is no regular file", name, fs.ErrNotExist)
	}
	f, err := c.root.Open(name)
	if err != nil {
		return nil, sum, err
	}
	defer f.Close()
	switch path.Ext(name) {
	case ".html", ".xml", ".json":
		content, err = io.ReadAll(f)
		return content, sha256.Sum256(content), err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return nil, [32]byte(h.Sum(nil)), err
}
