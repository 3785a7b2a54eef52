package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"sync"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"
)

// build is one run of Publish.
type build struct {
	place   *place
	options Options
	name    string  // of the work tree, in the hidden directory
	served  *folder // nil if nothing is published
	listed  bool    // the published tree has a manifest
	table   *table
	pages   int // of the published tree
	live    int // files of the published tree that do not linger

	mu        sync.Mutex // guards what follows
	work      *folder    // nil until opened
	opened    bool       // the work tree is being changed
	fresh     bool       // there was no work tree
	changes   []change   // files placed in the work tree
	missing   map[string]bool
	taken     int       // of the live files, those that the next site has too
	foreign   []foreign // what the owner put into the published tree
	rekeyed   bool      // a file has another key and the same bytes
	nextPages int
	result    Result
}

// change is a file that the published tree does not have so.
type change struct {
	path string
	next uint32
}

func (p *place) newBuild(options Options) (*build, error) {
	b := &build{place: p, options: options, name: workName, table: newTable(), missing: make(map[string]bool)}
	if options.Shard.N > 0 {
		b.name = options.Shard.name()
		if err := p.lock(b.name+".lock", (*flock.Flock).TryLock); err != nil {
			return nil, err
		}
	}
	for _, name := range options.Required {
		b.missing[name] = true
	}
	if err := b.load(); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *build) close() {
	for _, f := range []*folder{b.served, b.work} {
		if f != nil {
			f.close()
		}
	}
}

// load reads what the manifests say.
func (b *build) load() (err error) {
	if b.served, err = b.place.served(); err != nil {
		return err
	}
	if b.served != nil {
		for l, err := range readManifest(b.served.root) {
			if err != nil {
				return err
			}
			b.listed = b.listed || l.size != unknownSize
			b.table.loadServed(l.path, l.entry)
			if l.key == lingering {
				continue
			}
			b.live++
			if isPage(l.path) {
				b.pages++
			}
		}
	}
	return b.loadWork()
}

// loadWork reads what the work tree holds. One that is not whole is not
// trusted: it goes.
func (b *build) loadWork() error {
	if !b.place.has(b.name) {
		b.fresh = true
		return b.place.hidden.root.RemoveAll(b.name)
	}
	tree, err := b.place.hidden.child(b.name)
	if err != nil {
		return err
	}
	defer tree.close()
	_, whole := tree.root.Lstat(hiddenManifest)
	for l, err := range readManifest(tree.root) {
		if err != nil {
			whole = err
			break
		}
		b.table.loadWork(l.path, l.entry)
	}
	if whole == nil {
		return nil
	}
	b.fresh = true
	b.table.forgetWork()
	return b.place.discard(b.name)
}

// open makes the work tree ready to be changed. From now on it is not whole.
func (b *build) open() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened {
		return nil
	}
	root := b.place.hidden.root
	if err := root.Mkdir(b.name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	b.opened = true
	var err error
	if b.work, err = b.place.hidden.child(b.name); err != nil {
		return err
	}
	if err := b.place.learnModes(b.work); err != nil {
		return err
	}
	if b.fresh {
		return nil
	}
	if err := b.work.root.Remove(hiddenManifest); err != nil {
		return err
	}
	return b.work.sync()
}

// decide goes through the files: it takes over those that the published tree
// has so, and puts the others into the work tree.
func (b *build) decide(ctx context.Context, files iter.Seq2[File, error]) error {
	group, ctx := errgroup.WithContext(ctx)
	batches := make(chan []task, 64)
	for range max(1, b.options.Jobs) {
		group.Go(func() error {
			w := b.newWorker()
			defer w.close()
			for batch := range batches {
				for _, t := range batch {
					if err := w.do(ctx, t); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	feedErr := b.feed(ctx, files, batches)
	close(batches)
	if err := group.Wait(); err != nil {
		return err
	}
	return feedErr
}

// feed hands the files to the workers: those that are made together to one, so
// that none waits for what another makes.
func (b *build) feed(ctx context.Context, files iter.Seq2[File, error], batches chan<- []task) error {
	var batch []task
	hand := func() error {
		if len(batch) == 0 {
			return nil
		}
		select {
		case batches <- batch:
			batch = nil
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for file, err := range files {
		if err != nil {
			return err
		}
		if !validPath(file.Path) || strings.EqualFold(file.Path, visibleManifest) {
			return fmt.Errorf("%q is no address of the site", file.Path)
		}
		if !b.options.Shard.has(file) {
			continue
		}
		t, err := b.task(file)
		if err != nil {
			return err
		}
		if len(batch) > 0 && (file.Batch == "" || file.Batch != batch[0].file.Batch) {
			if err := hand(); err != nil {
				return err
			}
		}
		batch = append(batch, t)
	}
	if err := hand(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// task is a file about which something is to be decided: itself, and its
// compressed forms.
type task struct {
	file  File
	forms []form
}

// form is one file that is written for a task.
type form struct {
	path   string
	method string // of compression, "" for none
	id     id
	slot   slot
}

func (b *build) task(file File) (task, error) {
	t := task{file: file, forms: make([]form, 0, 1+len(b.options.Compress))}
	for _, method := range append([]string{""}, b.options.Compress...) {
		if method != "" && !isText(file.Path) {
			break
		}
		f := form{path: file.Path + suffixes[method], method: method}
		var err error
		if f.id, f.slot, err = b.table.claim(f.path); err != nil {
			return t, err
		}
		t.forms = append(t.forms, f)
	}
	return t, nil
}

// outcome is what became of a file, as the result counts it.
type outcome int

const (
	written outcome = iota
	unchanged
	stayed // it failed to render, and its published version stays
)

// note settles what becomes of a file.
func (b *build) note(f form, fate fate, e entry, o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := b.table.decide(f.id, fate, e)
	if fate == placed {
		b.changes = append(b.changes, change{f.path, next})
	} else if next != f.slot.served {
		b.rekeyed = true
	}
	if served, ok := b.table.at(f.slot.served); ok && served.key != lingering {
		b.taken++
	}
	if isPage(f.path) {
		b.nextPages++
	}
	if e.size > 0 {
		delete(b.missing, f.path)
	}
	switch o {
	case written:
		b.result.Written++
	case unchanged:
		b.result.Unchanged++
	}
	b.progress()
}

// failed notes that a file cannot be rendered.
func (b *build) failed(path string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.result.Failed = append(b.result.Failed, Failure{path, err})
	b.progress()
}

// progress is called with the lock held.
func (b *build) progress() {
	if b.options.Progress != nil {
		b.options.Progress(b.result.Files() + len(b.result.Failed))
	}
}
