package page

import (
	"ayna/generator/press"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// tagged returns the tags of an item. Each is rendered once for all the items
// that carry it.
func (r *Renderer) tagged(item *site.Item) (press.HTML, error) {
	stencils := make([]prose.Stencil, len(item.Tags))
	for i, tag := range item.Tags {
		var ok bool
		if stencils[i], ok = r.tags.Get(tag.Dir); ok {
			continue
		}
		view := link{Href: prose.StencilAddress(tag.Index()), Text: tag.Title}
		var err error
		if stencils[i], err = prose.NewStencil(r.part("tag"), view); err != nil {
			return nil, err
		}
		r.tags.Put(tag.Dir, stencils[i])
	}
	return prose.Stencils(site.Root(item.Address), stencils), nil
}
