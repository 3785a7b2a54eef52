package output

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"ayna/generator/site"
	"ayna/generator/swap"
)

// task is a file to render, and the variants in which it is published.
type task struct {
	file     File
	key      site.Digest
	variants []variant
}

// variant is a file as it is, or compressed.
type variant struct {
	path   string
	method string // of compression, "" for none
	row    *row
}

// maxBatch is how many files one worker renders one after the other at most: those of
// a batch of stories.
const maxBatch = 64

// renderAll renders the files in parallel, and sets a decision for each.
func (b *build) renderAll(ctx context.Context, files iter.Seq2[File, error]) error {
	creator, err := swap.NewCreator(b.stage)
	if err != nil {
		return err
	}
	defer creator.Close()
	group, ctx := errgroup.WithContext(ctx)
	batches := make(chan []task, 4) // few, since files of the search index hold texts
	for range max(1, b.options.Jobs) {
		group.Go(func() error {
			w := &worker{build: b, files: creator, compressors: make(map[string]compressor)}
			for batch := range batches {
				if err := w.doAll(ctx, batch); err != nil {
					return err
				}
			}
			return nil
		})
	}
	feedErr := b.feed(ctx, files, batches)
	close(batches)
	err = group.Wait()
	slices.Sort(b.result.Differing)
	slices.SortFunc(b.result.Failed, func(a, b Failure) int { return strings.Compare(a.Path, b.Path) })
	return cmp.Or(err, feedErr)
}

// progress counts the files of a batch, and those of them that were kept.
func (b *build) progress(files, kept int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.result.Kept += kept
	b.done += files
	if b.options.Progress != nil {
		b.options.Progress(b.done)
	}
}

// feed sends the files to the workers, those of one batch together.
func (b *build) feed(ctx context.Context, files iter.Seq2[File, error], batches chan<- []task) error {
	var batch []task
	send := func() error {
		if len(batch) == 0 {
			return context.Cause(ctx)
		}
		select {
		case batches <- batch:
			batch = nil
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	folded := make(map[string]bool) // in lower case, paths that have upper-case letters
	for file, err := range files {
		if err != nil {
			return err
		}
		t, err := b.task(file, folded)
		if err != nil {
			return err
		}
		if len(batch) == maxBatch || len(batch) > 0 && (file.Batch == "" || file.Batch != batch[0].file.Batch) {
			if err := send(); err != nil {
				return err
			}
		}
		batch = append(batch, t)
	}
	return send()
}

func (b *build) task(file File, folded map[string]bool) (task, error) {
	r, err := b.claim(file.Path, folded)
	t := task{file: file, variants: []variant{{file.Path, "", r}}}
	if err != nil || file.Link != "" || len(b.options.Compress) == 0 || !isText(file.Path) {
		return t, err
	}
	for _, method := range b.options.Compress {
		path := file.Path + suffixes[method]
		if r, err = b.claim(path, folded); err != nil {
			return t, err
		}
		t.variants = append(t.variants, variant{path, method, r})
	}
	return t, nil
}

// claim returns the row of a path of the site. It refuses paths that differ only in
// case, because some file systems cannot hold both.
func (b *build) claim(path string, folded map[string]bool) (*row, error) {
	lower := strings.ToLower(path)
	clash := folded[lower]
	if lower != path {
		folded[lower] = true
		other := b.rows.at(lower)
		clash = clash || other != nil && other.claimed
	}
	r := b.rows.next(path)
	if r == nil && !validPath(path) || strings.EqualFold(path, manifestName) { // those of a manifest are valid
		return nil, fmt.Errorf("%q is not a valid path of a published file", path)
	}
	if r == nil {
		r = b.rows.add(path)
	}
	if r.claimed || clash {
		return nil, fmt.Errorf("two files claim the address %s", path)
	}
	b.rows.claimed++
	r.claimed, r.place = true, b.rows.claimed
	return r, nil
}
