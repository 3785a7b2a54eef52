package search

import (
	"context"

	"ayna/generator/site"
	"ayna/generator/story"
)

// Cut divides the index into smaller segments than usual.
func (r *Renderer) Cut(full, step int) { r.layout = segmentLayout{full, step} }

// NewOf returns a renderer of items that lie in no archive.
func NewOf(s *site.Site, teasers func(context.Context, []site.Item) ([]story.Teaser, error)) *Renderer {
	return &Renderer{teasers, s, layout}
}

// Spans returns how many items the segments have, the oldest first.
func Spans(items int) []int {
	var sizes []int
	for _, s := range layout.spans(items) {
		sizes = append(sizes, s.last-s.first)
	}
	return sizes
}

// Together is how many segments make a stage.
const Together = together

// Terms returns the words of a text as the index knows them, in their order.
func Terms(text string) []string {
	var terms []string
	reader := termReader{emit: func(term []byte) { terms = append(terms, string(term)) }}
	reader.read(text)
	return terms
}
