// Package check goes through a published site and tells what is wrong with it:
// files that are not what the manifest says, links and anchors that lead
// nowhere, in pages and in Markdown, feeds that cannot be read, pages that show another record than the
// archive holds, and files that are ours and that nothing lists.
//
// Of a million pages it keeps eight bytes each.
package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"sync"
	"sync/atomic"

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
	Bytes   bool   // only whether the bytes are those that were written
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
		c := &checker{Options: o, root: root, seed: maphash.MakeSeed(), yield: yield, anchors: make(map[string]map[string]string)}
		err = c.site(ctx, dir)
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
	root  *os.Root
	seed  maphash.Seed
	files []uint64 // digests of the paths of all files, sorted
	yield func(Flaw, error) bool

	mu      sync.Mutex
	anchors map[string]map[string]string // that other pages link: page, anchor, the first page that does
}

// looker looks at files, one after the other. What it holds is reused.
type looker struct {
	*checker
	content []byte // of the file
	tag     tag
	dir     string          // of the last page
	good    map[string]bool // links of pages there that lead to a file

	name     string          // of the page
	flaws    []Flaw          // of it
	ids, own map[string]bool // anchors that it has, and that it links in itself
}

func newLooker(c *checker) *looker {
	return &looker{checker: c, good: make(map[string]bool), ids: make(map[string]bool), own: make(map[string]bool)}
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

func (c *checker) site(ctx context.Context, dir string) error {
	for l, err := range output.Listing(dir) {
		if err != nil {
			return err
		}
		c.files = append(c.files, c.digest(l.Path))
	}
	slices.Sort(c.files)
	if err := c.listed(ctx, dir); err != nil {
		return err
	}
	if c.Bytes {
		return nil
	}
	if err := c.linkedAnchors(); err != nil {
		return err
	}
	return c.unlisted()
}

// digest stands for a path. Paths are many, and looked up often.
func (c *checker) digest(path string) uint64 { return maphash.String(c.seed, path) }

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
func (c *checker) listed(ctx context.Context, dir string) error {
	lookers := make([]*looker, max(1, c.Jobs))
	for i := range lookers {
		lookers[i] = newLooker(c)
	}
	const most = 256
	batch, done := make([]output.Listed, 0, most), 0
	look := func() error {
		flaws, err := sideBySide(ctx, lookers, batch)
		done += len(batch)
		batch = batch[:0]
		if c.Progress != nil {
			c.Progress(done, len(c.files))
		}
		return errors.Join(err, c.report(flaws))
	}
	for l, err := range output.Listing(dir) {
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

// sideBySide looks at some files, each looker at runs of them: those of a folder
// link the same.
func sideBySide(ctx context.Context, lookers []*looker, files []output.Listed) ([]Flaw, error) {
	const run = 16
	flaws, errs := make([][]Flaw, len(files)), make([]error, len(files))
	var next atomic.Int64
	var group sync.WaitGroup
	for _, l := range lookers {
		group.Go(func() {
			for start := int(next.Add(run)) - run; start < len(files) && ctx.Err() == nil; start = int(next.Add(run)) - run {
				for i := start; i < min(start+run, len(files)); i++ {
					flaws[i], errs[i] = l.file(ctx, files[i])
				}
			}
		})
	}
	group.Wait()
	return slices.Concat(flaws...), errors.Join(context.Cause(ctx), errors.Join(errs...))
}

// file looks at one file.
func (l *looker) file(ctx context.Context, f output.Listed) ([]Flaw, error) {
	content, sum, err := l.read(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []Flaw{{f.Path, "it is in the manifest and not there", true}}, nil
	case err != nil:
		return nil, err
	case sum != f.Sum:
		return []Flaw{{f.Path, "its bytes are not those of the manifest: sha256 " + hex.EncodeToString(sum[:]), true}}, nil
	case f.Lingers || l.Bytes:
		return nil, nil
	}
	switch path.Ext(f.Path) {
	case ".html":
		return l.page(ctx, f.Path, content)
	case ".md":
		return l.markdown(f.Path, content), nil
	case ".xml":
		return l.xml(f.Path, content), nil
	case ".json":
		return l.json(f.Path, content), nil
	}
	return nil, nil
}

// read returns the content of a file that is looked into, which is good until
// the next one, and the SHA-256 of any.
func (l *looker) read(name string) (content []byte, sum [32]byte, err error) {
	info, err := l.root.Lstat(name)
	if err != nil {
		return nil, sum, err
	}
	if !info.Mode().IsRegular() {
		return nil, sum, fmt.Errorf("%s: %w: it is no regular file", name, fs.ErrNotExist)
	}
	f, err := l.root.Open(name)
	if err != nil {
		return nil, sum, err
	}
	defer f.Close()
	switch path.Ext(name) {
	case ".html", ".md", ".xml", ".json":
		b := bytes.NewBuffer(l.content[:0])
		_, err = b.ReadFrom(f)
		const most = 1 << 20 // that is kept for the next
		if l.content = b.Bytes(); cap(l.content) > most {
			l.content = nil
		}
		return b.Bytes(), sha256.Sum256(b.Bytes()), err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return nil, [32]byte(h.Sum(nil)), err
}
