package arrange

import (
	"cmp"
	"context"
	"slices"

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
	items := make(map[int64]*site.Item, len(rows))
	for _, row := range rows {
		items[row] = nil
	}
	for _, item := range b.site.Home.Items {
		if _, revised := items[item.Row]; revised {
			items[item.Row] = item
		}
	}
	var found []correction
	for _, row := range rows {
		item := items[row]
		if item == nil || len(found) == corrections {
			continue
		}
		c, err := change.Of(ctx, a, item, b.site.Location)
		if err != nil {
			return err
		}
		if c != nil {
			found = append(found, correction{item, c})
		}
	}
	slices.SortFunc(found, func(x, y correction) int {
		return cmp.Or(y.When.Compare(x.When), site.Compare(x.item, y.item))
	})
	for _, c := range found {
		list.Items = append(list.Items, c.item)
		list.Versions = append(list.Versions, c.Version())
	}
	return nil
}

type correction struct {
	item *site.Item
	*change.Change
}
