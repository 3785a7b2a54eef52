package story

import (
	"context"
	"iter"
	"slices"
	"sync"

	"ayna/archive"
	"ayna/generator/site"
)

// Run reads the stories of items that follow each other, together if more than
// one of them is asked for: then the rest probably will be. Any number of
// goroutines may use it.
type Run struct {
	reader *Reader
	items  []*site.Item

	mu       sync.Mutex
	first    *site.Item                 // that was asked for
	displays map[int64]*archive.Display // of the others; nil until one of them is asked for
}

// Runs cuts items into runs.
func (r *Reader) Runs(items []*site.Item) iter.Seq2[*Run, []*site.Item] {
	return func(yield func(*Run, []*site.Item) bool) {
		for chunk := range slices.Chunk(items, archive.MostDisplays) {
			if !yield(&Run{reader: r, items: chunk}, chunk) {
				return
			}
		}
	}
}

// Story reads the story of an item of the run.
func (r *Run) Story(ctx context.Context, item *site.Item) (*Story, error) {
	display, err := r.display(ctx, item)
	if err != nil {
		return nil, failed(item, err)
	}
	if display == nil {
		return r.reader.Story(ctx, item)
	}
	return r.reader.storyOf(ctx, item, display)
}

// display returns nil for what is to be read by itself.
func (r *Run) display(ctx context.Context, item *site.Item) (*archive.Display, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first == nil {
		r.first = item
	}
	if r.first == item {
		return nil, nil
	}
	if r.displays == nil {
		var rows []int64
		for _, other := range r.items {
			if other != r.first {
				rows = append(rows, other.Row)
			}
		}
		var err error
		if r.displays, err = r.reader.Archive.Displays(ctx, rows, r.reader.maker()); err != nil {
			return nil, err
		}
	}
	return r.displays[item.Row], nil
}
