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
	shard   Shard
	options Options
	name    string  // of the work tree, in the hidden directory
	served  *folder // nil if nothing is published
	listed  bool    // the published tree has a manifest
	fresh   bool    // there was no work tree
	table   *table
	pages   int // of the published tree
	live    int // files of the published tree that do not linger

	mu        sync.Mutex // guards what follows
	work      *folder    // nil until opened
	opened    bool       // the work tree is being changed
	missing   map[string]bool
	placed    int  // files put into the work tree
	kept      int  // files that stay as they are published
	taken     int  // of the live files, those that the next site has too
	rekeyed   bool // a file has another key and the same bytes
	nextPages int
	result    Result

	foreign  []foreign // what the owner put into the published tree
	identity string    // of the finished work tree
}

// newBuild begins a build of a share of the site, or of all of it.
func (p *place) newBuild(shard Shard) (*build, error) {
	b := &build{place: p, shard: shard, name: workName, table: newTable()}
	if shard.N > 0 {
		b.name = shard.name()
		return b, p.lock(b.name+".lock", (*flock.Flock).TryLock)
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
	feedErr := (&feeder{build: b, batches: batches}).feed(ctx, files)
	close(batches)
	if err := group.Wait(); err != nil {
		return err
	}
	return feedErr
}

// feeder hands the files to the workers: those that are made together to one,
// so that none waits for what another makes.
type feeder struct {
	*build
	batches chan<- []task
	batch   []task
	before  int    // tasks of the batch before it
	forms   []form // of the next tasks: each takes a piece
}

func (f *feeder) feed(ctx context.Context, files iter.Seq2[File, error]) error {
	for file, err := range files {
		if err != nil {
			return err
		}
		if !validPath(file.Path) || strings.EqualFold(file.Path, visibleManifest) {
			return fmt.Errorf("%q is no address of the site", file.Path)
		}
		if !f.options.Shard.has(file) {
			continue
		}
		t, err := f.task(file)
		if err != nil {
			return err
		}
		if len(f.batch) > 0 && (file.Batch == "" || file.Batch != f.batch[0].file.Batch) {
			if err := f.hand(ctx); err != nil {
				return err
			}
		}
		if f.batch == nil {
			f.batch = make([]task, 0, max(1, f.before))
		}
		f.batch = append(f.batch, t)
	}
	if err := f.hand(ctx); err != nil {
		return err
	}
	return context.Cause(ctx)
}

func (f *feeder) hand(ctx context.Context) error {
	if len(f.batch) == 0 {
		return nil
	}
	select {
	case f.batches <- f.batch:
		f.batch, f.before = nil, len(f.batch)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
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
	row    *row
}

// task claims what a file is written as.
func (f *feeder) task(file File) (task, error) {
	if cap(f.forms)-len(f.forms) <= len(f.options.Compress) {
		f.forms = make([]form, 0, 128+len(f.options.Compress))
	}
	from := len(f.forms)
	if err := f.form(file.Path, ""); err != nil {
		return task{}, err
	}
	if len(f.options.Compress) > 0 && isText(file.Path) {
		for _, method := range f.options.Compress {
			if err := f.form(file.Path+suffixes[method], method); err != nil {
				return task{}, err
			}
		}
	}
	return task{file, f.forms[from:len(f.forms):len(f.forms)]}, nil
}

func (f *feeder) form(path, method string) error {
	row, err := f.table.claim(path)
	f.forms = append(f.forms, form{path, method, row})
	return err
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
	served, wasServed := f.row.served()
	f.row.decide(fate, e)
	b.mu.Lock()
	defer b.mu.Unlock()
	if fate == placed {
		b.placed++
	} else {
		b.kept++
		b.rekeyed = b.rekeyed || served != e
	}
	if wasServed && served.key != lingering {
		b.taken++
	}
	if isPage(f.path) {
		b.nextPages++
	}
	if e.size > 0 {
		delete(b.missing, f.path)
		b.result.Bytes += e.size
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
