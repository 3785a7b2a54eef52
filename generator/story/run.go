package story

import (
	"context"
	"iter"
	"sync"

	"ayna/archive"
	"ayna/generator/site"
)

// Run reads the stories of items that follow each other, together if several of
// them are asked for, or most of the run before were: then the rest probably will
// be. Any number of goroutines may use it, and may wait for each other.
type Run struct {
	reader *Reader
	items  site.Items

	mu       sync.Mutex
	asked    int
	together bool     // from the beginning
	bodies   []string // nil until they are read together
}

// alone is how many stories of a run are read one by one before the rest is read
// together: where one item in a hundred has changed, and its neighbours show
// that, few of a run are asked for.
const alone = 4

// Runs cuts items into runs.
func (r *Reader) Runs(items site.Items) iter.Seq2[*Run, site.Items] {
	return func(yield func(*Run, site.Items) bool) {
		for chunk := range items.Chunks(archive.MostBodies) {
			if !yield(&Run{reader: r, items: chunk}, chunk) {
				return
			}
		}
	}
}

// Story reads the story of an item of the run.
func (r *Run) Story(ctx context.Context, item site.Item) (*Story, error) {
	body, err := r.body(ctx, item)
	if err != nil {
		return nil, failed(item, err)
	}
	if body == "" {
		return r.reader.Story(ctx, item)
	}
	return r.reader.storyOf(ctx, item, body)
}

// body returns "" for what is to be read by itself.
func (r *Run) body(ctx context.Context, item site.Item) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked++; r.asked == r.items.Len()/2 {
		r.reader.row.Store(true)
	}
	if r.bodies != nil {
		return r.bodies[r.place(item)], nil
	}
	if r.asked == 1 {
		r.together = r.reader.row.Swap(false)
	}
	if r.asked <= alone && !r.together {
		return "", nil
	}
	rows := make([]int64, 0, r.items.Len())
	for other := range r.items.All() {
		rows = append(rows, other.Row())
	}
	var err error
	if r.bodies, err = r.reader.Archive.Bodies(ctx, rows, r.reader.maker()); err != nil {
		return "", err
	}
	return r.bodies[r.place(item)], nil
}

// place is where an item of the run is in it.
func (r *Run) place(item site.Item) int {
	place, _ := r.items.Find(item)
	return place
}
