package output

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"ayna/generator/release"
)

// build is one run of Publish.
type build struct {
	place     *release.Place
	options   Options
	name      string          // of the stage, in the hidden directory
	published *release.Dir    // nil if nothing is published
	rows      map[string]*row // by path; changed by one goroutine at a time
	live      int             // files of the published site
	pages     int             // of these

	mu        sync.Mutex // guards what follows
	stage     *release.Dir
	nextPages int
	taken     int             // published files that the next site has too
	missing   map[string]bool // required files
	tolerated int             // failed files that the guard does not count
	result    Result

	foreign  *release.Foreign
	identity string // digest of the stage's visible manifest
	swapped  bool   // the stage has been published
}

// row is what is known of a path. It belongs to the worker that decides about
// it.
type row struct {
	entry        // of the published file; once decided, of the next one
	wasPublished bool
	claimed      bool // the site has a file with this path
	decision     decision
}

// decision is what becomes of a path.
type decision uint8

const (
	absent decision = iota // the next tree does not have it
	kept                   // it is linked from the published tree
	placed                 // the stage has it
)

func (b *build) close() {
	for _, d := range []*release.Dir{b.published, b.stage} {
		if d != nil {
			d.Close()
		}
	}
}

// load reads the manifest of the published tree.
func (b *build) load() (err error) {
	b.missing = make(map[string]bool)
	for _, name := range b.options.Required {
		b.missing[name] = true
	}
	if b.published, err = b.place.Published(); err != nil || b.published == nil {
		return err
	}
	for l, err := range readManifest(b.published.Root) {
		if err != nil {
			return err
		}
		b.rows[l.path] = &row{entry: l.entry, wasPublished: true}
		if l.mark != lingering {
			b.live++
			if isPage(l.path) {
				b.pages++
			}
		}
	}
	return nil
}

// openStage returns the stage, which it makes at the first call.
func (b *build) openStage() (_ *release.Dir, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stage == nil {
		b.stage, err = b.place.NewStage(b.name)
	}
	return b.stage, err
}

// renderAll renders the files and decides about each of them.
func (b *build) renderAll(ctx context.Context, files iter.Seq2[File, error]) error {
	group, ctx := errgroup.WithContext(ctx)
	batches := make(chan []task, 64)
	for range max(1, b.options.Jobs) {
		group.Go(func() error {
			w := newWorker(b)
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

// feed sends the files to the workers, those of one batch together.
func (b *build) feed(ctx context.Context, files iter.Seq2[File, error], batches chan<- []task) error {
	var batch []task
	send := func() error {
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
	folded := make(map[string]bool) // lower-case forms of paths that have upper-case letters
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
		t, err := b.task(file, folded)
		if err != nil {
			return err
		}
		if len(batch) > 0 && (file.Batch == "" || file.Batch != batch[0].file.Batch) {
			if err := send(); err != nil {
				return err
			}
		}
		batch = append(batch, t)
	}
	if err := send(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// task is a file to be rendered and the forms in which it is published.
type task struct {
	file  File
	forms []form
}

// form is a file as it is, or compressed.
type form struct {
	path   string
	method string // of compression, "" for none
	row    *row
}

func (b *build) task(file File, folded map[string]bool) (task, error) {
	t := task{file: file, forms: make([]form, 0, 1+len(b.options.Compress))}
	methods := []string{""}
	if isText(file.Path) {
		methods = append(methods, b.options.Compress...)
	}
	for _, method := range methods {
		path := file.Path + suffixes[method]
		r, err := b.claim(path, folded)
		if err != nil {
			return task{}, err
		}
		t.forms = append(t.forms, form{path, method, r})
	}
	return t, nil
}

// claim returns the row of a path of the site. Two paths must not differ only in
// the case of letters: some file systems take them for one.
func (b *build) claim(path string, folded map[string]bool) (*row, error) {
	lower := strings.ToLower(path)
	clash := folded[lower]
	if lower != path {
		folded[lower] = true
		if other := b.rows[lower]; other != nil && other.claimed {
			clash = true
		}
	}
	r := b.rows[path]
	if r == nil {
		r = &row{}
		b.rows[path] = r
	}
	if r.claimed || clash {
		return nil, fmt.Errorf("two files claim the address %s", path)
	}
	r.claimed = true
	return r, nil
}

// outcome is what became of a file, as the result counts it.
type outcome int

const (
	written   outcome = iota
	unchanged         // same bytes as published
	stayed            // it failed to render, and its published version stays
)

// decide records what becomes of a file.
func (b *build) decide(f form, d decision, e entry, o outcome) {
	live := f.row.wasPublished && f.row.mark != lingering
	f.row.entry, f.row.decision = e, d
	b.mu.Lock()
	defer b.mu.Unlock()
	if live {
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
		if b.options.Wrote != nil {
			b.options.Wrote(f.path)
		}
	case unchanged:
		b.result.Unchanged++
	}
	b.progress()
}

// failed records that a file could not be rendered. stays says that its
// published version stays.
func (b *build) failed(path string, err error, stays bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if stays && b.options.Unreadable != nil && b.options.Unreadable(err) {
		b.tolerated++
	}
	b.result.Failed = append(b.result.Failed, Failure{path, err})
	b.progress()
}

// progress is called with the lock held.
func (b *build) progress() {
	if b.options.Progress != nil {
		b.options.Progress(b.result.Files() + len(b.result.Failed))
	}
}

// expire counts the files that the next site does not have any more, and keeps
// some of them for one more build.
func (b *build) expire() {
	b.result.Removed = b.live - b.taken
	if b.result.Removed == 0 || b.options.Lingering == "" {
		return
	}
	w := newWorker(b)
	defer w.close()
	for path, r := range b.rows {
		if r.wasPublished && r.decision == absent && r.mark != lingering &&
			strings.HasPrefix(path, b.options.Lingering) && w.isPublished(path, r.size) {
			r.mark, r.decision = lingering, kept
		}
	}
}
