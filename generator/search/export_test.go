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
	items := &siteItems{site: s, teasers: teasers, texts: texts, digests: texts, stemmer: newStemmer("tr")}
	return &Renderer{items, s.Words, layout, nil}
}

// Words returns the folded words of a text, in their order, without those of the index's
// language that are only ends of lines.
func Words(text string) []string {
	var words []string
	reader := wordReader{emit: func(word []byte) {
		if word != nil {
			words = append(words, string(word))
		}
	}}
	reader.read(text)
	return words
}

var turkish = newStemmer("tr")

// Stem returns the stem of a folded word in Turkish.
func Stem(word string) string { return string(turkish.stem([]byte(word))) }

// Terms returns the stems of the words of a text.
func Terms(text string) []string {
	terms := Words(text)
	for i, word := range terms {
		terms[i] = Stem(word)
	}
	return terms
}

// Format is the version of the files of a segment.
const Format = format
