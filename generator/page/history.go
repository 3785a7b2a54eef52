package page

import (
	"context"
	"fmt"

	"ayna/generator/change"
	"ayna/generator/output"
	"ayna/generator/site"
)

// addHistory adds to a key what an item's page shows of its earlier versions.
func (r *Renderer) addHistory(d output.Digest, item site.Item) {
	if item.Versions() > 0 {
		d.Number(uint64(item.Versions()), uint64(r.site.Forgotten))
	}
}

// history reads how the words of a view's item changed.
func (r *Renderer) history(ctx context.Context, v *itemView, item site.Item) error {
	changes, more, err := change.History(ctx, r.reader.Archive, item, r.site.Location)
	if err != nil {
		return err
	}
	for i := range changes {
		v.Changes = append(v.Changes, r.correction(&changes[i], link{}))
	}
	if len(changes) > 0 {
		v.Changed = v.Changes[0].When
	}
	if more {
		v.Earlier = fmt.Sprintf(r.site.Words.LastChanges, len(changes))
	}
	return nil
}
