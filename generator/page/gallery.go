package page

import (
	"cmp"
	"fmt"

	"ayna/generator/story"
)

type galleryView struct {
	itemView
	Script string // "" if the assets have none
}

// galleryScript is the asset that shows a gallery's pictures large.
const galleryScript = "gallery.js"

// gallery shows all pictures in their order, numbered, and none above them.
func (r *Renderer) gallery(v *galleryView, s *story.Story) {
	if script := AddressOf(r.options.Assets, galleryScript); script != "" {
		v.Script = v.href(script)
	}
	v.Lead, v.Pictures, v.Length = nil, nil, ""
	for i, stored := range s.Pictures {
		p := v.picture(stored)
		p.Number = fmt.Sprintf("%d / %d", i+1, len(s.Pictures))
		p.Anchor = fmt.Sprintf("p%d", i+1)
		p.Caption = cmp.Or(p.Caption, p.Alt)
		p.Alt = cmp.Or(p.Alt, s.Title+", "+p.Number)
		v.Pictures = append(v.Pictures, p)
	}
	if len(v.Pictures) > 0 {
		v.Length = fmt.Sprintf(v.Words.Pictures, len(v.Pictures))
	}
}
