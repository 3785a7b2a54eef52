package feed

import (
	"slices"
	"strings"

	"ayna/generator/story"
)

func (r *Renderer) credit() credit { return credit{"distribution company", "urn:ebu", r.source().Name} }

// attached returns the mirrored attachments.
func (r *Renderer) attached(s *story.Story) (list []mediaContent) {
	for _, a := range s.Attachments() {
		medium, _, _ := strings.Cut(a.Type, "/")
		if medium != "audio" && medium != "video" {
			medium = "document"
		}
		list = append(list, mediaContent{
			URL: r.site.Absolute(a.File), Type: a.Type, Medium: medium, FileSize: a.Bytes, Title: inert(a.Title), Credit: r.credit(),
		})
	}
	return list
}

// enclosures returns the files of the entry whose types and sizes are known, which an enclosure
// requires: sounds, which readers play, before films, the lead picture and documents.
func (e *entry) enclosures() []mediaContent {
	list := slices.Clone(e.attached)
	if len(e.pictures) > 0 && e.pictures[0].Type != "" && e.pictures[0].FileSize > 0 {
		list = append(list, e.pictures[0])
	}
	order := []string{"audio", "video", "image", "document"}
	slices.SortStableFunc(list, func(a, b mediaContent) int { return slices.Index(order, a.Medium) - slices.Index(order, b.Medium) })
	return list
}
