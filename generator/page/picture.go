package page

import (
	"slices"

	"ayna/generator/story"
)

// picture is a picture that may be missing: then Src is empty and its caption
// has to do.
type picture struct {
	Src           string
	Srcset, Sizes string // addresses of several sizes, and how much room there is; Srcset may be empty
	Alt, Caption  string
	Width, Height int    // pixels; 0 if unknown
	First         bool   // it is what a reader sees first
	Number        string // among the others of a gallery
	Anchor        string
}

// The room that the style sheet gives to pictures, as the attribute sizes says
// it: in items, in teasers, in the first teaser of a page, and of a writer.
const (
	itemSizes     = "(min-width: 42rem) 40rem, 100vw"
	teaserSizes   = "(min-width: 40rem) 18rem, 7rem"
	firstSizes    = "(min-width: 64rem) 44rem, 100vw"
	portraitSizes = "6rem"
)

// first shows a teaser's picture as the one that a reader sees first.
func (p *picture) first() { p.First, p.Sizes = true, firstSizes }

// picture returns a picture of a story as this page shows it.
func (f *frame) picture(p story.Picture) picture { return shownPicture(p, f.href) }

func shownPicture(p story.Picture, href func(string) string) picture {
	shown := picture{Src: p.Src(href), Srcset: p.Srcset(href), Sizes: itemSizes, Caption: p.Caption, Alt: p.Title, Width: p.Width, Height: p.Height}
	if shown.Alt == "" {
		shown.Alt = p.Caption
	}
	if shown.Width == 0 || shown.Height == 0 {
		shown.Width, shown.Height = 0, 0
	}
	return shown
}

// pictures sets the lead picture and those that follow the text. A picture
// that the text holds is not shown twice.
func (v *itemView) pictures(s *story.Story) {
	if len(s.Pictures) == 0 {
		return
	}
	inBody := s.Body.Images()
	for i, stored := range s.Pictures {
		if slices.Contains(inBody, stored.Source) {
			continue
		}
		switch p := v.picture(stored); {
		case p.Src == "" && p.Alt == "":
			// Nothing is left of it.
		case i == 0:
			p.First = true
			v.Lead = []picture{p}
		default:
			v.Pictures = append(v.Pictures, p)
		}
	}
}
