package page

import (
	"cmp"
	"context"
	"slices"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// standingPages returns the standing pages.
func (r *Renderer) standingPages() []output.File {
	var files []output.File
	for _, page := range r.site.Standing {
		file := r.render(page.Index(), "standing page "+page.ID(), func(ctx context.Context) (view, error) {
			s, err := r.reader.Story(ctx, page.Item)
			if err != nil {
				return nil, err
			}
			return r.standingView(page, s), nil
		})
		file.Key = r.key(page.Index(), func(m *site.Mixer) {
			m.Short(page.Content())
			for _, other := range slices.Concat(page.Trail(), page.Pages) {
				m.Text(other.Index(), other.Title)
			}
			m.Number(int64(len(page.Pages)))
		})
		files = append(files, file)
	}
	return files
}

func (r *Renderer) standingView(page *site.StandingPage, s *story.Story) *textView {
	v := &textView{pageView: r.pageView(page.Index(), s.Title, cmp.Or(s.Spot, s.Opening)), Heading: unbroken(s.Title)}
	v.Notices, v.Original = s.Notices(v.Words), s.Source
	r.setRecord(&v.pageView, s)
	v.setPictures(s, v.href)
	v.Body = s.Body.HTML(s.Resolver(v.href, "auto, "+itemSizes))
	for _, above := range page.Trail()[:len(page.Trail())-1] {
		v.Trail = append(v.Trail, link{Href: v.href(above.Index()), Text: above.Title})
	}
	for _, below := range page.Pages {
		v.Below = append(v.Below, link{Href: v.href(below.Index()), Text: below.Title})
	}
	return v
}
