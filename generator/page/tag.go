package page

import (
	"ayna/generator/press"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// tagged returns the tags of an item. Each is rendered once for all the items
// that carry it.
func (r *Renderer) tagged(item site.Item) (press.HTML, error) {
	var stencils []prose.Stencil
	for tag := range item.Tags() {
		stencil, ok := r.tags.Get(tag.Dir)
		if !ok {
			view := link{Href: prose.StencilAddress(tag.Index()), Text: tag.Title}
			var err error
			if stencil, err = prose.NewStencil(r.part("tag"), view); err != nil {
				return nil, err
			}
			r.tags.Put(tag.Dir, stencil)
		}
		stencils = append(stencils, stencil)
	}
	return prose.Stencils(site.Root(item.Address()), stencils), nil
}
