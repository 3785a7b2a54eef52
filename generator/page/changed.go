package page

import (
	"context"

	"ayna/generator/change"
	"ayna/generator/site"
)

// change reads how an item's words changed last; nil if it is none of the
// site's corrections.
func (r *Renderer) change(ctx context.Context, item *site.Item) (*correction, error) {
	if _, changed := r.changed[item]; !changed {
		return nil, nil
	}
	c, err := change.Of(ctx, r.reader.Archive, item)
	if c == nil || err != nil {
		return nil, err
	}
	made := correctionOf(c, link{}, r)
	return &made, nil
}
