package search

import (
	"context"

	"ayna/generator/site"
	"ayna/generator/story"
)

// Cut divides the index into smaller segments than usual: of a full size, and of steps.
func (r *Renderer) Cut(full int, steps ...int) { r.layout = segmentLayout{[]int{full}, steps} }

// Segments returns the numbers of the items of each segment.
func Segments(items int) (sizes []int) {
	for _, s := range layout.spans(items) {
		sizes = append(sizes, s.last-s.first)
	}
	return sizes
}

// NewOf returns a renderer of items that lie in no archive.
func NewOf(
	s *site.Site,
	teasers func(context.Context, []site.Item) ([]story.Teaser, error),
	texts func(context.Context, []site.Item) ([]string, error),
) *Renderer {
	items := &siteItems{site: s, teasers: teasers, texts: texts, stemmer: newStemmer(s.Language), language: baseOf(s.Language)}
	return &Renderer{items, s.Words, layout, Options{}, nil}
}

// Stem returns the stem of a word of a language.
func Stem(language, folded, spelling string) string { return newStemmer(language)(folded, spelling) }

// Format is the version of the files of a segment.
const Format = format
