package story

import (
	"context"
	"iter"
	"sync"

	"ayna/archive"
	"ayna/generator/site"
)

// Batch reads the stories of consecutive items with one query, which saves about a tenth
// of the processor time of a full build. Any number of goroutines
// may use it; they wait for that query.
type Batch struct {
	reader *Reader
	items  site.Items

	mu     sync.Mutex
	bodies []string // nil until they are read
}

// Batches yields items in batches of at most [archive.MaxBodies].
func (r *Reader) Batches(items site.Items) iter.Seq2[*Batch, site.Items] {
	return func(yield func(*Batch, site.Items) bool) {
		for chunk := range items.Chunks(archive.MaxBodies) {
			if !yield(&Batch{reader: r, items: chunk}, chunk) {
				return
			}
		}
	}
}

// Story reads the story of an item of the batch.
func (r *Batch) Story(ctx context.Context, item site.Item) (*Story, error) {
	body := r.body(ctx, item)
	if body == "" {
		return r.reader.Story(ctx, item)
	}
	return r.reader.storyOf(ctx, item, body)
}

// body returns the document of an item; "" if it has to be read alone, because it is
// large or because a damaged row makes the whole batch unreadable.
func (r *Batch) body(ctx context.Context, item site.Item) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bodies == nil {
		rows := make([]int64, 0, r.items.Len())
		for other := range r.items.All() {
			rows = append(rows, other.Row())
		}
		bodies, err := r.reader.Archive.Bodies(ctx, rows, r.reader.maker())
		if err != nil {
			bodies = make([]string, len(rows))
		}
		r.bodies = bodies
	}
	place, _ := r.items.Find(item)
	return r.bodies[place]
}
