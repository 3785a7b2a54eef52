package arrange

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"ayna/archive"
	"ayna/generator/change"
	"ayna/generator/site"
)

// How many of the records that the archive has earlier versions of are looked
// at, the last changed first, and how many corrections are shown at most.
const (
	candidates  = 1000
	corrections = 200
)

// correct fills the list of corrections.
func (b *builder) correct(ctx context.Context, a *archive.Archive) error {
	list := &b.site.Corrections
	list.Sort, list.Title = site.OfCorrections, b.site.Words.Corrections
	forgotten, err := a.Forgotten(ctx)
	if err != nil {
		return err
	}
	b.site.Forgotten = len(forgotten)
	rows, err := a.Revised(ctx, candidates)
	if err != nil || len(rows) == 0 {
		return err
	}
	items := make(map[int64]site.Item, len(rows))
	for _, row := range rows {
		items[row] = site.Item{}
	}
	for item := range b.site.Home.Items.All() {
		if _, revised := items[item.Row()]; revised {
			items[item.Row()] = item
		}
	}
	var revised []site.Item
	for _, row := range rows {
		if item := items[row]; item.Exists() {
			revised = append(revised, item)
		}
	}
	found, err := b.corrected(ctx, a, revised)
	if err != nil {
		return err
	}
	slices.SortFunc(found, func(x, y correction) int {
		return cmp.Or(y.When.Compare(x.When), site.Compare(x.item, y.item))
	})
	for _, c := range found {
		list.Items.Append(c.item)
		list.Versions = append(list.Versions, c.Version())
	}
	return nil
}

// lookedAt is how many items are looked at side by side.
const lookedAt = 50

// corrected returns the corrections among items, the first ones if there are
// more than are shown.
func (b *builder) corrected(ctx context.Context, a *archive.Archive, items []site.Item) ([]correction, error) {
	var found []correction
	for some := range slices.Chunk(items, lookedAt) {
		changes, errs := make([]*change.Change, len(some)), make([]error, len(some))
		var workers sync.WaitGroup
		number := runtime.GOMAXPROCS(0)
		for first := range number {
			workers.Go(func() {
				for i := first; i < len(some); i += number {
					changes[i], errs[i] = change.Of(ctx, a, some[i], b.site.Location)
				}
			})
		}
		workers.Wait()
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		for i, c := range changes {
			if c != nil {
				found = append(found, correction{some[i], c})
			}
		}
		if len(found) >= corrections {
			return found[:corrections], nil
		}
	}
	return found, nil
}

type correction struct {
	item site.Item
	*change.Change
}
